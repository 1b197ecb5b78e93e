#include "cli/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "cli/extent.hpp"

namespace weft::cli {
namespace {

constexpr double kQuietAtFirst = 1;  // seconds: what is that fast needs no progress
constexpr double kBetweenLines = 10;

}  // namespace

ProgressLine::ProgressLine(std::string name, std::string of_what)
    : name_(std::move(name)),
      of_what_(std::move(of_what)),
      error_(dup(STDERR_FILENO)),
      is_terminal_(isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
  if (is_drawn_) write("\r\033[K");
  if (error_ >= 0) close(error_);
}

void ProgressLine::show(const Progress& progress) {
  if (progress.seconds < (is_terminal_ ? kQuietAtFirst : shown_at_ + kBetweenLines)) return;
  shown_at_ = progress.seconds;
  const double rate = static_cast<double>(progress.executions) / progress.seconds;
  const std::string extent = of_what_.empty() ? extent_text(progress.at_least_done, progress.total)
                                              : percent_text(progress.fraction_done) + " " + of_what_;
  const std::string text = fmt::format("{}: {} executions, {:.0f} per second, {}{}", name_, progress.executions, rate,
                                       extent, progress.started_again ? " (began again)" : "");
  if (is_terminal_) {
    write("\r\033[K" + text);
    is_drawn_ = true;
  } else {
    write(text + "\n");
  }
}

void ProgressLine::write(const std::string& text) {
  if (error_ < 0) return;
  // What nobody can read is not worth failing for.
  [[maybe_unused]] const ssize_t written = ::write(error_, text.data(), text.size());
}

}  // namespace weft::cli
