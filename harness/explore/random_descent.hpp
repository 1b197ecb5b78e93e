// Random ways down the search tree of an exhaustive exploration, to estimate how many executions it has.
//
// The method is Knuth's ("Estimating the efficiency of backtrack programs", Mathematics of Computation 29, 1975): at
// each point one of the ways is picked, all of them equally likely, and the numbers of ways are multiplied. The product
// is an unbiased estimate of the number of leaves; of those that are executions, if it counts as 0 where the way ends
// in something else.
#pragma once

#include <optional>
#include <random>

#include "explore/exhaustive.hpp"

namespace weft {

class RandomDescent final : public Explorer {
 public:
  RandomDescent(Model model, std::size_t clock_width, std::uint64_t seed);
  ~RandomDescent() override;

  /// Begins another descent, from the root. It takes one run of the program, and another for each way that is not the
  /// maximal one: next_execution() is true while there is one.
  void begin();
  /// Of a descent that is over: the product of the numbers of ways, 0 if it ended where no run can follow.
  double weight() const { return weight_; }

  bool next_execution() override;
  const ExecutionGraph& graph() const override { return tree_->graph(); }
  Step extend(ThreadId t, LocationId l, const Operation& operation) override;
  Step finish(ThreadId t, const Operation& operation, Value result) override;
  void execution_ended(Ending) override {}

 private:
  enum class At : std::uint8_t {
    root,
    run,   ///< in one, or behind the last one
    turn,  ///< another way was picked than the run's: it takes the next one
  };
  /// Picks one of the ways that the last step has left; true if it is the one that the run is on.
  bool goes_on();

  Model model_;
  std::size_t clock_width_;
  std::mt19937_64 random_;
  std::optional<ExhaustiveExplorer> tree_;
  At at_ = At::run;
  std::size_t turn_ = 0;  // to which alternative
  double weight_ = 1;
};

}  // namespace weft
