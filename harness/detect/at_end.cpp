#include "detect/at_end.hpp"

#include <fmt/format.h>

#include "runtime/waiting.hpp"

namespace weft {
namespace {

/// Reports put the name of its column there.
std::string thread_text(ThreadId t) { return fmt::format("thread {}", index(t)); }

void report_deadlock(Execution& execution) {
  Finding finding;
  finding.kind = FindingKind::deadlock;
  for (std::size_t i = 0; i < execution.thread_count(); ++i) {
    const ThreadId id{static_cast<std::uint16_t>(i)};
    const Execution::Thread& thread = execution.thread(id);
    if (thread.state == Execution::ThreadState::absent || thread.state == Execution::ThreadState::finished) continue;
    if (thread.spinning) finding.kind = FindingKind::livelock;
    const WaitDescription wait = describe_wait(execution, id);
    const void* place = wait.place;
    if (place == nullptr && thread.pending != nullptr) place = thread.pending->place;
    std::string what = thread.spinning     ? "spins on a value that nobody will change"
                       : wait.what.empty() ? "waits for a value that nobody will write"
                                           : "waits to " + wait.what;
    const bool held_by_other = wait.held_by && wait.held_place != nullptr;
    if (held_by_other) what += fmt::format(", held by {}", thread_text(*wait.held_by));
    finding.message += fmt::format("{}{} {}", finding.message.empty() ? "" : "; ", thread_text(id), what);
    finding.sites.push_back({.thread = id, .events_before = thread.position, .place = place, .what = what});
    if (held_by_other) {
      finding.sites.push_back(
          {.thread = *wait.held_by, .events_before = wait.held_since, .place = wait.held_place, .what = "took it"});
    }
  }
  execution.report(finding);
}

void report_forgotten_threads(Execution& execution) {
  for (std::size_t i = 1; i < execution.thread_count(); ++i) {
    const Execution::Thread& thread = execution.thread(ThreadId{static_cast<std::uint16_t>(i)});
    if (thread.state == Execution::ThreadState::absent || thread.joined || thread.detached) continue;
    Finding finding;
    finding.kind = FindingKind::warning;
    finding.message = fmt::format("thread {} was neither joined nor detached", i);
    finding.sites.push_back({.thread = thread.id, .events_before = thread.position, .place = nullptr, .what = "ended"});
    execution.report(finding);
  }
}

}  // namespace

void report_ending(Execution& execution, Ending ending) {
  if (ending == Ending::deadlock) report_deadlock(execution);
  if (ending == Ending::complete) report_forgotten_threads(execution);
}

}  // namespace weft
