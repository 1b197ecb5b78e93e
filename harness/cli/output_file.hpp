// Files that are there in whole or not at all.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace weft::cli {

/// A disk that is full, or the like.
struct OutputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Writes beside `path` under a name of its own, which becomes `path` at the end: whoever reads sees the old content or
/// all of the new, and after a failure the old is still there. What is no regular file, such as /dev/stdout, is written
/// to as it is. Throws UsageError if there can be no such file, OutputError if writing fails.
void write_whole_file(const std::string& path, std::string_view text);

/// Throws UsageError if write_whole_file() would: to be called before work whose result would be lost.
void check_can_write(const std::string& path);

}  // namespace weft::cli
