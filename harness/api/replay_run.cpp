#include "api/replay_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "api/learned.hpp"
#include "detect/at_end.hpp"
#include "detect/signals.hpp"
#include "explore/operation_words.hpp"
#include "explore/replay.hpp"
#include "report/memory_names.hpp"
#include "runtime/call_stack.hpp"
#include "runtime/exploration.hpp"
#include "runtime/object_words.hpp"

namespace weft {
namespace {

class ReplayObserver final : public ExplorationObserver {
 public:
  ReplayObserver(Execution& execution, SourcePlaces& places, std::optional<TraceRecorder::Race> race)
      : execution_(execution), places_(places), race_(race) {
    keep_call_stacks(true);
  }
  ~ReplayObserver() override {
    execution_.set_listener(nullptr);
    keep_call_stacks(false);
  }
  ReplayObserver(const ReplayObserver&) = delete;
  ReplayObserver& operator=(const ReplayObserver&) = delete;

  /// Whose divergence is asked for when the run has ended.
  void watch(const ReplayExplorer& explorer) { explorer_ = &explorer; }

  void started() override {
    recorder_.emplace(execution_, places_, race_);
    execution_.set_listener(&*recorder_);
  }
  bool run_ended(const Execution&, Ending ending, const ExplorationCounts&) override {
    report_ending(execution_, ending);
    trace = recorder_->take();
    findings = execution_.findings();
    operations = operations_hash(execution_.graph());
    divergence = explorer_->divergence();
    if (divergence && is_due_to_finding(*divergence)) {
      if (divergence->why == Divergence::Why::not_ready) operations.reset();
      divergence.reset();
      left_for_finding = true;
    }
    return false;
  }

  Trace trace;
  std::vector<Finding> findings;
  std::optional<std::uint16_t> operations;  ///< their hash; none if the schedule was left for a finding
  std::optional<Divergence> divergence;
  bool left_for_finding = false;

 private:
  /// Of the two threads that such a finding concerns, the one that comes second is stopped. Here it may be the other
  /// one than in the run of which the token is: then the one lacks steps of the schedule, and the other still has some.
  bool is_due_to_finding(const Divergence& d) const {
    const bool concerns_two = std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
      return finding.kind == FindingKind::use_after_free || finding.kind == FindingKind::data_race;
    });
    if (!concerns_two) return false;
    if (d.why == Divergence::Why::goes_on) return true;
    return d.why == Divergence::Why::not_ready && execution_.thread(d.thread).state == Execution::ThreadState::halted;
  }

  Execution& execution_;
  SourcePlaces& places_;
  std::optional<TraceRecorder::Race> race_;
  const ReplayExplorer* explorer_ = nullptr;  // owned by the run
  std::optional<TraceRecorder> recorder_;
};

std::string describe(const Divergence& divergence, const ExplorationMemory& memory) {
  const auto got = [&] {
    return operation_text(*divergence.got,
                          has_location(*divergence.got) ? location_name(memory, divergence.location) : "");
  };
  const std::string operation =
      fmt::format("operation {} of thread {}", divergence.operation, index(divergence.thread));
  const std::size_t step = divergence.step + 1;
  switch (divergence.why) {
    case Divergence::Why::other_operation:
      return fmt::format("the schedule diverged at step {}: {} was {}, now it is {}", step, operation,
                         operation_text(*divergence.expected, {}), got());
    case Divergence::Why::not_ready:
      return fmt::format(
          "the schedule diverged at step {}: {} was {}, now the thread waits, has ended, or was never started", step,
          operation, operation_text(*divergence.expected, {}));
    case Divergence::Why::impossible:
      return fmt::format(
          "the schedule diverged at step {}: {} is {}, which the memory model does not allow to go as the token says",
          step, operation, got());
    case Divergence::Why::goes_on:
      return fmt::format("the schedule diverged at its end: it has {} steps, now thread {} goes on with {}",
                         divergence.step, index(divergence.thread), got());
  }
  return {};
}

ReplayRun run_once(const std::function<void()>& body, const ScheduleToken& token, const Options& options,
                   SourcePlaces& places, std::optional<TraceRecorder::Race> race) {
  ExplorationMemory memory;
  learn(memory, token.learned);
  Execution execution(memory);
  memory.objects.set_symbols(memory_names(places, execution));
  apply(options, execution);
  execution.record_fully();
  const SignalGuard signal_guard(execution);
  ReplayObserver observer(execution, places, race);
  const auto make = [&](std::size_t clock_width) {
    auto explorer = std::make_unique<ReplayExplorer>(token.schedule, options.model, clock_width);
    observer.watch(*explorer);
    return explorer;
  };
  run_exploration(body, make, execution, observer);

  ReplayRun result{.trace = std::move(observer.trace),
                   .findings = std::move(observer.findings),
                   .problem = {},
                   .left_for_finding = observer.left_for_finding};
  if (observer.divergence) {
    result.problem = describe(*observer.divergence, memory);
  } else if (observer.operations.value_or(token.schedule.operations_hash) != token.schedule.operations_hash) {
    result.problem =
        "the schedule fits, but its operations are on other objects or have other memory orders than when the token "
        "was made";
  }
  return result;
}

/// A race whose accesses are no visible operations: what the earlier one was is known only when the later one comes.
std::optional<TraceRecorder::Race> race_of(const ReplayRun& run) {
  for (const Finding& finding : run.findings) {
    if (finding.kind != FindingKind::data_race || finding.sites.size() != 2) continue;
    const FindingSite& site = finding.sites.front();
    return TraceRecorder::Race{{site.thread, site.events_before, site.place}, finding.address, finding.size};
  }
  return std::nullopt;
}

}  // namespace

void apply(const Options& options, Execution& execution) {
  execution.set_max_steps(options.max_steps);
  execution.set_detect_leaks(options.detect_leaks);
  execution.set_spurious_wakeups(options.spurious_wakeups);
}

ReplayRun run_schedule(const std::function<void()>& body, const ScheduleToken& token, const Options& options,
                       SourcePlaces& places) {
  ReplayRun run = run_once(body, token, options, places, {});
  if (const auto race = race_of(run)) run = run_once(body, token, options, places, race);
  return run;
}

ScheduleToken token_of_run(Execution& execution, const Options& options) {
  // A finding may have stopped a thread earlier than in the run that built the graph, see Execution::request_repeat().
  std::vector<std::uint32_t> lengths;
  for (std::size_t t = 0; t < execution.graph().thread_count(); ++t) {
    lengths.push_back(execution.events_of_run(ThreadId{static_cast<std::uint16_t>(t)}));
  }
  ExecutionGraph executed(execution.graph().clock_width());
  executed.assign_part(execution.graph(), lengths);
  std::vector<ThreadId> renamed;
  ScheduleToken token;
  token.scenario_hash = scenario_hash(options.name, options.model);
  token.schedule = schedule_of(executed, &renamed);
  token.learned = what_was_learned(execution.memory(), renamed);
  return token;
}

}  // namespace weft
