#include "cli/extent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace weft::cli {

std::string percent_text(double fraction) {
  if (fraction >= 1) return "100 %";
  const double percent = fraction * 100;
  if (percent >= 0.1) return fmt::format("{:.1f} %", std::floor(percent * 10) / 10);
  return percent >= 0.001 ? fmt::format("{:.3f} %", std::floor(percent * 1000) / 1000) : "0 %";
}

std::string rounded(double count) {
  constexpr std::pair<double, const char*> kUnits[] = {
      {1e15, ""}, {1e12, " trillion"}, {1e9, " billion"}, {1e6, " million"}};
  if (count < 10) return fmt::format("{:.0f}", count);
  const double unit_of_two_digits = std::pow(10, std::floor(std::log10(count)) - 1);
  const double two_digits = std::round(count / unit_of_two_digits) * unit_of_two_digits;
  for (const auto& [unit, name] : kUnits) {
    if (two_digits >= unit)
      return *name == '\0' ? fmt::format("{:.1e}", two_digits) : fmt::format("{:g}{}", two_digits / unit, name);
  }
  std::string digits = fmt::format("{:.0f}", two_digits);
  if (digits.size() > 3) digits.insert(digits.size() - 3, 1, ',');
  return digits;
}

std::string extent_text(double at_least_done, const std::optional<TotalEstimate>& total) {
  if (!total) return "how many executions there are is not known yet";
  const std::string in_all = fmt::format("{} to {} executions in all ({} likely)", rounded(total->low),
                                         rounded(total->high), rounded(total->likely));
  const std::string done = percent_text(at_least_done);
  return done == "0 %" ? in_all : fmt::format("at least {} done, {}", done, in_all);
}

}  // namespace weft::cli
