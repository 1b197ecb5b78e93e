// How many executions there are, told from random ways through them.
#pragma once

#include <cstdint>
#include <optional>

#include "weft/weft.hpp"

namespace weft {

/// Unbiased estimates of one number, each as likely too low as it is too high on the whole only: most are too low, and
/// few very much too high.
class EstimateSample {
 public:
  void add(double estimate);
  std::uint64_t count() const { return count_; }
  double mean() const { return mean_; }
  /// Of the sample, in parts of the mean.
  double deviation() const;
  /// Of the mean, in parts of it.
  double standard_error() const;

 private:
  std::uint64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // of the distances from the mean
};

/// From estimates by two methods (RandomDescent, WeightedWalk), each of which is good where the other one is not.
/// Nothing if neither tells anything. The interval is no confidence interval in the sense of statistics, for nothing
/// is known of the tails: its rule was made so that it holds the true number for 19 of 20 samples of 150 runs for each
/// method on programs with known numbers (tests/explore/size_estimate_test.cpp).
std::optional<TotalEstimate> estimate_total(const EstimateSample& descents, const EstimateSample& walks);

/// More executions than there are, as far as can be told; nothing from small samples. On the same programs it was never
/// exceeded.
std::optional<double> cautious_total(const EstimateSample& descents, const EstimateSample& walks);

}  // namespace weft
