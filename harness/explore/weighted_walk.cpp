#include "explore/weighted_walk.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace weft {
namespace {

/// How many steps a thread is expected to have that no walk has met.
constexpr double kUnknownLength = 3;
/// Threads can have more steps than in any walk before.
constexpr double kFewestLeft = 0.5;

/// Whether a walk chooses a thread before it: all but reads, writes, read-modify-writes, locks and sends are taken at
/// once (DirectedExplorer).
bool is_turn(const Event& event) {
  return event.kind == EventKind::read || (event.kind == EventKind::write && !event.is_write_part());
}

/// What must be done before each event, as far as a walk goes: a clock for each, as in ExecutionGraph.
class WalkOrder {
 public:
  WalkOrder(const ExecutionGraph& graph, Model model)
      : graph_(graph), width_(graph.thread_count()), clocks_(graph.size() * width_, 0) {
    for (std::size_t i = 0; i < graph.size(); ++i) {
      const EventId e{static_cast<std::uint32_t>(i)};
      const Event& event = graph[e];
      const EventId previous = graph.predecessor(e);
      add(e, previous != kNoEvent ? previous : graph.created_by(event.thread));
      add(e, event.source);
      // A lock is granted at once or not taken.
      if (event.is_write_part() && event.role == WriteRole::lock) add(e, graph.grant_of(e).unlock);
      if (model == Model::sc) add_conflicts(e);
      clocks_[i * width_ + index(event.thread)] = static_cast<ClockTick>(event.index) + 1;
    }
  }

  /// True if event `index_in_thread` of thread `t` comes before `e` in every order.
  bool is_before(std::size_t t, std::uint32_t index_in_thread, EventId e) const {
    return clocks_[index(e) * width_ + t] > static_cast<ClockTick>(index_in_thread);
  }

 private:
  void add(EventId e, EventId before) {
    if (before == kNoEvent || is_initial_write(before)) return;
    for (std::size_t t = 0; t < width_; ++t) {
      ClockTick& tick = clocks_[index(e) * width_ + t];
      tick = std::max(tick, clocks_[index(before) * width_ + t]);
    }
  }

  /// Under sequential consistency accesses of a location take effect in the order of the walk.
  void add_conflicts(EventId e) {
    const Event& event = graph_[e];
    if (event.kind != EventKind::read && event.kind != EventKind::write) return;
    if (locations_.size() <= index(event.location)) locations_.resize(index(event.location) + 1);
    LastAccesses& last = locations_[index(event.location)];
    if (event.kind == EventKind::read) {
      last.reads.push_back(e);
      return;
    }
    add(e, last.write);
    for (const EventId read : last.reads) add(e, read);
    last = {.write = e};
  }

  struct LastAccesses {
    EventId write = kNoEvent;
    std::vector<EventId> reads{};  // since that write
  };
  const ExecutionGraph& graph_;
  std::size_t width_;
  std::vector<ClockTick> clocks_;
  std::vector<LastAccesses> locations_;
};

/// Takes a graph apart, turn by turn; what follows a turn at once goes with it.
class WayBack {
 public:
  WayBack(const ExecutionGraph& graph, Model model) : graph_(graph), order_(graph, model), turns_(graph.thread_count()) {
    for (std::size_t i = 0; i < graph.size(); ++i) {
      const EventId e{static_cast<std::uint32_t>(i)};
      if (!is_turn(graph[e])) continue;
      turns_[index(graph[e].thread)].push_back(e);
      threads_.push_back(index(graph[e].thread));
    }
  }

  double log_probability() {
    double result = 0;
    while (!threads_.empty()) {
      const std::size_t undone = threads_.back();
      double all = 0;
      for (std::size_t t = 0; t < turns_.size(); ++t) {
        if (is_removable(t)) all += static_cast<double>(turns_[t].size());
      }
      result += std::log(static_cast<double>(turns_[undone].size()) / all);
      turns_[undone].pop_back();
      threads_.pop_back();
    }
    return result;
  }

 private:
  bool is_removable(std::size_t t) const {
    if (turns_[t].empty()) return false;
    const std::uint32_t last = graph_[turns_[t].back()].index;
    for (std::size_t u = 0; u < turns_.size(); ++u) {
      if (u != t && !turns_[u].empty() && order_.is_before(t, last, end_of_step(turns_[u].back()))) return false;
    }
    return true;
  }

  EventId end_of_step(EventId e) const {
    const Event& event = graph_[e];
    return graph_.has_write_part(e) ? graph_.thread(event.thread)[event.index + 1] : e;
  }

  const ExecutionGraph& graph_;
  WalkOrder order_;
  std::vector<std::vector<EventId>> turns_;  // by thread: those that are still there
  std::vector<std::size_t> threads_;         // of the turns, in their order
};

}  // namespace

double way_back_log_probability(const ExecutionGraph& graph, Model model) {
  return WayBack(graph, model).log_probability();
}

WeightedWalk::WeightedWalk(std::uint64_t seed) : seed_(seed) {}

WeightedWalk::~WeightedWalk() = default;

void WeightedWalk::begin() {
  random_.seed(seed_);
  log_probability_ = 0;
  taken_.clear();
}

std::uint32_t WeightedWalk::decide(DecisionKind, std::uint32_t options) {
  log_probability_ -= std::log(options);
  return static_cast<std::uint32_t>(random_() % options);
}

std::uint32_t WeightedWalk::decide_thread(std::span<const ReadyThread> candidates) {
  double all = 0;
  for (const ReadyThread& candidate : candidates) {
    if (taken_.size() <= index(candidate.thread)) taken_.resize(index(candidate.thread) + 1, 0);
    all += steps_left(candidate.thread);
  }
  double lot = std::uniform_real_distribution<double>(0, all)(random_);
  std::size_t chosen = 0;
  while (chosen + 1 < candidates.size() && lot >= steps_left(candidates[chosen].thread))
    lot -= steps_left(candidates[chosen++].thread);
  log_probability_ += std::log(steps_left(candidates[chosen].thread) / all);
  ++taken_[index(candidates[chosen].thread)];
  return static_cast<std::uint32_t>(chosen);
}

double WeightedWalk::steps_left(ThreadId t) const {
  const bool is_known = index(t) < learned_steps_.size() && learned_steps_[index(t)] != 0;
  const double length = is_known ? static_cast<double>(learned_steps_[index(t)]) / static_cast<double>(learned_walks_)
                                 : kUnknownLength;
  return std::max(length - taken_[index(t)], kFewestLeft);
}

double WeightedWalk::weight(const ExecutionGraph& graph, Model model) const {
  return std::exp(way_back_log_probability(graph, model) - log_probability_);
}

void WeightedWalk::learn_lengths(const ExecutionGraph& graph) {
  ++learned_walks_;
  if (learned_steps_.size() < graph.thread_count()) learned_steps_.resize(graph.thread_count(), 0);
  for (const Event& event : graph.events()) learned_steps_[index(event.thread)] += is_turn(event) ? 1 : 0;
}

}  // namespace weft
