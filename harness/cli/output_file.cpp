#include "cli/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "cli/selection.hpp"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

std::string cannot_write(const std::string& path, int error) {
  return fmt::format("cannot write `{}': {}", path, std::strerror(error));
}

/// Returns what went wrong, or 0.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno != EINTR) return errno;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

void write_to_device(const std::string& path, std::string_view text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) throw UsageError(cannot_write(path, errno));
  int error = write_all(file, text);
  if (::close(file) != 0 && error == 0) error = errno;
  if (error != 0) throw OutputError(cannot_write(path, error));
}

mode_t usual_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

}  // namespace

void write_whole_file(const std::string& path, std::string_view text) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::exists(status) && !fs::is_regular_file(status)) return write_to_device(path, text);
  // A link stays one: what it points to is replaced.
  const fs::path resolved = fs::weakly_canonical(path, ignored);
  const std::string target = resolved.empty() ? path : resolved.string();
  std::string temporary = target + ".XXXXXX";
  const int file = ::mkstemp(temporary.data());
  if (file < 0) throw UsageError(cannot_write(path, errno));
  int error = write_all(file, text);
  if (::fchmod(file, usual_mode()) != 0 && error == 0) error = errno;
  if (::close(file) != 0 && error == 0) error = errno;
  if (error == 0 && std::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error == 0) return;
  ::unlink(temporary.c_str());
  throw OutputError(cannot_write(path, error));
}

}  // namespace weft::cli
