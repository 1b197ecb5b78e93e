// Saved findings: `finding.json`, version 1. harness/report/finding.schema.json says what is in one.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace weft::cli {

/// Reads and checks all of it: every field is there and of its type, every column and step that is referred to exists.
/// Throws UsageError with one line that says what is wrong and where.
nlohmann::ordered_json read_finding_file(const std::string& path);

}  // namespace weft::cli
