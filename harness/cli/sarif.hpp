// Findings as SARIF 2.1.0, which code hosts and editors show at the source line: a thread flow per thread and task.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "cli/explored.hpp"

namespace weft::cli {

/// Findings that their variant expects have the level "note".
nlohmann::ordered_json sarif_json(const std::vector<Explored>& explored);

}  // namespace weft::cli
