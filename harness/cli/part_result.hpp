// Results of parts of explorations as they were written: what `weft merge` and `--jobs` put together again.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/selection.hpp"
#include "weft/weft.hpp"

namespace weft::cli {

struct PartResult {
  std::string scenario{};
  std::string variant{};
  Result result{};  ///< of its findings: what tells them apart, and how they are shown; no steps
};

/// The results of one output of `weft explore --json`. `from` names it in what UsageError says if something is wrong.
std::vector<PartResult> part_results(const nlohmann::ordered_json& output, const std::string& from);

/// Reads a file with such an output. Throws UsageError.
std::vector<PartResult> read_part_results(const std::string& path);

}  // namespace weft::cli
