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

/// A link stays one: what it points to is replaced.
std::string target_of(const std::string& path) {
  std::error_code ignored;
  const fs::path resolved = fs::weakly_canonical(path, ignored);
  return resolved.empty() ? path : resolved.string();
}

struct OpenFile {
  int file;
  std::string name;
};

OpenFile open_beside(const std::string& target, const std::string& path) {
  OpenFile open{-1, target + ".XXXXXX"};
  open.file = ::mkstemp(open.name.data());
  if (open.file < 0) throw UsageError(cannot_write(path, errno));
  return open;
}

}  // namespace

void check_can_write(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    if (fs::is_directory(status)) throw UsageError(cannot_write(path, EISDIR));
    if (::access(path.c_str(), W_OK) != 0) throw UsageError(cannot_write(path, errno));
    return;
  }
  const auto [file, name] = open_beside(target_of(path), path);
  ::close(file);
  ::unlink(name.c_str());
}

void write_whole_file(const std::string& path, std::string_view text) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (fs::exists(status) && !fs::is_regular_file(status)) return write_to_device(path, text);
  const std::string target = target_of(path);
  auto [file, temporary] = open_beside(target, path);
  int error = write_all(file, text);
  if (::fchmod(file, usual_mode()) != 0 && error == 0) error = errno;
  if (::close(file) != 0 && error == 0) error = errno;
  if (error == 0 && std::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (error == 0) return;
  ::unlink(temporary.c_str());
  throw OutputError(cannot_write(path, error));
}

}  // namespace weft::cli
