#include "api/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

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
  const std::string name = index(site.thread) < trace.columns.size()
                               ? trace.columns[index(site.thread)]
                               : fmt::format("thread {}", index(site.thread));
  const auto known = std::find_if(trace.site_places.begin(), trace.site_places.end(),
                                  [&](const Trace::SitePlace& p) {
                                    return p.thread == site.thread && p.events_before == site.events_before && p.place == site.place;
                                  });
  const std::string place = known != trace.site_places.end() ? known->text : SourcePlaces::short_text(places.line_of(site.place));
  return fmt::format("      {}: {}{}{}\n", name, site.what, place.empty() ? "" : " at ", place);
}

std::vector<TraceStep> steps_of(const Trace& trace) {
  std::vector<TraceStep> steps;
  for (const TraceRow& row : trace.rows) {
    if (row.local) continue;
    steps.push_back({.number = row.number,
                     .thread = trace.columns[row.column],
                     .text = row.text,
                     .place = row.place,
                     .state = row.state,
                     .failing = row.failing});
  }
  return steps;
}

/// The same finding in a replay: with the same words, or else of the same kind.
std::vector<Finding>::iterator find_again(std::vector<Finding>& findings, const Finding& finding) {
  const auto same = std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return is_same(f, finding); });
  if (same != findings.end()) return same;
  return std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.kind == finding.kind; });
}

/// What is found once and not again, with every read taking what it took before, depends on something else than the schedule.
Finding not_repeated(Finding finding, std::uint64_t number, const std::string& problem) {
  finding.message = fmt::format("{} (`{}') was found in execution {}, but not when the same schedule was run again{}{}",
                                to_string(finding.kind), finding.message, number, problem.empty() ? "" : ": ", problem);
  finding.kind = FindingKind::nondeterminism;
  return finding;
}

bool is_worded_by_scenario(FindingKind kind) {
  return kind == FindingKind::invariant || kind == FindingKind::uncaught_exception;
}

/// Detectors know threads by their numbers; a reader of the trace knows them by the names of its columns.
void name_threads(Finding& finding, const Trace& trace) {
  if (is_worded_by_scenario(finding.kind)) return;
  static constexpr std::string_view kWord = "thread ";
  std::string named;
  std::string_view rest = finding.message;
  for (std::size_t at = 0; (at = rest.find(kWord)) != std::string_view::npos;) {
    std::size_t end = at + kWord.size();
    std::size_t number = 0;
    while (end < rest.size() && rest[end] >= '0' && rest[end] <= '9' && number < kMaxThreads)
      number = number * 10 + static_cast<std::size_t>(rest[end++] - '0');
    const bool is_thread = end != at + kWord.size() && number < trace.threads;
    named += rest.substr(0, is_thread ? at : end);
    if (is_thread) named += trace.columns[number];
    rest.remove_prefix(end);
  }
  finding.message = named.append(rest);
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
  std::string command = options.replay_command;
  const std::size_t gap = command.find("{}");
  if (gap == std::string::npos) {
    command += " " + token;
  } else {
    command.replace(gap, 2, token);
  }
  text += fmt::format("REPLAY {}\n", command);
  return text;
}

std::vector<FindingReport> reports_of_replay(const ReplayRun& run, const std::string& token, const Options& options,
                                             SourcePlaces& places) {
  std::vector<FindingReport> reports;
  for (Finding finding : run.findings) {
    name_threads(finding, run.trace);
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

void FindingCollector::collect(Ending ending, std::uint64_t number, const std::string& name) {
  report_ending(execution_, ending);
  const bool dropped = ending == Ending::inconsistent;
  std::vector<Finding> fresh;
  for (const Finding& finding : execution_.findings()) {
    if (!is_known(finding) && (!dropped || holds_in_dropped_run(finding.kind))) fresh.push_back(finding);
  }
  if (fresh.empty()) return;
  const ScheduleToken token = token_of_run(execution_, options_);
  const std::string schedule = name.empty() ? to_string(token) : name;
  ReplayRun run = run_schedule(body_, token, options_, places_);
  if (dropped) run.problem.clear();  // the schedule ends where the run was dropped
  for (const Finding& finding : fresh) {
    seen_.push_back(finding);
    const auto again = find_again(run.findings, finding);
    const bool repeated = again != run.findings.end();
    // Threads have other numbers in the replay, so messages that name them are the replay's.
    Finding reported = repeated ? *again : finding;
    if (repeated) {
      name_threads(reported, run.trace);
    } else if (!dropped) {
      reported = not_repeated(std::move(reported), number, run.problem);
    }
    reports_.push_back({.kind = to_string(reported.kind),
                        .message = reported.message,
                        .schedule = schedule,
                        .trace = trace_text(run, &reported, number, schedule, options_, places_),
                        .steps = steps_of(run.trace),
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
