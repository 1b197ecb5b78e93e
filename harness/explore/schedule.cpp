#include "explore/schedule.hpp"

#include <algorithm>

#include "explore/linearize.hpp"
#include "explore/operation_words.hpp"

namespace weft {
namespace {

class OperationsHash {
 public:
  explicit OperationsHash(const ExecutionGraph& graph) : graph_(graph) {}

  void add(EventId first, ThreadId thread) {
    const Event& e = graph_[first];
    mix(static_cast<std::uint32_t>(operation_of(graph_, first)));
    mix(static_cast<std::uint32_t>(thread));
    mix(static_cast<std::uint32_t>(e.order));
    if (e.location == kNoLocation) return;
    const auto known = std::find(locations_.begin(), locations_.end(), e.location);
    mix(static_cast<std::uint32_t>(known - locations_.begin()));
    if (known == locations_.end()) locations_.push_back(e.location);
  }
  std::uint16_t value() const { return static_cast<std::uint16_t>(state_ ^ state_ >> 16); }

 private:
  void mix(std::uint32_t value) {  // FNV-1a, a byte at a time
    for (int shift = 0; shift < 32; shift += 8) state_ = (state_ ^ (value >> shift & 0xff)) * 16'777'619u;
  }

  const ExecutionGraph& graph_;
  std::vector<LocationId> locations_;
  std::uint32_t state_ = 2'166'136'261u;
};

/// How many writes of `l` behind coherence position `position` are among the placed ones.
std::uint32_t newer_writes(const ExecutionGraph& graph, const std::vector<bool>& placed, LocationId l,
                           std::size_t position) {
  std::uint32_t count = 0;
  for (std::size_t i = position + 1; i <= graph.last_position(l); ++i)
    count += placed[index(graph.write_at(l, i))] ? 1 : 0;
  return count;
}

}  // namespace

std::uint16_t operations_hash(const ExecutionGraph& graph) {
  OperationsHash hash(graph);
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const EventId e{static_cast<std::uint32_t>(i)};
    if (!graph[e].is_write_part()) hash.add(e, graph[e].thread);
  }
  return hash.value();
}

Schedule schedule_of(const ExecutionGraph& graph, std::vector<ThreadId>* renamed) {
  Schedule schedule;
  OperationsHash hash(graph);
  std::vector<bool> placed(graph.size(), false);
  std::vector<ThreadId> names(std::max<std::size_t>(graph.thread_count(), 1), kNoThread);
  names[0] = ThreadId{0};
  std::uint16_t threads = 1;
  for (const EventId first : linearize(graph).order) {
    const Event& e = graph[first];
    ScheduleStep step{.thread = names[index(e.thread)], .kind = operation_of(graph, first)};
    placed[index(first)] = true;
    if (e.kind == EventKind::read) {
      step.choice = newer_writes(graph, placed, e.location, graph.coherence_position(e.location, e.source));
      if (graph.has_write_part(first)) placed[index(graph.thread(e.thread)[e.index + 1])] = true;
    } else if (e.kind == EventKind::write) {
      step.choice = newer_writes(graph, placed, e.location, graph.coherence_position(e.location, first));
    } else if (e.kind == EventKind::choose) {
      step.choice = static_cast<std::uint32_t>(e.value);
    } else if (e.kind == EventKind::create) {
      if (e.value >= names.size()) names.resize(static_cast<std::size_t>(e.value) + 1, kNoThread);
      names[static_cast<std::size_t>(e.value)] = ThreadId{threads++};
    }
    hash.add(first, step.thread);
    schedule.steps.push_back(step);
  }
  schedule.operations_hash = hash.value();
  if (renamed != nullptr) *renamed = std::move(names);
  return schedule;
}

}  // namespace weft
