#include "graph/canonical_key.hpp"

#include <algorithm>

namespace weft {
namespace {

// One word names an event: where it stands. Room for the longest execution that the limits allow (Options::max_steps)
// in each thread.
constexpr std::uint32_t kIndexBits = 20;
constexpr std::uint32_t kNoSource = 0xffff'ffff;
constexpr std::uint32_t kInitial = 0xffff'fffe;

std::uint32_t place(const ExecutionGraph& graph, EventId e) {
  if (e == kNoEvent) return kNoSource;
  if (is_initial_write(e)) return kInitial;
  const Event& event = graph[e];
  return static_cast<std::uint32_t>(event.thread) << kIndexBits | event.index;
}

bool waits_at_gate(const ExecutionGraph& graph, std::span<const EventId> line) {
  if (line.empty()) return false;
  const Event& last = graph[line.back()];
  return last.kind == EventKind::write && last.role == WriteRole::lock && !graph.grant_of(line.back()).granted;
}

/// Hands every word of the key to `word`, in order.
template <class Word>
void spell(const ExecutionGraph& graph, Word word) {
  for (std::size_t t = 0; t < graph.thread_count(); ++t) {
    std::span<const EventId> line = graph.thread(ThreadId{static_cast<std::uint16_t>(t)});
    if (waits_at_gate(graph, line)) line = line.first(line.size() - 2);
    if (line.empty()) continue;
    word(static_cast<std::uint32_t>(t));
    word(static_cast<std::uint32_t>(line.size()));
    for (EventId e : line) {
      const Event& event = graph[e];
      word(static_cast<std::uint32_t>(event.kind));
      if (event.kind == EventKind::choose) word(static_cast<std::uint32_t>(event.value));
      if (event.source != kNoEvent) word(place(graph, event.source));
    }
  }
  std::vector<LocationId> locations(graph.locations_in_use().begin(), graph.locations_in_use().end());
  std::ranges::sort(locations);
  for (LocationId l : locations) {
    bool named = false;
    for (EventId w : graph.location(l).writes) {
      const Event& write = graph[w];
      if (write.role == WriteRole::lock) {
        const std::span<const EventId> line = graph.thread(write.thread);
        if (line.back() == w && waits_at_gate(graph, line)) continue;
      }
      if (!named) word(kNoSource - 2 - static_cast<std::uint32_t>(l));
      named = true;
      word(place(graph, w));
    }
  }
}

constexpr std::uint64_t mix(std::uint64_t x) {  // the finalizer of MurmurHash3
  x = (x ^ x >> 33) * 0xff51'afd7'ed55'8ccdu;
  x = (x ^ x >> 33) * 0xc4ce'b9fe'1a85'ec53u;
  return x ^ x >> 33;
}

}  // namespace

CanonicalKey canonical_key(const ExecutionGraph& graph) {
  CanonicalKey key;
  key.reserve(2 * graph.size() + 8);
  spell(graph, [&](std::uint32_t w) { key.push_back(static_cast<char32_t>(w)); });
  return key;
}

GraphDigest digest(const ExecutionGraph& graph) {
  GraphDigest d{0x9e37'79b9'7f4a'7c15u, 0xd1b5'4a32'd192'ed03u};
  spell(graph, [&](std::uint32_t w) {
    d.high = mix(d.high ^ w);
    d.low = mix(d.low + w * 0x9e37'79b9'7f4a'7c15u);
  });
  return d;
}

}  // namespace weft
