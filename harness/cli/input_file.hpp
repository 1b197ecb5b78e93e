// Files that somebody gives us, which may hold anything.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace weft::cli {

/// For a line on a terminal: control characters as question marks.
std::string in_one_line(std::string text);
/// The same, but a line's end with two blanks behind it, as we write it, stays.
std::string for_a_terminal(std::string text);

enum class FileKind : unsigned char {
  regular,
  any,  ///< a device, too, such as /dev/null; of a pipe, what is in it already
};

/// The content, at most 64 MiB. Throws UsageError as below.
std::string read_file(const std::string& path, FileKind kind);

/// Reads and parses the file, which must be a regular one of at most 64 MiB. Throws UsageError with one line that says
/// what is wrong.
nlohmann::ordered_json read_json_file(const std::string& path);

}  // namespace weft::cli
