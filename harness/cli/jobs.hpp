// One exploration in several processes.
#pragma once

#include <cstdint>
#include <functional>

#include "weft/weft.hpp"

namespace weft::cli {

/// Explores `body` as explore() does, in `jobs` processes that each have one part. Findings are replayed here, so that
/// they are reported in full; FindingReport::execution counts in their part. Options::max_executions is divided among
/// the parts.
Result explore_in_parts(const std::function<void()>& body, const Options& options, std::uint32_t jobs);

}  // namespace weft::cli
