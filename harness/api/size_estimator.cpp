#include "api/size_estimator.hpp"

#include <algorithm>

namespace weft {
namespace {

constexpr std::uint64_t kRunsBefore = 30;  // smaller explorations are over sooner than they are estimated
constexpr std::uint64_t kRunsAtFirst = 300;
constexpr std::uint64_t kMostRuns = 5'000;

std::uint64_t runs_beside(std::uint64_t runs) {
  if (runs < kRunsBefore) return 0;
  if (runs <= kRunsAtFirst) return runs;
  return std::min(kRunsAtFirst + (runs - kRunsAtFirst) / 10, kMostRuns);
}

}  // namespace

SizeEstimator::SizeEstimator(const std::function<void()>& body, Model model, std::size_t clock_width,
                             std::uint64_t seed)
    : body_(body),
      model_(model),
      descent_(model, clock_width, seed),
      walker_(model, clock_width, DirectedExplorer::Spinning::stays),
      decisions_(seed << 32) {
  walker_.follow(decisions_);
}

void SizeEstimator::keep_up_with(std::uint64_t runs, Execution& execution) {
  for (const std::uint64_t wanted = runs_beside(runs); this->runs() < wanted && !asked_for_restart_;)
    descent_runs_ <= walk_runs_ ? descend(execution) : walk(execution);
}

void SizeEstimator::descend(Execution& execution) {
  Ending ending = Ending::inconsistent;
  descent_.begin();
  while (descent_.next_execution()) {
    ++descent_runs_;
    ending = execution.run(descent_, body_);
    if (execution.has_restart_request()) {
      asked_for_restart_ = true;
      return;
    }
    descent_.execution_ended(ending);
  }
  descents_.add(is_execution(ending) ? descent_.weight() : 0);
}

void SizeEstimator::walk(Execution& execution) {
  decisions_.next_walk();
  Ending ending = Ending::inconsistent;
  do {
    ++walk_runs_;
    walker_.next_execution();
    ending = execution.run(walker_, body_);
  } while (execution.take_repeat_request());
  if (execution.has_restart_request()) {
    asked_for_restart_ = true;
    return;
  }
  walker_.execution_ended(ending);
  const ExecutionGraph& graph = walker_.graph();
  walks_.add(is_execution(ending) && !walker_.overruled() ? decisions_.weight(graph, model_) : 0);
  decisions_.learn_lengths(graph);
}

}  // namespace weft
