#include "api/directed_runs.hpp"

#include <algorithm>

#include "api/fuzz_token.hpp"
#include "report/memory_names.hpp"
#include "report/trace_steps.hpp"

namespace weft {

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

void DirectedRuns::forget() {
  memory_ = {};
  memory_.objects.set_symbols(memory_names(findings_.places(), execution_));
}

Ending DirectedRuns::run(Decisions& decisions) {
  forget();
  ++number_;
  for (;;) {
    explorer_->follow(decisions);
    explorer_->next_execution();
    execution_.take_restart_request();
    const Ending ending = execution_.run(*explorer_, body_);
    if (execution_.take_restart_request()) {
      if (memory_.threads.count() > clock_width_) {
        while (clock_width_ < memory_.threads.count()) clock_width_ *= 2;
        clock_width_ = std::min(clock_width_, kMaxThreads);
        explorer_ = std::make_unique<DirectedExplorer>(options_.model, clock_width_);
      }
      continue;
    }
    explorer_->execution_ended(ending);
    if (look_) findings_.collect(ending, number_, schedule_);
    if (!options_.promote_races || !promote_race()) return ending;
  }
}

bool DirectedRuns::promote_race() {
  for (const Finding& finding : execution_.findings()) {
    if (finding.kind == FindingKind::data_race && finding.size != 0)
      return promote(memory_, {finding.address, finding.size, finding.frame});
  }
  return false;
}

Replay replay_input(const std::function<void()>& body, std::span<const std::uint8_t> input, const Options& options) {
  DirectedRuns runs(body, options);
  ByteDecisions decisions(input);
  const std::string token = fuzz_token(input, options);
  runs.name_next(token);
  const Ending ending = runs.run(decisions);
  Replay result;
  result.status = Replay::Status::done;
  result.findings = runs.take_findings();
  if (ending == Ending::inconsistent && result.findings.empty()) {
    result.problem = "these bytes end in a wait or a repetition that is left out of the exploration";
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
