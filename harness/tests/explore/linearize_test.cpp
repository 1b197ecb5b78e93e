// Linearizations of the graphs of random programs: complete, in an order that explains the execution, and with no more
// switches than the best of all rows, which a plain search over every row finds.
#include "explore/linearize.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "explore/exhaustive.hpp"
#include "explore/random_program.hpp"
#include "runtime/exploration.hpp"

namespace weft::test {
namespace {

ThreadId id(std::size_t t) { return ThreadId{static_cast<std::uint16_t>(t)}; }

/// True if what `step` (and its write part) depends on is among the events of `placed`, by the definitions: program
/// order, creation and reads-from; if `sequential`, coherence order and from-read too.
bool may_come_next(const ExecutionGraph& graph, EventId step, const std::set<EventId>& placed, bool sequential) {
  std::set<EventId> with_step = placed;
  with_step.insert(step);
  std::vector<EventId> parts{step};
  if (graph.has_write_part(step)) parts.push_back(graph.thread(graph[step].thread)[graph[step].index + 1]);
  with_step.insert(parts.back());
  const auto is_there = [&](EventId e) { return e == kNoEvent || is_initial_write(e) || with_step.contains(e); };
  for (const EventId e : parts) {
    const Event& event = graph[e];
    if (event.index == 0 && !is_there(graph.created_by(event.thread))) return false;
    if (event.index != 0 && !is_there(graph.predecessor(e))) return false;
    if (!is_there(event.source)) return false;
    if (!sequential || event.kind != EventKind::write) continue;
    const std::size_t position = graph.coherence_position(event.location, e);
    for (std::size_t before = 0; before < position; ++before) {
      const EventId overwritten = graph.write_at(event.location, before);
      if (!is_there(overwritten)) return false;
      for (std::size_t r = 0; r < graph.size(); ++r) {
        const EventId read{static_cast<std::uint32_t>(r)};
        if (graph[read].kind == EventKind::read && graph[read].source == overwritten && !is_there(read)) return false;
      }
    }
  }
  return true;
}

/// Over every row, one step at a time; nothing if there is none.
std::optional<std::size_t> fewest_switches(const ExecutionGraph& graph) {
  struct State {
    std::vector<std::size_t> positions;  // in events
    std::size_t last;
    auto operator<=>(const State&) const = default;
  };
  std::map<State, std::size_t> best;
  std::deque<std::pair<State, std::size_t>> queue{{{std::vector<std::size_t>(graph.thread_count(), 0), 0}, 0}};
  while (!queue.empty()) {
    const auto [state, switches] = queue.front();
    queue.pop_front();
    if (const auto known = best.find(state); known != best.end() && known->second <= switches) continue;
    best[state] = switches;
    std::set<EventId> placed;
    bool complete = true;
    for (std::size_t t = 0; t < state.positions.size(); ++t) {
      const auto events = graph.thread(id(t));
      placed.insert(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(state.positions[t]));
      complete = complete && state.positions[t] == events.size();
    }
    if (complete) return switches;
    for (std::size_t t = 0; t < state.positions.size(); ++t) {
      if (state.positions[t] == graph.thread(id(t)).size()) continue;
      const EventId step = graph.thread(id(t))[state.positions[t]];
      if (!may_come_next(graph, step, placed, true)) continue;
      State next = state;
      next.positions[t] += graph.has_write_part(step) ? 2 : 1;
      next.last = t;
      if (t == state.last) {
        queue.emplace_front(std::move(next), switches);
      } else {
        queue.emplace_back(std::move(next), switches + 1);
      }
    }
  }
  return std::nullopt;
}

struct Seen {
  std::size_t graphs = 0;
  std::size_t weak = 0;
  std::size_t most_switches = 0;
};

/// What is wrong with the linearization of this graph, or nothing.
std::string fault_of(const ExecutionGraph& graph, Seen& seen) {
  ++seen.graphs;
  const Linearization found = linearize(graph);
  const Linearization greedy = linearize(graph, 0);
  const std::optional<std::size_t> fewest = fewest_switches(graph);
  if (!fewest) ++seen.weak;
  if (found.sequential != fewest.has_value()) return fewest ? "a row was not found" : "a row that cannot be";
  if (found.fewest != found.sequential) return "few states, and yet not sure of the fewest";
  if (fewest && found.switches != *fewest)
    return std::to_string(found.switches) + " switches, " + std::to_string(*fewest) + " are enough";
  if (fewest && greedy.switches < *fewest) return "fewer switches than there can be";
  if (greedy.fewest) return "sure of the fewest without a search";
  seen.most_switches = std::max(seen.most_switches, found.switches);
  for (const Linearization& row : {found, greedy}) {
    std::set<EventId> placed;
    for (const EventId step : row.order) {
      if (!may_come_next(graph, step, placed, row.sequential)) return "a step comes too early";
      placed.insert(step);
      if (graph.has_write_part(step)) placed.insert(graph.thread(graph[step].thread)[graph[step].index + 1]);
    }
    if (placed.size() != graph.size()) return "steps are missing";
  }
  return {};
}

class EveryGraph final : public ExplorationObserver {
 public:
  explicit EveryGraph(Seen& seen) : seen_(seen) {}
  bool run_ended(const Execution& execution, Ending ending, const ExplorationCounts& counts) override {
    if (ending != Ending::inconsistent && execution.graph().size() != 0) fault = fault_of(execution.graph(), seen_);
    return fault.empty() && counts.runs < 40;
  }
  std::string fault;

 private:
  Seen& seen_;
};

class Linearizations : public ::testing::TestWithParam<Model> {};

TEST_P(Linearizations, HaveTheFewestSwitchesOfAll) {
  const Model model = GetParam();
  Seen seen;
  for (std::uint64_t seed = 1; seed <= 1'000; ++seed) {
    std::mt19937_64 random(seed);
    const Program program = random_program(random, {.threads = 4, .operations = 9, .per_thread = 4});
    const ProgramBody body(program);
    ExplorationMemory memory;
    Execution execution(memory);
    EveryGraph graphs(seen);
    run_exploration(
        body, [&](std::size_t width) { return std::make_unique<ExhaustiveExplorer>(model, width); }, execution, graphs);
    ASSERT_EQ(graphs.fault, "") << "seed " << seed << ", program:\n" << program;
  }
  std::cout << seen.graphs << " graphs, " << seen.weak << " of them weak, at most " << seen.most_switches
            << " switches\n";
  EXPECT_GT(seen.graphs, 3'000u);
  EXPECT_GE(seen.most_switches, 6u);
  if (model == Model::sc) {
    EXPECT_EQ(seen.weak, 0u);
  } else {
    EXPECT_GT(seen.weak, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(OfRandomPrograms, Linearizations, ::testing::Values(Model::sc, Model::rc11),
                         [](const auto& test) { return std::string(test.param == Model::sc ? "sc" : "rc11"); });

}  // namespace
}  // namespace weft::test
