#include "explore/explored_graphs.hpp"

#include <algorithm>
#include <utility>

#include "explore/brute_force.hpp"
#include "explore/directed.hpp"
#include "graph/axioms.hpp"

namespace weft::test {
namespace {

class Collector final : public ExplorationObserver {
 public:
  Collector(Model model, bool check, std::uint64_t max_runs) : model_(model), check_(check), max_runs_(max_runs) {}
  Collector(Model model, std::function<bool()> advance) : model_(model), check_(true), advance_(std::move(advance)) {}

  void started() override { result = {}; }
  bool run_ended(const Execution& execution, Ending ending, const ExplorationCounts& counts) override {
    const ExecutionGraph& graph = execution.graph();
    if (check_ && ending != Ending::inconsistent) {
      const std::string where = "run " + std::to_string(counts.runs);
      if (!satisfies_axioms(graph, model_)) fail(where + " built an inconsistent graph");
      if (!clocks_are_exact(graph)) fail(where + " has wrong clocks");
    }
    if (!counts.last_run_counts) return true;
    if (ending == Ending::complete) result.executions.push_back(canonical_key(graph));
    if (ending == Ending::deadlock) result.deadlocks.push_back(canonical_key(graph));
    if (ending == Ending::failed) fail("a run failed: " + const_cast<Execution&>(execution).findings().front().message);
    if (advance_) {
      if (ending == Ending::inconsistent) fail("a run was dropped");
      return advance_();
    }
    result.cut = max_runs_ != 0 && counts.runs >= max_runs_;
    return !result.cut;
  }

  ExploredGraphs result;

 private:
  void fail(std::string why) {
    if (result.fault.empty()) result.fault = std::move(why);
  }

  Model model_;
  bool check_;
  std::uint64_t max_runs_ = 0;
  std::function<bool()> advance_;
};

ExploredGraphs explore_with(const MakeExplorer& make, const std::function<void()>& body, Collector collector,
                            ExplorationMemory& memory) {
  Execution execution(memory);
  const ExplorationCounts counts = run_exploration(body, make, execution, collector);
  ExploredGraphs& result = collector.result;
  result.counts = counts;
  std::ranges::sort(result.executions);
  std::ranges::sort(result.deadlocks);
  result.deadlocks.erase(std::unique(result.deadlocks.begin(), result.deadlocks.end()), result.deadlocks.end());
  return result;
}

}  // namespace

ExploredGraphs explore_exhaustively(const std::function<void()>& body, Model model, ExplorationMemory& memory,
                                    SearchPart part) {
  return explore_with([&](std::size_t width) { return std::make_unique<ExhaustiveExplorer>(model, width, part); }, body,
                      Collector(model, true, 0), memory);
}

ExploredGraphs explore_by_brute_force(const std::function<void()>& body, Model model, ExplorationMemory& memory,
                                      std::uint64_t max_runs) {
  return explore_with([&](std::size_t width) { return std::make_unique<BruteForceExplorer>(model, width); }, body,
                      Collector(model, false, max_runs), memory);
}

ExploredGraphs explore_by_decisions(const std::function<void()>& body, Model model, ExplorationMemory& memory,
                                    Decisions& decisions, const std::function<bool()>& advance) {
  const auto make = [&](std::size_t width) {
    auto explorer = std::make_unique<DirectedExplorer>(model, width);
    explorer->follow(decisions);
    return explorer;
  };
  ExploredGraphs found = explore_with(make, body, Collector(model, advance), memory);
  found.executions.erase(std::unique(found.executions.begin(), found.executions.end()), found.executions.end());
  return found;
}

}  // namespace weft::test
