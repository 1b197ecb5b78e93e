// Files that somebody gives us, which may hold anything.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace weft::cli {

/// For a line on a terminal: control characters as question marks.
std::string in_one_line(std::string text);

/// Reads and parses the file, which must be a regular one of at most 64 MiB. Throws UsageError with one line that says
/// what is wrong.
nlohmann::ordered_json read_json_file(const std::string& path);

}  // namespace weft::cli
