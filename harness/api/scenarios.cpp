// The list of scenarios that are linked into the program.
#include <algorithm>
#include <memory>

#include "weft/scenario.hpp"

namespace weft {
namespace {

// A function-local static: scenarios register while other static objects are still being made.
std::vector<std::unique_ptr<Scenario>>& registry() {
  static std::vector<std::unique_ptr<Scenario>> scenarios;
  return scenarios;
}

}  // namespace

std::vector<const Scenario*> all_scenarios() {
  std::vector<const Scenario*> result;
  for (const auto& scenario : registry()) result.push_back(scenario.get());
  std::sort(result.begin(), result.end(), [](const Scenario* a, const Scenario* b) { return a->name() < b->name(); });
  return result;
}

namespace detail {

Scenario& register_scenario(const char* name, const char* file) {
  return *registry().emplace_back(std::make_unique<Scenario>(name, file));
}

}  // namespace detail
}  // namespace weft
