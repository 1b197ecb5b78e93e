#include "stress/sanitizer_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <optional>

namespace weft::stress {
namespace {

constexpr std::string_view kRule = "==================";
constexpr std::string_view kWarning = "WARNING: ThreadSanitizer: ";

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// "  Previous atomic write of size 4 at 0x7b04 by thread T1 (mutexes: write M1):"
std::optional<SanitizerAccess> access_of(std::string line) {
  const std::size_t size_at = line.find(" of size ");
  const std::size_t at = line.find(" at 0x");
  if (size_at == std::string::npos || at == std::string::npos) return std::nullopt;
  // A heap block, too, has a size and an address; it is "allocated by" a thread.
  const std::size_t by = line.find(' ', at + 4);
  if (by == std::string::npos || line.compare(by, 4, " by ") != 0) return std::nullopt;
  std::string what = line.substr(2, size_at - 2);
  std::transform(what.begin(), what.end(), what.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (what.starts_with("previous ")) what.erase(0, 9);
  const int size = std::atoi(line.c_str() + size_at + 9);
  SanitizerAccess access;
  access.what = fmt::format("{} of {} byte{}", what, size, size == 1 ? "" : "s");
  access.address = std::strtoull(line.c_str() + at + 4, nullptr, 16);
  access.thread = line.substr(by + 4, line.find_first_of("(:", by) - by - 4);
  access.thread.erase(access.thread.find_last_not_of(' ') + 1);
  return access;
}

void read_line(const std::string& line, SanitizerReport& report, bool& in_access) {
  if (line.starts_with("    #")) {
    const std::size_t address = line.find("0x");
    if (in_access && address != std::string::npos)
      report.accesses.back().frames.push_back(std::strtoull(line.c_str() + address, nullptr, 16));
    return;
  }
  in_access = false;
  if (std::optional<SanitizerAccess> access = access_of(line)) {
    report.accesses.push_back(std::move(*access));
    in_access = true;
    return;
  }
  // "  Thread T1 'Worker 1' (tid=29143, finished) created by main thread at:"
  const std::size_t id = line.rfind("(tid=");
  if (line.starts_with("  Thread T") && id != std::string::npos)
    report.threads["thread " + line.substr(9, line.find(' ', 9) - 9)] = std::atol(line.c_str() + id + 5);
}

/// Calls `on_report(report, is complete)` and `on_other(line)`.
template <class OnReport, class OnOther>
void scan(std::string_view messages, OnReport on_report, OnOther on_other) {
  std::optional<SanitizerReport> report;
  bool in_access = false;
  bool after_rule = false;
  for (const std::string_view line : lines_of(messages)) {
    if (line == kRule) {
      if (report) on_report(*report, true);
      after_rule = !report;
      report.reset();
      continue;
    }
    if (!report && line.starts_with(kWarning)) {
      const std::string_view kind = line.substr(kWarning.size());
      report.emplace();
      report->kind = kind.substr(0, kind.find(" (pid="));
      in_access = false;
    } else if (report) {
      read_line(std::string(line), *report, in_access);
    } else {
      if (!after_rule || !line.empty()) on_other(line);
    }
    if (report) report->text.append(line).append("\n");
    after_rule = false;
  }
  if (report) on_report(*report, false);
}

}  // namespace

std::vector<SanitizerReport> sanitizer_reports(std::string_view messages) {
  std::vector<SanitizerReport> reports;
  scan(
      messages,
      [&](const SanitizerReport& report, bool complete) {
        if (complete || report.accesses.size() >= 2) reports.push_back(report);
      },
      [](std::string_view) {});
  return reports;
}

std::string other_messages(std::string_view messages) {
  std::string text;
  scan(
      messages, [](const SanitizerReport&, bool) {}, [&](std::string_view line) { text.append(line).append("\n"); });
  return text;
}

}  // namespace weft::stress
