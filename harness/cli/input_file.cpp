#include "cli/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "cli/selection.hpp"
#include "report/printable.hpp"

namespace weft::cli {
namespace {

using nlohmann::ordered_json;

// A hundred times what 5,000 steps need. Without bounds a hostile file could take all memory, stack or time.
constexpr std::size_t kLargestFile = std::size_t{64} << 20;
constexpr int kDeepest = 32;
constexpr std::size_t kMostKeys = 200;  // of one object: looking for a key goes through them all

}  // namespace

std::string read_file(const std::string& path, FileKind kind) {
  const auto refuse = [&](const char* why) {
    throw UsageError(in_one_line(fmt::format("cannot read `{}': {}", path, why)));
  };
  // What is no file could make the reader wait for ever, as a pipe does that nobody writes to.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) refuse(std::strerror(errno));
  struct stat status {};
  const bool is_known = ::fstat(file, &status) == 0 && !S_ISDIR(status.st_mode);
  if (!is_known || (kind == FileKind::regular && !S_ISREG(status.st_mode))) {
    ::close(file);
    refuse(S_ISDIR(status.st_mode) ? std::strerror(EISDIR) : "it is no regular file");
  }
  std::string text;
  std::string block(1 << 16, '\0');
  ssize_t got = 0;
  do {
    got = ::read(file, block.data(), block.size());
    if (got > 0) text.append(block, 0, static_cast<std::size_t>(got));
  } while ((got > 0 && text.size() <= kLargestFile) || (got < 0 && errno == EINTR));
  const int error = errno;
  ::close(file);
  if (got < 0) refuse(std::strerror(error));
  if (text.size() > kLargestFile) refuse("it is larger than 64 MiB");
  return text;
}

namespace {

ordered_json parse(const std::string& text, const std::string& path) {
  const auto fail = [&](const std::string& what) { throw UsageError(in_one_line(fmt::format("{}: {}", path, what))); };
  std::vector<std::size_t> keys(kDeepest + 2);
  const auto bounded = [&](int depth, ordered_json::parse_event_t event, const ordered_json&) {
    if (depth > kDeepest) fail(fmt::format("nested more than {} deep", kDeepest));
    const auto level = static_cast<std::size_t>(depth);
    if (event == ordered_json::parse_event_t::object_start) keys[level + 1] = 0;
    if (event == ordered_json::parse_event_t::key && ++keys[level] > kMostKeys)
      fail(fmt::format("an object with more than {} keys", kMostKeys));
    return true;
  };
  try {
    return ordered_json::parse(text, bounded);
  } catch (const ordered_json::exception& error) {
    std::string why = error.what();
    if (const std::size_t end = why.find("] "); end != std::string::npos) why.erase(0, end + 2);
    // What was read last may be bytes that are no text at all; line and column say where it is.
    if (const std::size_t read = why.find("; last read"); read != std::string::npos) why.erase(read);
    fail("no JSON: " + why.substr(0, 200));
  }
  return {};  // fail() has thrown
}

}  // namespace

std::string in_one_line(std::string text) {
  text = printable(text);
  std::replace_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t'; }, '?');
  return text;
}

std::string for_a_terminal(std::string text) {
  text = printable(text);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_ours = text[i] == '\n' && text.compare(i + 1, 2, "  ") == 0;
    if ((text[i] == '\n' && !is_ours) || text[i] == '\t') text[i] = '?';
  }
  return text;
}

ordered_json read_json_file(const std::string& path) { return parse(read_file(path, FileKind::regular), path); }

}  // namespace weft::cli
