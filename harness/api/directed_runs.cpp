#include "api/directed_runs.hpp"

#include <algorithm>
#include <utility>

#include "api/fuzz_token.hpp"
#include "detect/at_end.hpp"
#include "explore/minimise.hpp"
#include "report/memory_names.hpp"
#include "report/trace_steps.hpp"

namespace weft {
namespace {

// Of steps, in runs that try whether a change makes a finding smaller: a few seconds.
constexpr std::uint64_t kMostWork = 4'000'000;
constexpr std::uint64_t kWorkOfMeasuring = 8;  // for each step
constexpr std::uint64_t kWorkOfAnyRun = 20;    // what it costs to begin and end one, in steps

/// Not what takes seconds to be found, nor what is no execution.
constexpr bool can_be_minimised(FindingKind kind) {
  switch (kind) {
    case FindingKind::warning:
    case FindingKind::limit:
    case FindingKind::endless_loop:
    case FindingKind::nondeterminism:
    case FindingKind::unsupported:
      return false;
    default:
      return true;
  }
}

}  // namespace

DirectedRuns::DirectedRuns(const std::function<void()>& body, const Options& options)
    : body_(body),
      options_(options),
      execution_(memory_),
      findings_(body_, options_, execution_),
      explorer_(std::make_unique<DirectedExplorer>(options.model, clock_width_)),
      signal_guard_(execution_) {
  apply(options_, execution_);
}

DirectedRuns::~DirectedRuns() = default;

void DirectedRuns::minimise(std::function<std::string(std::span<const std::uint8_t>)> name) {
  minimise_ = true;
  name_of_smaller_ = std::move(name);
}

Ending DirectedRuns::run(Decisions& decisions) {
  ++number_;
  RecordedDecisions recorded(decisions);
  const Ending ending = run_from(promoted_, recorded, [&](Ending end) {
    if (look_) look_at(end, recorded.taken());
    return true;
  });
  if (remember_races_) promoted_ = memory_.promoted;
  return ending;
}

void DirectedRuns::look_at(Ending ending, const std::vector<TakenDecision>& taken) {
  if (!minimise_) {
    findings_.collect(ending, number_, schedule_);
    return;
  }
  for (const Finding& finding : findings_.fresh_findings(ending)) {
    failures_.push_back({.finding = finding,
                         .number = number_,
                         .shown = {token_of_run(execution_, options_), schedule_, ending == Ending::inconsistent},
                         .promoted = remember_races_ ? memory_.promoted : promoted_,
                         .taken = taken});
  }
}

void DirectedRuns::write_down() {
  for (const Failure& failure : std::exchange(failures_, {})) {
    // A run that shows something once more when a race of it is promoted has shown it before.
    if (!findings_.is_known(failure.finding)) write_down(failure);
  }
}

Ending DirectedRuns::run_from(const PromotedMemory& promoted, Decisions& decisions,
                              const std::function<bool(Ending)>& ended) {
  ExplorationMemory fresh;
  fresh.conditions = std::move(memory_.conditions);  // these say what was met, and change nothing
  fresh.most_tasks = memory_.most_tasks;
  fresh.bound = memory_.bound;
  fresh.promoted = promoted;
  most_threads_ = std::max(most_threads_, memory_.threads.count());
  memory_ = std::move(fresh);
  memory_.objects.set_symbols(memory_names(findings_.places(), execution_));
  for (;;) {
    const Ending ending = execute(decisions);
    explorer_->execution_ended(ending);
    if (!ended(ending) || !options_.promote_races || !promote_race()) return ending;
  }
}

Ending DirectedRuns::execute(Decisions& decisions) {
  for (;;) {
    explorer_->follow(decisions);
    explorer_->next_execution();
    execution_.take_restart_request();
    const Ending ending = execution_.run(*explorer_, body_);
    if (!execution_.take_restart_request()) return ending;
    if (memory_.threads.count() > clock_width_) {
      while (clock_width_ < memory_.threads.count()) clock_width_ *= 2;
      clock_width_ = std::min(clock_width_, kMaxThreads);
      explorer_ = std::make_unique<DirectedExplorer>(options_.model, clock_width_);
    }
  }
}

void DirectedRuns::write_down(const Failure& failure) {
  const Finding& finding = failure.finding;
  if (!can_be_minimised(finding.kind)) {
    findings_.add({finding}, failure.shown, failure.number);
    return;
  }
  const auto shows_it = [&](Ending end) {
    report_ending(execution_, end);
    return std::ranges::any_of(execution_.findings(), [&](const Finding& f) {
      return f.kind == finding.kind && f.message == finding.message;
    });
  };
  const TryDecisions attempt = [&](std::span<const TakenDecision> decisions) {
    const std::vector<std::uint8_t> bytes = bytes_of(decisions);
    ByteDecisions again(bytes);
    FailingRun run;
    again.record(&run.taken);
    Attempt result;
    run_from(failure.promoted, again, [&](Ending end) {
      result.work += execution_.graph().size() + kWorkOfAnyRun;
      if (end == Ending::inconsistent || !shows_it(end)) return true;
      measure(execution_.graph(), run);
      result.work += kWorkOfMeasuring * execution_.graph().size();
      result.shown = run;
      return false;
    });
    return result;
  };
  // What the bytes of these decisions come to, which is not quite the same if a race was promoted in between.
  const Attempt start = attempt(failure.taken);
  if (!start.shown) {
    findings_.add({finding}, failure.shown, failure.number);
    return;
  }
  const MinimisedRun smallest = weft::minimise(*start.shown, attempt, kMostWork);
  attempt(smallest.run.taken);  // it is the execution that has just been run, then
  const std::vector<std::uint8_t> bytes = bytes_of(smallest.run.taken);
  const FindingCollector::Shown smaller{token_of_run(execution_, options_),
                                        name_of_smaller_ ? name_of_smaller_(bytes) : std::string(), false};
  findings_.add_minimised(finding, failure.shown, smaller, smallest.complete, failure.number);
}

bool DirectedRuns::promote_race() {
  for (const Finding& finding : execution_.findings()) {
    if (finding.kind == FindingKind::data_race && finding.size != 0)
      return promote(memory_, {finding.address, finding.size, finding.frame});
  }
  return false;
}

Replay replay_input(const std::function<void()>& body, std::span<const std::uint8_t> input, const Options& options,
                    bool minimise) {
  DirectedRuns runs(body, options);
  ByteDecisions decisions(input);
  const std::string token = fuzz_token(input, options);
  runs.name_next(token);
  if (minimise) runs.minimise([&](std::span<const std::uint8_t> bytes) { return fuzz_token(bytes, options); });
  const Ending ending = runs.run(decisions);
  Replay result;
  result.status = Replay::Status::done;
  result.findings = runs.take_findings();
  if (ending == Ending::inconsistent && result.findings.empty()) {
    result.problem = "these bytes end in a wait or a repetition that is left out of the exploration";
    return result;
  }
  if (minimise && !result.findings.empty()) {
    const FindingReport& first = result.findings.front();
    result.trace = first.trace;
    result.columns = first.columns;
    result.steps = first.steps;
    return result;
  }
  const ScheduleToken schedule = token_of_run(runs.execution(), options);
  const ReplayRun run = run_schedule(body, schedule, options, runs.places());
  result.trace = replay_text(run, token, options);
  result.columns = columns_of(run.trace);
  result.steps = steps_of(run.trace);
  return result;
}

}  // namespace weft
