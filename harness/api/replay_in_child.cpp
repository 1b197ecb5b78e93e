#include "api/replay_in_child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "detect/finding.hpp"

namespace weft {
namespace {

constexpr const char* kAsked = "WEFT_REPLAY_EACH_FINDING";

/// Findings of one schedule.
using Findings = std::vector<const FindingReport*>;

/// What is wrong with the replay; empty if nothing.
std::string fault_of_replay(const std::function<void()>& body, const Options& options, const Findings& findings) {
  const Replay replayed = replay(body, findings.front()->schedule, options);
  const auto is_shown = [&](const FindingReport* finding) {
    return std::any_of(replayed.findings.begin(), replayed.findings.end(), [&](const FindingReport& f) {
      return f.kind == finding->kind && f.message == finding->message;
    });
  };
  const auto missing = std::find_if_not(findings.begin(), findings.end(), is_shown);
  if (missing == findings.end()) return {};
  std::string text = fmt::format("`{}' ({}) is not shown: {}{}", (*missing)->message, (*missing)->kind, replayed.problem,
                                 replayed.findings.empty() ? " nothing is" : "");
  for (const FindingReport& f : replayed.findings) text += fmt::format(" `{}' ({})", f.message, f.kind);
  return text;
}

void write_all(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t wrote = write(file, text.data() + done, text.size() - done);
    if (wrote < 0 && errno != EINTR) return;
    if (wrote > 0) done += static_cast<std::size_t>(wrote);
  }
}

std::string read_all(int file) {
  std::string text;
  std::array<char, 4096> part{};
  for (;;) {
    const ssize_t size = read(file, part.data(), part.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(size));
  }
}

/// A child that says nothing has died.
constexpr const char* kDone = "done\n";

[[noreturn]] void be_child(int answer, const std::function<void()>& body, const Options& options,
                           const Findings& findings) {
  unsetenv(kAsked);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(nowhere, STDOUT_FILENO);  // what the body prints has been printed
  dup2(nowhere, STDERR_FILENO);
  write_all(answer, fault_of_replay(body, options, findings) + kDone);
  _exit(0);
}

std::string fault_in_child(const std::function<void()>& body, const Options& options, const Findings& findings) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) be_child(ends[1], body, options, findings);
  close(ends[1]);
  std::string answer = child < 0 ? "no second process" : read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!answer.ends_with(kDone)) return fmt::format("the second process ended with status {:#x}: {}", status, answer);
  return answer.substr(0, answer.size() - std::string_view(kDone).size());
}

}  // namespace

void replay_in_child_if_asked(const std::function<void()>& body, const Options& options,
                              const std::vector<FindingReport>& findings) {
  if (std::getenv(kAsked) == nullptr) return;
  std::map<std::string, Findings> by_schedule;
  for (const FindingReport& finding : findings) {
    if (finding.kind != to_string(FindingKind::nondeterminism)) by_schedule[finding.schedule].push_back(&finding);
  }
  for (const auto& [schedule, of_schedule] : by_schedule) {
    const std::string fault = fault_in_child(body, options, of_schedule);
    if (fault.empty()) continue;
    std::fprintf(stderr, "weft: %s: a finding does not replay in another process: %s: %s\n", options.name.c_str(),
                 schedule.c_str(), fault.c_str());
    std::abort();
  }
}

}  // namespace weft
