#include "cli/selection.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

namespace weft::cli {
namespace {

bool matches(const std::string& pattern, const std::string& name) {
  return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

}  // namespace

std::vector<Selected> select(const std::vector<std::string>& patterns) {
  std::vector<Selected> all;
  for (const Scenario* scenario : all_scenarios()) {
    for (const Variant& variant : scenario->variants()) all.push_back({scenario, &variant});
  }
  if (patterns.empty()) return all;
  std::vector<bool> chosen(all.size(), false);
  for (const std::string& pattern : patterns) {
    bool any = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!matches(pattern, all[i].name()) && !matches(pattern, all[i].scenario->name())) continue;
      chosen[i] = any = true;
    }
    if (!any) throw UsageError(fmt::format("no scenario or variant is called `{}'; `weft list' shows all", pattern));
  }
  std::vector<Selected> result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (chosen[i]) result.push_back(all[i]);
  }
  return result;
}

}  // namespace weft::cli
