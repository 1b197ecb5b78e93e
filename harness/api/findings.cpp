#include "api/findings.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace weft {

std::string FindingCollector::describe_wait(const Execution::Thread& thread) const {
  const auto thread_number = index(thread.id);
  if (thread.state == Execution::ThreadState::blocked) return fmt::format("thread {} waits for a value", thread_number);
  if (thread.pending == nullptr) return fmt::format("thread {} waits", thread_number);
  switch (thread.pending->kind) {
    case OperationKind::gate: return fmt::format("thread {} waits for a lock", thread_number);
    case OperationKind::receive: return fmt::format("thread {} sleeps", thread_number);
    case OperationKind::join: return fmt::format("thread {} joins thread {}", thread_number, thread.pending->operand);
    default: return fmt::format("thread {} waits", thread_number);
  }
}

void FindingCollector::add_deadlock() {
  Finding finding{.kind = FindingKind::deadlock, .message = {}, .sites = {}};
  for (std::size_t i = 0; i < execution_.thread_count(); ++i) {
    const Execution::Thread& thread = execution_.thread(ThreadId{static_cast<std::uint16_t>(i)});
    if (thread.state == Execution::ThreadState::absent || thread.state == Execution::ThreadState::finished) continue;
    const std::string wait = describe_wait(thread);
    finding.message += (finding.message.empty() ? "" : "; ") + wait;
    finding.sites.push_back({.thread = thread.id,
                             .events_before = thread.position,
                             .place = thread.pending == nullptr ? nullptr : thread.pending->place,
                             .what = wait});
  }
  execution_.report(std::move(finding));
}

void FindingCollector::add_unjoined_threads() {
  for (std::size_t i = 1; i < execution_.thread_count(); ++i) {
    const Execution::Thread& thread = execution_.thread(ThreadId{static_cast<std::uint16_t>(i)});
    if (thread.state == Execution::ThreadState::absent || thread.joined || thread.detached) continue;
    execution_.report({.kind = FindingKind::warning,
                       .message = fmt::format("thread {} was neither joined nor detached", i),
                       .sites = {{.thread = thread.id, .events_before = thread.position, .place = nullptr, .what = "ended here"}}});
  }
}

bool FindingCollector::collect(std::uint64_t run) {
  bool new_bug = false;
  for (const Finding& finding : execution_.findings()) {
    const char* const kind = to_string(finding.kind);
    const bool known = std::any_of(reports_.begin(), reports_.end(), [&](const FindingReport& report) {
      return report.kind == kind && report.message == finding.message;
    });
    if (known) continue;
    const bool warning = finding.kind == FindingKind::warning;
    reports_.push_back({.kind = kind, .message = finding.message, .execution = run, .is_warning = warning});
    new_bug = new_bug || !warning;
  }
  return new_bug;
}

bool FindingCollector::has_bug() const {
  return std::any_of(reports_.begin(), reports_.end(), [](const FindingReport& report) { return !report.is_warning; });
}

}  // namespace weft
