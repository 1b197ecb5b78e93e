// Scenario variants by name.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "weft/scenario.hpp"

namespace weft::cli {

struct Selected {
  const Scenario* scenario;
  const Variant* variant;
  std::string name() const { return scenario->name() + "/" + variant->name; }
};

/// One line about what the user asked for and cannot have.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// All variants whose "scenario/variant" or "scenario" matches one of the patterns (`*` and `?` as in the shell); all
/// without patterns. Throws UsageError for a pattern that matches nothing.
std::vector<Selected> select(const std::vector<std::string>& patterns);

}  // namespace weft::cli
