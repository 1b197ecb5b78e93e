// Other programs: compilers and what they made.
#pragma once

#include <string>
#include <vector>

namespace weft::cli {

/// Runs a program with the standard streams of this one and waits for it. Returns its exit code; 127 if it cannot be
/// started, 128 + n if signal n ended it.
int run_program(const std::vector<std::string>& command);
/// The same; what it writes to standard output and standard error goes to a file.
int run_program(const std::vector<std::string>& command, const std::string& output_file);
/// As run_program(), but SIGINT and SIGTERM end the program and not this one: the first is passed on, the second kills
/// the program. `ended_by_us` is then true. Not thread-safe: it sets what these signals do, and puts it back.
int run_program_until_interrupted(const std::vector<std::string>& command, bool& ended_by_us);
/// Runs a program and returns what it wrote to standard output; empty if it failed. Its messages are dropped.
std::string output_of(const std::vector<std::string>& command);

/// What a program wrote to standard output and standard error, however it ended.
std::string all_output_of(const std::vector<std::string>& command);

/// A folder of its own under the system's one for temporary files, removed with everything in it at the end.
class TemporaryFolder {
 public:
  /// Throws std::runtime_error.
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace weft::cli
