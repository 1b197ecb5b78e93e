#include "explore/linearize.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace weft {
namespace {

using Positions = std::vector<std::uint32_t>;  // by thread: how many of its steps are placed

/// What must be placed before a step, as a position of each thread. Positions are enough, for threads go in order.
class Needs {
 public:
  explicit Needs(std::size_t threads) : threads_(threads) {}

  void add_step() { positions_.resize(positions_.size() + threads_, 0); }
  void add(std::size_t step, std::size_t thread, std::uint32_t position) {
    std::uint32_t& known = positions_[step * threads_ + thread];
    known = std::max(known, position);
  }
  bool hold(std::size_t step, const Positions& placed) const {
    const auto first = positions_.begin() + static_cast<std::ptrdiff_t>(step * threads_);
    return std::equal(placed.begin(), placed.end(), first, std::greater_equal<>());
  }

 private:
  std::size_t threads_;
  std::vector<std::uint32_t> positions_;  // by step, then thread
};

class Linearizer {
 public:
  explicit Linearizer(const ExecutionGraph& graph)
      : graph_(graph), sources_(graph.thread_count()), order_(graph.thread_count()) {
    find_steps();
    find_needs();
  }

  Linearization run(std::size_t most_states) const {
    Linearization result;
    if (graph_.size() == 0) return result;  // a run that failed before its first operation
    result.fewest = result.sequential = true;
    std::optional<std::vector<Run>> runs = with_fewest_switches(most_states);
    if (!runs) {
      result.fewest = false;
      runs = greedy(result.sequential);
    }
    for (const Run& run : *runs) {
      for (std::uint32_t position = run.begin; position != run.end; ++position)
        result.order.push_back(first_event(run.thread, position));
    }
    for (std::size_t i = 1; i < result.order.size(); ++i)
      result.switches += graph_[result.order[i]].thread != graph_[result.order[i - 1]].thread ? 1 : 0;
    return result;
  }

 private:
  struct Run {  // steps of one thread in a row
    std::size_t thread;
    std::uint32_t begin;
    std::uint32_t end;
  };

  static ThreadId id(std::size_t t) { return ThreadId{static_cast<std::uint16_t>(t)}; }
  std::uint32_t length(std::size_t t) const { return static_cast<std::uint32_t>(steps_[t].size()); }
  EventId first_event(std::size_t t, std::uint32_t position) const { return graph_.thread(id(t))[steps_[t][position]]; }
  std::size_t step_number(std::size_t t, std::uint32_t position) const { return first_step_[t] + position; }

  void find_steps() {
    step_of_event_.resize(graph_.size());
    steps_.resize(graph_.thread_count());
    std::size_t number = 0;
    for (std::size_t t = 0; t < graph_.thread_count(); ++t) {
      first_step_.push_back(number);
      const auto events = graph_.thread(id(t));
      for (std::uint32_t i = 0; i < events.size(); ++i) {
        const bool continues = i != 0 && graph_.has_write_part(events[i - 1]);
        if (!continues) {
          steps_[t].push_back(i);
          sources_.add_step();
          order_.add_step();
          ++number;
        }
        step_of_event_[index(events[i])] = length(t) - 1;
      }
    }
  }

  void find_needs() {
    for (std::size_t t = 0; t < graph_.thread_count(); ++t) {
      if (length(t) != 0) need(sources_, step_number(t, 0), graph_.created_by(id(t)));
      for (const EventId e : graph_.thread(id(t))) {
        const std::size_t step = step_number(t, step_of_event_[index(e)]);
        const Event& event = graph_[e];
        need(sources_, step, event.source);
        if (event.kind == EventKind::write)
          need(order_, step, graph_.write_at(event.location, graph_.coherence_position(event.location, e) - 1));
        if (event.kind != EventKind::read) continue;
        const std::size_t newer = graph_.coherence_position(event.location, event.source) + 1;
        if (newer > graph_.last_position(event.location)) continue;
        const EventId overwriting = graph_.write_at(event.location, newer);
        const std::size_t writer = index(graph_[overwriting].thread);
        need(order_, step_number(writer, step_of_event_[index(overwriting)]), e);
      }
    }
  }

  /// `step` comes after the one that `e` is part of.
  void need(Needs& needs, std::size_t step, EventId e) const {
    if (e == kNoEvent || is_initial_write(e)) return;
    const std::size_t thread = index(graph_[e].thread);
    const std::uint32_t position = step_of_event_[index(e)];
    if (step_number(thread, position) != step) needs.add(step, thread, position + 1);
  }

  bool can_place(std::size_t t, const Positions& placed) const {
    const std::size_t step = step_number(t, placed[t]);
    return sources_.hold(step, placed) && order_.hold(step, placed);
  }

  std::uint32_t end_of_run(std::size_t t, Positions placed) const {
    while (placed[t] != length(t) && can_place(t, placed)) ++placed[t];
    return placed[t];
  }

  bool is_complete(const Positions& placed) const {
    for (std::size_t t = 0; t < placed.size(); ++t) {
      if (placed[t] != length(t)) return false;
    }
    return true;
  }

  /// Nothing if there are too many states, or no row respects everything.
  std::optional<std::vector<Run>> with_fewest_switches(std::size_t most_states) const {
    struct State {
      const Positions* placed;
      std::size_t before;  // in `states`
      Run last;
    };
    std::set<Positions> met;
    std::vector<State> states;
    const auto meet = [&](Positions placed, std::size_t before, Run last) {
      const auto [at, is_new] = met.insert(std::move(placed));
      if (is_new) states.push_back({&*at, before, last});
    };
    Positions start(graph_.thread_count(), 0);
    start[0] = end_of_run(0, start);
    meet(start, 0, {0, 0, start[0]});
    for (std::size_t i = 0; i < states.size() && states.size() <= most_states; ++i) {
      const Positions& placed = *states[i].placed;
      if (is_complete(placed)) {
        std::vector<Run> runs{states[i].last};
        for (std::size_t at = i; at != 0;) {
          at = states[at].before;
          runs.push_back(states[at].last);
        }
        std::reverse(runs.begin(), runs.end());
        return runs;
      }
      std::vector<Run> runs;
      for (std::size_t t = 0; t < placed.size(); ++t) {
        if (const std::uint32_t end = end_of_run(t, placed); end != placed[t]) runs.push_back({t, placed[t], end});
      }
      // Of rows with equally few switches, the one in which threads go on longest comes first.
      std::stable_sort(runs.begin(), runs.end(),
                       [](const Run& a, const Run& b) { return a.end - a.begin > b.end - b.begin; });
      for (const Run& run : runs) {
        Positions next = placed;
        next[run.thread] = run.end;
        meet(std::move(next), i, run);
      }
    }
    return std::nullopt;
  }

  std::vector<Run> greedy(bool& sequential) const {
    std::vector<Run> runs;
    Positions placed(graph_.thread_count(), 0);
    Run run{0, 0, end_of_run(0, placed)};
    while (true) {
      runs.push_back(run);
      placed[run.thread] = run.end;
      if (is_complete(placed)) return runs;
      std::optional<Run> longest;
      for (std::size_t t = 0; t < placed.size(); ++t) {
        if (placed[t] == length(t) || !sources_.hold(step_number(t, placed[t]), placed)) continue;
        const Run candidate{t, placed[t], end_of_run(t, placed)};
        if (!longest || candidate.end - candidate.begin > longest->end - longest->begin) longest = candidate;
      }
      if (!longest) return runs;  // a graph that is no execution
      if (longest->end == longest->begin) {
        ++longest->end;  // no row respects coherence and from-read here
        sequential = false;
      }
      run = *longest;
    }
  }

  const ExecutionGraph& graph_;
  std::vector<std::vector<std::uint32_t>> steps_;  // by thread: the index in it of each step's first event
  std::vector<std::uint32_t> step_of_event_;       // by event: its step's position in the thread
  std::vector<std::size_t> first_step_;            // by thread: the number of its first step among all
  Needs sources_;                                  // program order between threads, and reads-from
  Needs order_;                                    // coherence and from-read
};

}  // namespace

Linearization linearize(const ExecutionGraph& graph, std::size_t most_states) {
  return Linearizer(graph).run(most_states);
}

}  // namespace weft
