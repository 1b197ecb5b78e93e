#include "api/findings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "detect/at_end.hpp"
#include "report/trace_text.hpp"

namespace weft {
namespace {

// A run that the runtime dropped is no execution; what these say is true all the same.
bool holds_in_dropped_run(FindingKind kind) {
  return kind == FindingKind::nondeterminism || kind == FindingKind::unsupported || kind == FindingKind::limit;
}

bool is_same(const Finding& a, const Finding& b) { return a.kind == b.kind && a.message == b.message; }

std::string site_text(const FindingSite& site, const Trace& trace, SourcePlaces& places) {
  const std::string name = index(site.thread) < trace.thread_names.size()
                               ? trace.thread_names[index(site.thread)]
                               : fmt::format("thread {}", index(site.thread));
  const std::string place = SourcePlaces::short_text(places.line_of(site.place));
  return fmt::format("      {}: {}{}{}\n", name, site.what, place.empty() ? "" : " at ", place);
}

std::vector<TraceStep> steps_of(const Trace& trace) {
  std::vector<TraceStep> steps;
  for (const TraceRow& row : trace.rows) {
    if (row.local) continue;
    steps.push_back({.number = row.number,
                     .thread = trace.thread_names[index(row.thread)],
                     .text = row.text,
                     .place = row.place,
                     .state = row.state,
                     .failing = row.failing});
  }
  return steps;
}

}  // namespace

std::string trace_text(const ReplayRun& run, const Finding* finding, std::uint64_t execution, const std::string& token,
                       const Options& options, SourcePlaces& places) {
  std::string text;
  if (finding != nullptr) {
    text += fmt::format("{}{}{}{} ({})", finding->kind == FindingKind::warning ? "WARN  " : "BUG   ", options.name,
                        options.name.empty() ? "" : ": ", finding->message, to_string(finding->kind));
    text += execution == 0 ? "\n" : fmt::format(", execution {}\n", execution);
    for (const FindingSite& site : finding->sites) text += site_text(site, run.trace, places);
  }
  text += "\n" + trace_table(run.trace);
  if (!run.problem.empty()) text += fmt::format("NOTE   {}\n", run.problem);
  text += fmt::format("REPLAY {} {}\n", options.replay_command, token);
  return text;
}

std::vector<FindingReport> reports_of_replay(const ReplayRun& run, const std::string& token, const Options& options,
                                             SourcePlaces& places) {
  std::vector<FindingReport> reports;
  for (const Finding& finding : run.findings) {
    reports.push_back({.kind = to_string(finding.kind),
                       .message = finding.message,
                       .schedule = token,
                       .trace = trace_text(run, &finding, 0, token, options, places),
                       .steps = steps_of(run.trace),
                       .is_warning = finding.kind == FindingKind::warning});
  }
  return reports;
}

bool FindingCollector::is_known(const Finding& finding) const {
  return std::any_of(seen_.begin(), seen_.end(), [&](const Finding& seen) { return is_same(seen, finding); });
}

void FindingCollector::collect(Ending ending, std::uint64_t number) {
  report_ending(execution_, ending);
  const bool dropped = ending == Ending::inconsistent;
  std::vector<Finding> fresh;
  for (const Finding& finding : execution_.findings()) {
    if (!is_known(finding) && (!dropped || holds_in_dropped_run(finding.kind))) fresh.push_back(finding);
  }
  if (fresh.empty()) return;
  const ScheduleToken token = token_of_run(execution_, options_);
  const std::string schedule = to_string(token);
  ReplayRun run = run_schedule(body_, token, options_, places_);
  if (dropped) run.problem.clear();  // the schedule ends where the run was dropped
  for (const Finding& finding : fresh) {
    seen_.push_back(finding);
    // Threads have other numbers in the replay, so messages that name them are the replay's.
    const auto again = std::find_if(run.findings.begin(), run.findings.end(),
                                    [&](const Finding& f) { return f.kind == finding.kind; });
    ReplayRun shown = run;
    const bool repeated = again != run.findings.end();
    if (!repeated && !dropped && run.problem.empty())
      shown.problem = "the replay of this schedule did not show the finding again";
    const Finding reported = repeated ? *again : finding;
    reports_.push_back({.kind = to_string(reported.kind),
                        .message = reported.message,
                        .schedule = schedule,
                        .trace = trace_text(shown, &reported, number, schedule, options_, places_),
                        .steps = steps_of(shown.trace),
                        .execution = number,
                        .is_warning = reported.kind == FindingKind::warning});
    if (repeated) run.findings.erase(again);
  }
}

bool FindingCollector::has_bug() const {
  return std::any_of(reports_.begin(), reports_.end(), [](const FindingReport& report) { return !report.is_warning; });
}

std::size_t FindingCollector::bugs_other_than_races() const {
  return static_cast<std::size_t>(std::count_if(seen_.begin(), seen_.end(), [](const Finding& finding) {
    return finding.kind != FindingKind::warning && finding.kind != FindingKind::data_race;
  }));
}

}  // namespace weft
