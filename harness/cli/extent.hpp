// How far an exploration has come, in words.
#pragma once

#include <optional>
#include <string>

#include "weft/weft.hpp"

namespace weft::cli {

/// "12.3 %"; rounded down, and 100 % only for all.
std::string percent_text(double fraction);

/// "34,000", "1.2 million": two digits say as much as an estimate knows.
std::string rounded(double count);

/// "at least 3.1 % done, 34,000 to 120,000 executions in all (56,000 likely)"; says what is not known.
std::string extent_text(double at_least_done, const std::optional<TotalEstimate>& total);

}  // namespace weft::cli
