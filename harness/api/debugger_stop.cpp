#include "api/debugger_stop.hpp"

#include <fmt/format.h>
#include <unwind.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "api/around_exploration.hpp"
#include "api/directed_runs.hpp"
#include "api/fuzz_token.hpp"
#include "api/learned.hpp"
#include "api/replay_run.hpp"
#include "detect/failures.hpp"
#include "detect/signals.hpp"
#include "explore/replay.hpp"
#include "runtime/exploration.hpp"

// For debuggers: where the scenario's frame begins, as they count it (the canonical frame address of DWARF), and how
// many inlined calls below it the scenario's line is.
extern "C" {
extern volatile std::uintptr_t weft_frame;
extern volatile std::uintptr_t weft_inlined;
volatile std::uintptr_t weft_frame = 0;
volatile std::uintptr_t weft_inlined = 0;
}

namespace weft {
namespace {

/// The moment before one row of a trace, so that another run of the same schedule comes by it.
struct Stop {
  ThreadId thread{};
  std::uint32_t events_before = 0;
  std::uint32_t note = 0;       ///< the stop is at this note of the thread, counted from 1; 0: at none
  const void* place = nullptr;  ///< at the plain access there; null: at none
};

Stop stop_before(const Trace& trace, const TraceRow& row) {
  Stop stop{.thread = row.thread, .events_before = row.events_before};
  if (row.kind == TraceRow::Kind::note) {
    for (const TraceRow& other : trace.rows) {
      stop.note += other.kind == TraceRow::Kind::note && other.thread == row.thread ? 1 : 0;
      if (&other == &row) break;
    }
  }
  return stop;
}

/// Goes through the frames of the running thread, from the innermost on, to the first with a line of the user's own.
class SearchForScenario {
 public:
  explicit SearchForScenario(SourcePlaces& places) : places_(places) {}

  /// For the debugger.
  void write_down() {
    _Unwind_Backtrace(&SearchForScenario::visit, this);
    weft_frame = frame_;
    weft_inlined = inlined_;
  }

 private:
  static _Unwind_Reason_Code visit(_Unwind_Context* context, void* data) {
    auto& self = *static_cast<SearchForScenario*>(data);
    if (self.found_) {  // what the caller is entered with is the end of the frame before it
      self.frame_ = _Unwind_GetCFA(context);
      return _URC_END_OF_STACK;
    }
    const auto* const address = reinterpret_cast<const void*>(_Unwind_GetIP(context));
    if (SourcePlaces::is_own_code(address)) return _URC_NO_REASON;
    const std::vector<SourceLine>& calls = self.places_.inlined_calls(address);
    const auto of_user =
        std::find_if(calls.begin(), calls.end(), [](const SourceLine& line) { return !line.of_system; });
    self.found_ = of_user != calls.end();
    if (self.found_) self.inlined_ = static_cast<std::uintptr_t>(calls.end() - of_user) - 1;
    return _URC_NO_REASON;
  }

  SourcePlaces& places_;
  bool found_ = false;
  std::uintptr_t frame_ = 0;
  std::uintptr_t inlined_ = 0;
};

class StoppingListener final : public StepListener {
 public:
  StoppingListener(const Stop& stop, SourcePlaces& places) : stop_(stop), places_(places) {}

  void run_begins() override { notes_ = 0; }
  void step(ThreadId, EventId, const Operation&) override {}
  void before_step(ThreadId thread, std::size_t events_before) {
    if (stop_.note == 0 && stop_.place == nullptr && thread == stop_.thread && events_before == stop_.events_before)
      stop();
  }
  void note(ThreadId thread, const detail::Note&, const void*) override {
    if (thread == stop_.thread && ++notes_ == stop_.note) stop();
  }
  void plain_access(const AccessSite& site, bool, std::uintptr_t, std::size_t) override {
    if (site == AccessSite{stop_.thread, stop_.events_before, stop_.place}) stop();
  }

 private:
  void stop() {
    if (std::exchange(has_stopped_, true)) return;  // the place may be passed again, as in a loop
    SearchForScenario(places_).write_down();
    __asm__ volatile("int3");  // a signal that is sent would show the C library on top
  }

  Stop stop_;
  SourcePlaces& places_;
  std::uint32_t notes_ = 0;
  bool has_stopped_ = false;
};

/// Follows the schedule, and says before each step that it is about to be taken.
class StoppingExplorer final : public Explorer {
 public:
  StoppingExplorer(const Schedule& schedule, Model model, std::size_t clock_width, StoppingListener& listener)
      : replay_(schedule, model, clock_width), listener_(listener) {}

  bool next_execution() override { return replay_.next_execution(); }
  const ExecutionGraph& graph() const override { return replay_.graph(); }
  bool lowest_thread_first() const override { return replay_.lowest_thread_first(); }
  std::optional<ThreadId> choose_thread(std::span<const ReadyThread> ready) override {
    return replay_.choose_thread(ready);
  }
  bool resumes_spin(ThreadId t) override { return replay_.resumes_spin(t); }
  Step extend(ThreadId t, LocationId l, const Operation& operation) override {
    listener_.before_step(t, graph().thread(t).size());
    return replay_.extend(t, l, operation);
  }
  Step finish(ThreadId t, const Operation& operation, Value result) override {
    return replay_.finish(t, operation, result);
  }
  void execution_ended(Ending ending) override { replay_.execution_ended(ending); }

 private:
  ReplayExplorer replay_;
  StoppingListener& listener_;
};

class OneRun final : public ExplorationObserver {
 public:
  bool run_ended(const Execution&, Ending, const ExplorationCounts&) override { return false; }
};

void run_to(const Stop& stop, const std::function<void()>& body, const ScheduleToken& token, const Options& options,
            SourcePlaces& places) {
  ExplorationMemory memory;
  learn(memory, token.learned);
  Execution execution(memory);
  apply(options, execution);
  execution.record_fully();
  StoppingListener listener(stop, places);
  execution.set_listener(&listener);
  const SignalGuard signal_guard(execution);
  OneRun observer;
  const auto make = [&](std::size_t clock_width) {
    return std::make_unique<StoppingExplorer>(token.schedule, options.model, clock_width, listener);
  };
  run_exploration(body, make, execution, observer);
}

const TraceRow& row_of(const Trace& trace, std::uint32_t step) {
  const TraceRow* found = nullptr;
  for (const TraceRow& row : trace.rows) {
    if (!row.shown() || row.number == 0) continue;
    if (step == 0 || row.number == step) found = &row;
    if (row.number == step) break;
  }
  if (found == nullptr)
    throw std::out_of_range(step == 0 ? "the execution has no step to stop before"
                                      : fmt::format("the execution has no step {}", step));
  return *found;
}

std::string place_text(const Trace& trace, const TraceRow& row) {
  return fmt::format("step {} of {}: {}{}", row.number, trace.columns[row.column], row.text,
                     row.place.empty() ? "" : fmt::format(" ({})", row.place));
}

ScheduleToken token_of_input(const std::function<void()>& body, const std::string& schedule, const Options& options) {
  const FuzzToken parsed = parse_fuzz_token(schedule);
  DirectedRuns runs(body, options);
  ByteDecisions decisions(parsed.input);
  runs.look_for_findings(false);
  runs.run(decisions);
  return token_of_run(runs.execution(), options);
}

}  // namespace

bool is_traced_by_debugger() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word != "TracerPid:") {
      status.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
      continue;
    }
    long tracer = 0;
    status >> tracer;
    return tracer != 0;
  }
  return false;
}

Replay replay_with_stop(const std::function<void()>& body, const std::string& schedule, const Options& options,
                        std::uint32_t step, const std::function<void(const std::string&)>& announce) {
  Replay result = replay(body, schedule, options);
  if (result.status == Replay::Status::malformed || result.status == Replay::Status::foreign) return result;
  ScheduleToken token =
      is_fuzz_token(schedule) ? token_of_input(body, schedule, options) : parse_schedule_token(schedule);
  drop_foreign(token.learned);
  const TerminateGuard terminate_guard;
  const detail::AroundExploration around;
  SourcePlaces places;
  const ReplayRun run = run_schedule(body, token, options, places);
  const TraceRow& row = row_of(run.trace, step);
  Stop stop = stop_before(run.trace, row);
  if (row.plain_access != nullptr) stop.place = row.plain_access;
  announce(place_text(run.trace, row));
  run_to(stop, body, token, options, places);
  return result;
}

}  // namespace weft
