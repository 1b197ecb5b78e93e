#include "api/duplicates.hpp"

namespace weft {
namespace {

class Hash {
 public:
  void add(std::uint64_t value) {
    state_ = (state_ ^ value) * 0x9e37'79b9'7f4a'7c15u;
    state_ ^= state_ >> 29;
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0x243f'6a88'85a3'08d3u;
};

// A name of an event that does not depend on the order in which events were added.
std::uint64_t event_name(const ExecutionGraph& graph, EventId e) {
  if (e == kNoEvent) return ~std::uint64_t{0};
  if (is_initial_write(e)) return std::uint64_t{1} << 63 | index(initial_write_location(e));
  return static_cast<std::uint64_t>(graph[e].thread) << 32 | graph[e].index;
}

}  // namespace

std::uint64_t DuplicateCounter::hash(const ExecutionGraph& graph) {
  Hash hash;
  for (std::size_t t = 0; t < graph.thread_count(); ++t) {
    for (const EventId id : graph.thread(ThreadId{static_cast<std::uint16_t>(t)})) {
      const Event& e = graph[id];
      hash.add(static_cast<std::uint64_t>(e.kind) << 48 | static_cast<std::uint64_t>(t) << 32 | e.index);
      hash.add(index(e.location));
      hash.add(e.value);
      hash.add(e.kind == EventKind::read ? event_name(graph, e.source) : 0);
      hash.add(e.kind == EventKind::write ? graph.coherence_position(e.location, id) : 0);
    }
  }
  return hash.value();
}

}  // namespace weft
