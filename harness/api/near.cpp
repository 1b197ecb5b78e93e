#include "api/near.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "api/learned.hpp"
#include "detect/at_end.hpp"
#include "detect/signals.hpp"
#include "explore/nearby.hpp"
#include "runtime/exploration.hpp"

namespace weft {
namespace {

/// A choice may be between many: so many other values of each are tried.
constexpr std::uint32_t kMostValues = 8;

/// Of these no order is to blame, or no run would be cheap enough to be made often.
bool has_no_neighbours(FindingKind kind) {
  switch (kind) {
    case FindingKind::data_race:
    case FindingKind::endless_loop:
    case FindingKind::nondeterminism:
    case FindingKind::unsupported:
    case FindingKind::limit:
    case FindingKind::warning:
      return true;
    default:
      return false;
  }
}

bool is_access(OperationKind kind) {
  return kind == OperationKind::read || kind == OperationKind::write || kind == OperationKind::rmw ||
         kind == OperationKind::lock || kind == OperationKind::send;
}

bool writes(const Trace::Operation& operation) { return operation.writes || operation.kind == OperationKind::lock; }

struct Outcome {
  bool is_execution = false;  ///< complete, with the change
  bool passes = false;        ///< without a finding, too
  bool is_endless = false;
  ScheduleToken token{};  ///< of an execution
};

class Observer final : public ExplorationObserver {
 public:
  Observer(Execution& execution, const Options& options) : execution_(execution), options_(options) {}

  void watch(const NearbyExplorer& explorer) { explorer_ = &explorer; }

  bool run_ended(const Execution&, Ending ending, const ExplorationCounts&) override {
    report_ending(execution_, ending);
    const std::vector<Finding>& findings = execution_.findings();
    const auto is_bug = [](const Finding& finding) { return finding.kind != FindingKind::warning; };
    const bool found = std::any_of(findings.begin(), findings.end(), is_bug);
    const bool ended = ending != Ending::inconsistent && ending != Ending::blocked;
    outcome.is_execution = ended && explorer_->has_changed();
    outcome.passes = outcome.is_execution && ending == Ending::complete && !found;
    outcome.is_endless = std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
      return finding.kind == FindingKind::endless_loop || finding.kind == FindingKind::limit;
    });
    if (outcome.is_execution) outcome.token = token_of_run(execution_, options_);
    return false;
  }

  Outcome outcome;

 private:
  Execution& execution_;
  const Options& options_;
  const NearbyExplorer* explorer_ = nullptr;  // owned by the run
};

class Neighbours {
 public:
  Neighbours(const ReplayRun& run, const std::vector<std::uint32_t>& cited, const ScheduleToken& token,
             const std::function<void()>& body, const Options& options, SourcePlaces& places)
      : trace_(run.trace),
        cited_(cited),
        token_(token),
        body_(body),
        options_(options),
        places_(places),
        execution_(memory_),
        signal_guard_(execution_) {
    learn(memory_, token.learned);
    apply(options, execution_);
  }

  std::string text() {
    find_changes();
    std::size_t executions = 0;
    std::size_t runs = 0;
    bool are_all_tried = true;
    ScheduleChange made;  // the newest that led to an execution
    ScheduleToken with_it;
    for (const Candidate& candidate : candidates_) {
      if (++runs > kMostNearRuns) {
        are_all_tried = false;
        break;
      }
      const Outcome outcome = try_change(candidate.change);
      if (outcome.is_execution) {
        ++executions;
        made = candidate.change;
        with_it = outcome.token;
      }
      if (outcome.is_endless) {  // such runs take seconds
        are_all_tried = &candidate == &candidates_.back();
        break;
      }
      if (!outcome.passes) continue;
      const ReplayRun again = run_schedule(body_, outcome.token, options_, places_);
      const bool passes =
          again.problem.empty() && std::all_of(again.findings.begin(), again.findings.end(),
                                               [](const Finding& f) { return f.kind == FindingKind::warning; });
      if (passes) return "passes if " + words(candidate.change, again.trace);
    }
    if (candidates_.empty()) return "no other order, read or choice is possible";
    if (executions == 0) {
      return are_all_tried ? "no single change of order, read or choice is possible"
                           : "none of the single changes of order, read or choice that were tried is possible";
    }
    if (executions == 1 && are_all_tried) {
      const std::string change = words(made, run_schedule(body_, with_it, options_, places_).trace);
      return fmt::format("fails, too, if {}; no other single change is possible", change);
    }
    return fmt::format("none of {} single changes of order, read or choice passes", executions);
  }

 private:
  struct Candidate {
    ScheduleChange change;
    int untold = 0;  ///< how many of its two steps WHY does not name
  };

  void find_changes() {
    const std::size_t count = std::min(trace_.operations.size(), token_.schedule.steps.size());
    for (std::size_t i = 0; i < count; ++i) {
      const Trace::Operation& operation = trace_.operations[i];
      const std::uint32_t choice = token_.schedule.steps[i].choice;
      if (operation.kind == OperationKind::choose) {
        for (std::uint32_t value = 0; value < std::min(operation.options, kMostValues); ++value) {
          if (value != choice) add({.kind = ScheduleChange::Kind::choice, .step = i, .value = value}, 2);
        }
      }
      if (!is_access(operation.kind) || !operation.is_row) continue;
      const bool reads = operation.kind == OperationKind::read || operation.kind == OperationKind::rmw;
      if (reads && choice != 0) add({.kind = ScheduleChange::Kind::source, .step = i}, is_told(operation) ? 0 : 2);
      const auto other = std::find_if(
          trace_.operations.begin() + static_cast<std::ptrdiff_t>(i),
          trace_.operations.begin() + static_cast<std::ptrdiff_t>(count), [&](const Trace::Operation& later) {
            return later.thread != operation.thread && later.object_key == operation.object_key &&
                   is_access(later.kind) && (writes(operation) || writes(later));
          });
      if (other - trace_.operations.begin() == static_cast<std::ptrdiff_t>(count) || !other->is_row) continue;
      add({.kind = ScheduleChange::Kind::order,
           .step = i,
           .other = static_cast<std::size_t>(other - trace_.operations.begin())},
          (is_told(operation) ? 0 : 1) + (is_told(*other) ? 0 : 1));
    }
    std::stable_sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
      return a.untold != b.untold ? a.untold < b.untold : a.change.step > b.change.step;
    });
  }

  void add(const ScheduleChange& change, int untold) { candidates_.push_back({change, untold}); }

  bool is_told(const Trace::Operation& operation) const {
    return operation.is_row && std::find(cited_.begin(), cited_.end(), operation.number) != cited_.end();
  }

  Outcome try_change(const ScheduleChange& change) {
    Observer observer(execution_, options_);
    const auto make = [&](std::size_t clock_width) {
      auto explorer = std::make_unique<NearbyExplorer>(token_.schedule, change, options_.model, clock_width);
      observer.watch(*explorer);
      return explorer;
    };
    run_exploration(body_, make, execution_, observer);
    return observer.outcome;
  }

  std::string words(const ScheduleChange& change, const Trace& passing) const {
    const Trace::Operation& step = trace_.operations[change.step];
    switch (change.kind) {
      case ScheduleChange::Kind::order:
        return fmt::format("#{} comes after #{}", step.number, trace_.operations[change.other].number);
      case ScheduleChange::Kind::source:
        return fmt::format("#{} reads the newest value", step.number);
      case ScheduleChange::Kind::choice:
        break;
    }
    if (step.is_row) return fmt::format("#{} chooses {}", step.number, change.value);
    return what_comes_instead(trace_.columns[index(step.thread)], passing);
  }

  /// The first row of that thread that is another one: what it chose is not shown, but what came of it is.
  std::string what_comes_instead(const std::string& thread, const Trace& passing) const {
    const auto next = [&](const Trace& trace, std::size_t& i) {
      while (i < trace.rows.size() && (!trace.rows[i].shown() || trace.columns[index(trace.rows[i].thread)] != thread))
        ++i;
      return i < trace.rows.size() && !trace.rows[i].failing() ? &trace.rows[i] : nullptr;
    };
    for (std::size_t i = 0, j = 0;; ++i, ++j) {
      const TraceRow* const before = next(trace_, i);
      const TraceRow* const now = next(passing, j);
      if (before == nullptr && now == nullptr) return "a choice that is not shown is another one";
      const auto column = [](const Trace& trace, const TraceRow& row) { return trace.columns[row.column]; };
      const bool same = before != nullptr && now != nullptr && before->text == now->text &&
                        column(trace_, *before) == column(passing, *now);
      if (same) continue;
      if (now == nullptr) return fmt::format("{} ends before #{}", thread, before->number);
      const std::string what = fmt::format("\"{}\" ({}) comes", now->text, column(passing, *now));
      return before == nullptr ? what + " in the end" : fmt::format("{} in place of #{}", what, before->number);
    }
  }

  const Trace& trace_;
  const std::vector<std::uint32_t>& cited_;
  const ScheduleToken& token_;
  const std::function<void()>& body_;
  const Options& options_;
  SourcePlaces& places_;
  ExplorationMemory memory_;
  Execution execution_;
  const SignalGuard signal_guard_;
  std::vector<Candidate> candidates_;
};

}  // namespace

std::string near_text(const ReplayRun& run, FindingKind kind, const std::vector<std::uint32_t>& cited,
                      const ScheduleToken& token, const std::function<void()>& body, const Options& options,
                      SourcePlaces& places) {
  if (has_no_neighbours(kind) || !run.problem.empty()) return {};
  return Neighbours(run, cited, token, body, options, places).text();
}

}  // namespace weft
