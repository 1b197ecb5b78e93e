#include "cli/selection.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>

#include "cli/suggestion.hpp"

namespace weft::cli {
namespace {

bool matches(const std::string& pattern, const std::string& name) {
  return fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

/// The variants of a scenario that there is, or the name that was meant.
std::string nearest_to(const std::string& pattern, const std::vector<Selected>& all) {
  const std::string scenario = pattern.substr(0, pattern.find('/'));
  std::string variants;
  std::vector<std::string> names;
  for (const Selected& one : all) {
    names.push_back(one.name());
    names.push_back(one.scenario->name());
    if (one.scenario->name() == scenario) variants += (variants.empty() ? "" : ", ") + one.variant->name;
  }
  if (!variants.empty()) return fmt::format("; variants of {}: {};", scenario, variants);
  const std::string meant = suggestion(pattern, names);
  return meant.empty() ? ";" : meant;
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
    if (!any)
      throw UsageError(fmt::format("no scenario or variant is called `{}'{} `weft list' shows all", pattern,
                                   nearest_to(pattern, all)));
  }
  std::vector<Selected> result;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (chosen[i]) result.push_back(all[i]);
  }
  return result;
}

}  // namespace weft::cli
