#include "explore/size_estimate.hpp"

#include <algorithm>
#include <cmath>

namespace weft {
namespace {

constexpr double kMostEstimate = 1e150;  // its square is a number, too

// All in logarithms: estimates are wrong by factors.
constexpr double kLeastBelow = 0.05;
constexpr double kErrorsBelow = 2;
constexpr double kLeastAbove = 0.1;
constexpr double kErrorsAbove = 2.5;  // the mean of a sample that misses a long tail is too low
constexpr double kMostDoubt = 2.5;    // for what the methods do not agree about
constexpr double kErrorsOfCaution = 3;
constexpr double kMostDoubtOfCaution = 3.5;
constexpr double kLeastDoubtOfCaution = 0.7;
constexpr std::uint64_t kFewestForCaution = 20;  // of each method

/// An unbiased mean is rarely much too high and often much too low: the higher one is the better one.
struct Compared {
  Compared(const EstimateSample& descents, const EstimateSample& walks)
      : walks_tell(walks.mean() > descents.mean()),
        better(walks_tell ? walks : descents),
        other(walks_tell ? descents : walks) {}

  double disagreement(double most) const {
    return other.mean() <= 0 ? most : std::min(std::log(better.mean() / other.mean()), most);
  }
  /// Descents that agree with each other may all miss a part of the tree that few ways lead to. Walks that agree have
  /// met executions from everywhere.
  double doubt(double disagreement, double most_of_walks) const {
    return walks_tell ? disagreement * std::min(better.deviation() / 2, most_of_walks) : disagreement;
  }

  bool walks_tell;
  const EstimateSample& better;
  const EstimateSample& other;
};

}  // namespace

void EstimateSample::add(double estimate) {
  estimate = std::min(estimate, kMostEstimate);
  ++count_;
  const double distance = estimate - mean_;
  mean_ += distance / static_cast<double>(count_);
  squares_ += distance * (estimate - mean_);
}

double EstimateSample::deviation() const {
  return count_ < 2 || mean_ <= 0 ? 1 : std::sqrt(squares_ / static_cast<double>(count_ - 1)) / mean_;
}

double EstimateSample::standard_error() const {
  return deviation() / std::sqrt(static_cast<double>(std::max<std::uint64_t>(count_, 1)));
}

std::optional<TotalEstimate> estimate_total(const EstimateSample& descents, const EstimateSample& walks) {
  if (descents.mean() <= 0 && walks.mean() <= 0) return std::nullopt;
  const Compared compared(descents, walks);
  const double mean = compared.better.mean();
  const double error = compared.better.standard_error();
  const double doubt = compared.doubt(compared.disagreement(kMostDoubt), 0.5);
  return TotalEstimate{.low = mean * std::exp(-kLeastBelow - kErrorsBelow * error),
                       .likely = mean,
                       .high = mean * std::exp(kLeastAbove + kErrorsAbove * error + doubt)};
}

std::optional<double> cautious_total(const EstimateSample& descents, const EstimateSample& walks) {
  if (std::min(descents.count(), walks.count()) < kFewestForCaution) return std::nullopt;
  if (descents.mean() <= 0 && walks.mean() <= 0) return std::nullopt;
  const Compared compared(descents, walks);
  // That they agree means less where the other one could as well have come to something else.
  const double disagreement =
      std::min(compared.disagreement(kMostDoubtOfCaution) + kErrorsOfCaution * compared.other.standard_error(),
               kMostDoubtOfCaution);
  return compared.better.mean() * std::exp(kLeastAbove + kErrorsOfCaution * compared.better.standard_error() +
                                           compared.doubt(disagreement + kLeastDoubtOfCaution, 1));
}

}  // namespace weft
