// Beside an exploration, runs random ways through the executions of its program, to tell how many there are.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "explore/directed.hpp"
#include "explore/random_descent.hpp"
#include "explore/size_estimate.hpp"
#include "explore/weighted_walk.hpp"
#include "runtime/execution.hpp"

namespace weft {

class SizeEstimator {
 public:
  /// The same `seed` makes the same estimates.
  SizeEstimator(const std::function<void()>& body, Model model, std::size_t clock_width, std::uint64_t seed = 1);

  /// Runs of its own, as many as befit an exploration that has made `runs`: as many at first, a tenth later, and none
  /// after some thousand. Must not be called during a run. Stops when it has learned something that makes the
  /// exploration start again (Execution::take_restart_request() is then true).
  void keep_up_with(std::uint64_t runs, Execution& execution);

  std::optional<TotalEstimate> estimate() const { return estimate_total(descents_, walks_); }
  std::optional<double> cautious_total() const { return weft::cautious_total(descents_, walks_); }
  std::uint64_t runs() const { return descent_runs_ + walk_runs_; }

 private:
  void descend(Execution& execution);
  void walk(Execution& execution);

  const std::function<void()>& body_;
  Model model_;
  RandomDescent descent_;
  DirectedExplorer walker_;
  WeightedWalk decisions_;
  EstimateSample descents_;
  EstimateSample walks_;
  std::uint64_t descent_runs_ = 0;
  std::uint64_t walk_runs_ = 0;
  bool asked_for_restart_ = false;
};

}  // namespace weft
