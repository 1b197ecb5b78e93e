#include "cli/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>

namespace weft::cli {
namespace {

constexpr std::string_view kRed = "\033[1;31m";
constexpr std::string_view kGreen = "\033[32m";
constexpr std::string_view kYellow = "\033[33m";
constexpr std::string_view kBold = "\033[1m";
constexpr std::string_view kPlain = "\033[0m";

/// Empty if the variable is not set.
std::string_view environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::optional<std::size_t> asked_width() {
  const std::string_view text = environment("COLUMNS");
  std::size_t width = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
  if (text.empty() || end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range) return kWidest;
  return error == std::errc{} && width != 0 ? std::optional(width) : std::nullopt;
}

std::optional<std::size_t> terminal_width() {
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return std::nullopt;
  return size.ws_col;
}

std::string painted(std::string_view text, std::string_view colour) {
  if (!has_colours() || text.empty()) return std::string(text);
  return fmt::format("{}{}{}", colour, text, kPlain);
}

std::string_view colour_of(std::string_view title) {
  if (title == "BUG") return kRed;
  return title == "WARN" ? kYellow : kBold;
}

/// A line of a report: the word it begins with, a step that fails, a value that is not the newest.
std::string painted_line(std::string_view line) {
  static constexpr std::array<std::string_view, 8> kTitles = {"BUG",  "WARN", "WHY",    "MIN",
                                                              "NOTE", "NEAR", "REPLAY", "DEBUG"};
  const std::string_view first = line.substr(0, line.find(' '));
  if (std::find(kTitles.begin(), kTitles.end(), first) != kTitles.end())
    return painted(first, colour_of(first)) + std::string(line.substr(first.size()));
  if (const std::size_t at = line.find("!! "); at != std::string_view::npos) {
    return std::string(line.substr(0, at)) + painted(line.substr(at), kRed);
  }
  const std::size_t stale = line.find("(stale: ");
  if (stale == std::string_view::npos) return std::string(line);
  const std::size_t end = line.find(')', stale);
  const std::size_t size = end == std::string_view::npos ? line.size() - stale : end + 1 - stale;
  return std::string(line.substr(0, stale)) + painted(line.substr(stale, size), kYellow) +
         std::string(line.substr(stale + size));
}

}  // namespace

std::size_t text_width() {
  const std::optional<std::size_t> asked = asked_width();
  const std::size_t width = asked ? *asked : terminal_width().value_or(Options{}.report_width);
  return std::clamp(width, kNarrowest, kWidest);
}

bool has_colours() {
  if (!environment("NO_COLOR").empty()) return false;
  const std::string_view forced = environment("CLICOLOR_FORCE");
  if (!forced.empty() && forced != "0") return true;
  const std::string_view kind = environment("TERM");
  return isatty(STDOUT_FILENO) != 0 && !kind.empty() && kind != "dumb";
}

std::string for_terminal(std::string_view report) {
  std::string text;
  while (!report.empty()) {
    const std::size_t end = std::min(report.find('\n'), report.size());
    text += painted_line(report.substr(0, end));
    if (end != report.size()) text += '\n';
    report.remove_prefix(std::min(end + 1, report.size()));
  }
  return text;
}

std::string for_terminal(Verdict verdict, std::size_t width) {
  const std::string word = to_string(verdict);
  const bool failed = verdict == Verdict::bug || verdict == Verdict::internal;
  const std::string_view colour = verdict == Verdict::proved ? kGreen : failed ? kRed : kYellow;
  return painted(word, colour) + std::string(width - std::min(width, word.size()), ' ');
}

std::string alarming(std::string_view text) { return painted(text, kRed); }

}  // namespace weft::cli
