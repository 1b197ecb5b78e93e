// Random walks through the executions of a program that know how likely they were, to estimate how many there are.
//
// A walk takes one step after the other and comes to a graph G; P is how likely its steps were. G can be taken apart
// again, last step first, by another random procedure; Q is how likely that is to undo the very steps of the walk. The
// sum of Q over all walks that come to G is 1, so Q / P, which a walk to G has with probability P, is an unbiased
// estimate of the number of graphs (importance sampling with the way back as an auxiliary distribution). Both pick
// threads in proportion to how many steps they have left, in the walk as far as is known, so that where threads do not
// touch each other, Q / P is nearly the same for all walks.
#pragma once

#include <random>
#include <span>
#include <vector>

#include "explore/decisions.hpp"

namespace weft {

/// log Q of the walk that came to `graph`, whose events are in the order of its steps.
double way_back_log_probability(const ExecutionGraph& graph, Model model);

class WeightedWalk final : public Decisions {
 public:
  explicit WeightedWalk(std::uint64_t seed);
  ~WeightedWalk() override;
  /// The walk after this one is another.
  void next_walk() { ++seed_; }

  void begin() override;
  std::uint32_t decide(DecisionKind kind, std::uint32_t options) override;
  std::uint32_t decide_thread(std::span<const ReadyThread> candidates) override;

  /// Q / P of the walk that is over and came to `graph`.
  double weight(const ExecutionGraph& graph, Model model) const;
  /// Takes note of how many steps each thread has had.
  void learn_lengths(const ExecutionGraph& graph);

 private:
  double steps_left(ThreadId t) const;

  std::uint64_t seed_;
  std::mt19937_64 random_;
  double log_probability_ = 0;
  std::vector<std::uint32_t> taken_;  // by thread: steps in this walk that commute with not all others
  std::vector<std::uint64_t> learned_steps_;  // by thread: in the walks so far
  std::uint64_t learned_walks_ = 0;
};

}  // namespace weft
