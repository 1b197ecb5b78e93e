#include "api/findings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "api/learned.hpp"
#include "api/near.hpp"
#include "detect/at_end.hpp"
#include "report/column_names.hpp"
#include "report/trace_steps.hpp"
#include "report/trace_text.hpp"
#include "report/why.hpp"

namespace weft {
namespace {

// A run that the runtime dropped is no execution; what these say is true all the same.
bool holds_in_dropped_run(FindingKind kind) {
  return kind == FindingKind::nondeterminism || kind == FindingKind::unsupported || kind == FindingKind::limit;
}

constexpr std::size_t kNarrowestText = 30;  // of a paragraph, however narrow the report

bool is_same(const Finding& a, const Finding& b) { return a.kind == b.kind && a.message == b.message; }

std::string column_name(const Trace& trace, ThreadId thread) {
  return index(thread) < trace.columns.size() ? trace.columns[index(thread)] : fmt::format("thread {}", index(thread));
}

FindingPlace place_of(const FindingSite& site, const Trace& trace, SourcePlaces& places) {
  FindingPlace result{.column = column_name(trace, site.thread), .what = site.what};
  if (const Trace::SitePlace* const known = trace.place_of(site)) {
    result.place = known->text;
    if (known->is_row) result.step = known->number;
    result.stack = known->stack;
  } else {
    result.place = SourcePlaces::short_text(places.line_of(site.place));
  }
  return result;
}

std::string replay_line(const Options& options, const std::string& token) {
  std::string command = options.replay_command;
  const std::size_t gap = command.find("{}");
  if (gap == std::string::npos) return command + " " + token;
  return command.replace(gap, 2, token);
}

/// "WHY   " before the first line, and the others below its text, so far to the right.
std::string paragraph(const std::string& title, const std::string& text, std::size_t width, std::size_t indent = 6) {
  std::string result;
  for (const std::string& line : wrapped(text, width > indent + kNarrowestText ? width - indent : kNarrowestText))
    result += fmt::format("{:<{}}{}\n", result.empty() ? title : "", indent, line);
  return result;
}

std::string joined(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += (text.empty() ? "" : " ") + sentence;
  return text;
}

std::size_t steps_shown(const Trace& trace) {
  return static_cast<std::size_t>(std::count_if(trace.rows.begin(), trace.rows.end(),
                                                [](const TraceRow& r) { return r.shown() && r.number != 0; }));
}

std::string size_text(std::size_t steps, std::size_t switches) {
  return fmt::format("{} {}, {} {}", steps, steps == 1 ? "step" : "steps", switches,
                     switches == 1 ? "switch" : "switches");
}

std::string size_of_trace(const Trace& trace, const std::optional<FindingReport::Minimised>& minimised = {}) {
  const bool has_tasks = trace.columns.size() > trace.threads;
  std::string text = fmt::format("{} from one thread {}to another", size_text(steps_shown(trace), trace.switches),
                                 has_tasks ? "or task " : "");
  if (trace.fewest_switches) text += " (no order of this execution has fewer)";
  if (!minimised) return text;
  const bool as_before = minimised->steps_before == steps_shown(trace) && minimised->switches_before == trace.switches;
  if (!as_before)
    text += fmt::format(", made smaller from {}", size_text(minimised->steps_before, minimised->switches_before));
  return text + (minimised->complete ? "; no further change of its decisions makes it smaller"
                                     : "; not all changes of its decisions were tried, there are too many");
}

/// The same finding in a replay: with the same words, or else of the same kind.
std::vector<Finding>::iterator find_again(std::vector<Finding>& findings, const Finding& finding) {
  const auto same =
      std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return is_same(f, finding); });
  if (same != findings.end()) return same;
  return std::find_if(findings.begin(), findings.end(), [&](const Finding& f) { return f.kind == finding.kind; });
}

/// What is found once and not again, with every read taking what it took before, depends on something else than the
/// schedule.
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
  for (FindingSite& site : finding.sites) site.what = with_names_of_threads(site.what, trace);
  if (!is_worded_by_scenario(finding.kind)) finding.message = with_names_of_threads(finding.message, trace);
}

/// In the place of an execution's number: the run is a replay for its own sake.
constexpr std::uint64_t kReplayed = 0;

/// None for a replay that left its schedule: once more would show the same.
std::string line_to_replay(const ReplayRun& run, std::uint64_t execution, const std::string& command) {
  if (execution == kReplayed && !run.problem.empty()) return {};
  return "REPLAY " + command + "\n";
}

struct Reporting {
  const std::function<void()>& body;
  const Options& options;
  SourcePlaces& places;
};

/// `token` is that of the run; `name` is what reports call it.
FindingReport report_of(const ReplayRun& run, const Finding& finding, std::uint64_t execution,
                        const ScheduleToken& token, const std::string& name, const Reporting& reporting,
                        const std::optional<FindingReport::Minimised>& minimised = {}) {
  const auto& [body, options, places] = reporting;
  const Trace& trace = run.trace;
  Explanation explanation = explain(trace, finding);
  FindingReport report{.kind = to_string(finding.kind),
                       .message = finding.message,
                       .schedule = name,
                       .replay = replay_line(options, name),
                       .why = explanation.sentences,
                       .near = near_text(run, finding.kind, explanation.cited, token, body, options, places),
                       .columns = columns_of(trace),
                       .steps = steps_of(trace),
                       .switches = trace.switches,
                       .fewest_switches = trace.fewest_switches,
                       .execution = execution,
                       .is_warning = finding.kind == FindingKind::warning,
                       .minimised = minimised};
  for (const FindingSite& site : finding.sites) report.places.push_back(place_of(site, trace, places));

  const std::size_t width = options.report_width;
  const std::string what = fmt::format("{}{}{} ({}){}", options.name, options.name.empty() ? "" : ": ", finding.message,
                                       report.kind, execution == kReplayed ? "" : fmt::format(", execution {}", execution));
  std::string text = paragraph(report.is_warning ? "WARN" : "BUG", what, width);
  for (const FindingPlace& place : report.places) {
    text += paragraph(
        "",
        fmt::format("{}: {}{}{}{}", place.column, place.what, place.step == 0 ? "" : fmt::format(" (#{})", place.step),
                    place.place.empty() ? "" : " at ", place.place),
        width);
    for (std::size_t i = 1; i < place.stack.size(); ++i)
      text += paragraph("", "called from " + place.stack[i], width, 9);
  }
  text += paragraph("WHY", joined(report.why), width);
  if (!report.is_warning && run.problem.empty()) text += paragraph("MIN", size_of_trace(trace, minimised), width);
  text += "\n";
  text += trace_table(trace, explanation.cited, width);
  if (!run.problem.empty()) text += paragraph("NOTE", run.problem, width);
  if (!report.near.empty()) text += paragraph("NEAR", report.near, width);
  report.trace = text + line_to_replay(run, execution, report.replay);
  return report;
}

}  // namespace

std::string replay_text(const ReplayRun& run, const std::string& token, const Options& options) {
  const std::size_t width = options.report_width;
  std::string text = run.problem.empty() ? paragraph("MIN", size_of_trace(run.trace), width) : "";
  text += "\n" + trace_table(run.trace, {}, width);
  if (!run.problem.empty()) text += paragraph("NOTE", run.problem, width);
  return text + line_to_replay(run, kReplayed, replay_line(options, token));
}

std::vector<FindingReport> reports_of_replay(const ReplayRun& run, const ScheduleToken& token,
                                             const std::function<void()>& body, const Options& options,
                                             SourcePlaces& places) {
  std::vector<FindingReport> reports;
  for (Finding finding : run.findings) {
    name_threads(finding, run.trace);
    reports.push_back(report_of(run, finding, kReplayed, token, to_string(token), {body, options, places}));
  }
  return reports;
}

bool FindingCollector::is_known(const Finding& finding) const {
  return std::any_of(seen_.begin(), seen_.end(), [&](const Finding& seen) { return is_same(seen, finding); });
}

std::vector<Finding> FindingCollector::fresh_findings(Ending ending) {
  report_ending(execution_, ending);
  std::vector<Finding> fresh;
  for (const Finding& finding : execution_.findings()) {
    if (!is_known(finding) && (ending != Ending::inconsistent || holds_in_dropped_run(finding.kind)))
      fresh.push_back(finding);
  }
  return fresh;
}

void FindingCollector::collect(Ending ending, std::uint64_t number, const std::string& name) {
  const std::vector<Finding> fresh = fresh_findings(ending);
  if (fresh.empty()) return;
  add(fresh, {.token = token_of_run(execution_, options_), .name = name, .dropped = ending == Ending::inconsistent},
      number);
}

void FindingCollector::add(const std::vector<Finding>& findings, const Shown& shown, std::uint64_t number) {
  add_shown_by(run_schedule(body_, shown.token, options_, places_), findings, shown, number, {});
}

void FindingCollector::add_minimised(const Finding& finding, const Shown& shown, const Shown& smaller, bool complete,
                                     std::uint64_t number) {
  ReplayRun before = run_schedule(body_, shown.token, options_, places_);
  ReplayRun after = run_schedule(body_, smaller.token, options_, places_);
  const FindingReport::Minimised minimised{
      .steps_before = steps_shown(before.trace), .switches_before = before.trace.switches, .complete = complete};
  // What a person counts is not what was counted when it was made smaller: notes are steps, too.
  const bool is_smaller =
      after.trace.switches <= before.trace.switches && steps_shown(after.trace) <= steps_shown(before.trace);
  const bool shows_it = std::any_of(after.findings.begin(), after.findings.end(),
                                    [&](const Finding& f) { return f.kind == finding.kind; });
  if (is_smaller && shows_it) {
    add_shown_by(std::move(after), {finding}, smaller, number, minimised);
  } else {
    add_shown_by(std::move(before), {finding}, shown, number, {});
  }
}

void FindingCollector::add_shown_by(ReplayRun run, const std::vector<Finding>& findings, const Shown& shown,
                                    std::uint64_t number, const std::optional<FindingReport::Minimised>& minimised) {
  const std::string schedule = shown.name.empty() ? to_string(shown.token) : shown.name;
  if (shown.dropped) run.problem.clear();  // the schedule ends where the run was dropped
  for (const Finding& finding : findings) {
    seen_.push_back(finding);
    const auto again = find_again(run.findings, finding);
    const bool repeated = again != run.findings.end();
    // Threads have other numbers in the replay, so messages that name them are the replay's.
    Finding reported = repeated ? *again : finding;
    if (repeated) {
      name_threads(reported, run.trace);
    } else if (!shown.dropped && reported.kind != FindingKind::nondeterminism) {
      reported = not_repeated(std::move(reported), number, run.problem);
    }
    if (!is_reported(reported))
      reports_.push_back(
          report_of(run, reported, number, shown.token, schedule, {body_, options_, places_}, minimised));
    if (repeated) run.findings.erase(again);
  }
}

// Threads may have other numbers in this exploration than in the earlier one, and so in messages; in reports they have
// names.
bool FindingCollector::is_reported(const Finding& finding) const {
  return std::any_of(reports_.begin(), reports_.end(), [&](const FindingReport& report) {
    return report.from_before && report.kind == to_string(finding.kind) && report.message == finding.message;
  });
}

void FindingCollector::collect_known(const std::string& schedule) {
  ScheduleToken token;
  try {
    token = parse_schedule_token(schedule);
    drop_foreign(token.learned);
  } catch (const MalformedToken&) {
    return;
  }
  if (token.scenario_hash != scenario_hash(options_.name, options_.model)) return;
  const ReplayRun run = run_schedule(body_, token, options_, places_);
  if (!run.problem.empty()) return;
  for (Finding finding : run.findings) {
    if (finding.kind == FindingKind::warning) continue;
    seen_.push_back(finding);
    name_threads(finding, run.trace);
    reports_.push_back(report_of(run, finding, kReplayed, token, to_string(token), {body_, options_, places_}));
    reports_.back().from_before = true;
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

bool FindingCollector::are_enough() const {
  if (options_.keep_going) return false;
  // What a race does is looked for, too.
  return options_.promote_races ? bugs_other_than_races() != 0 : has_bug();
}

}  // namespace weft
