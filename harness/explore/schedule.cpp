#include "explore/schedule.hpp"

#include <algorithm>

#include "explore/operation_words.hpp"

namespace weft {
namespace {

constexpr std::size_t kLookAhead = 256;  // steps; longer runs of one thread are not compared any more

class Linearizer {
 public:
  explicit Linearizer(const ExecutionGraph& graph)
      : graph_(graph), placed_(graph.size(), false), next_(graph.thread_count(), 0) {}

  std::vector<EventId> run() {
    std::vector<EventId> order;
    if (graph_.size() == 0) return order;  // a run that failed before its first operation
    std::size_t thread = 0;
    while (pick(thread)) {
      const EventId first = graph_.thread(id(thread))[next_[thread]];
      order.push_back(first);
      placed_[index(first)] = true;
      ++next_[thread];
      if (graph_.has_write_part(first)) {
        placed_[index(graph_.thread(id(thread))[next_[thread]])] = true;
        ++next_[thread];
      }
    }
    return order;
  }

 private:
  static ThreadId id(std::size_t t) { return ThreadId{static_cast<std::uint16_t>(t)}; }
  bool placed(EventId e) const { return e == kNoEvent || is_initial_write(e) || placed_[index(e)]; }
  /// True if `e` was placed, or comes earlier in the thread and before `position`, which is being tried.
  bool placed(EventId e, ThreadId t, std::size_t position) const {
    return placed(e) || (graph_[e].thread == t && graph_[e].index < position);
  }

  /// Program order and reads-from; every execution has a row that respects them.
  bool has_sources(ThreadId t, std::size_t position) const {
    const Event& e = graph_[graph_.thread(t)[position]];
    return placed(graph_.created_by(t)) && placed(e.source, t, position);
  }

  bool is_in_order(ThreadId t, std::size_t position) const {
    const EventId first = graph_.thread(t)[position];
    const EventId write = graph_.has_write_part(first) ? graph_.thread(t)[position + 1] : first;
    const Event& e = graph_[write];
    if (e.kind != EventKind::write) return true;
    const std::size_t before = graph_.coherence_position(e.location, write) - 1;
    const EventId overwritten = graph_.write_at(e.location, before);
    if (!placed(overwritten, t, position)) return false;
    const auto& readers = graph_.location(e.location).reads;
    return std::all_of(readers.begin(), readers.end(), [&](EventId r) {
      return graph_[r].source != overwritten || r == first || placed(r, t, position);
    });
  }

  std::size_t steps_without_switch(ThreadId t) const {
    std::size_t position = next_[index(t)];
    const std::size_t start = position;
    const std::size_t length = graph_.thread(t).size();
    while (position < length && position - start < kLookAhead && has_sources(t, position) && is_in_order(t, position)) {
      position += graph_.has_write_part(graph_.thread(t)[position]) ? 2 : 1;
    }
    return position - start;
  }

  /// Chooses who goes on after `thread`; false if all is placed.
  bool pick(std::size_t& thread) const {
    if (steps_without_switch(id(thread)) != 0) return true;
    std::size_t longest = 0;
    std::size_t any = graph_.thread_count();
    for (std::size_t t = 0; t < graph_.thread_count(); ++t) {
      if (next_[t] == graph_.thread(id(t)).size() || !has_sources(id(t), next_[t])) continue;
      if (any == graph_.thread_count() || t == thread) any = t;
      if (const std::size_t steps = steps_without_switch(id(t)); steps > longest) {
        longest = steps;
        thread = t;
      }
    }
    if (longest == 0) thread = any;  // weak: no row respects coherence and from-read here
    return any != graph_.thread_count();
  }

  const ExecutionGraph& graph_;
  std::vector<bool> placed_;
  std::vector<std::size_t> next_;
};

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
  for (const EventId first : Linearizer(graph).run()) {
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
