// weft::explore and weft::replay: drives an exploration, watches its limits, gathers findings, and gives the verdict.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "api/around_exploration.hpp"
#include "api/directed_runs.hpp"
#include "api/duplicates.hpp"
#include "api/findings.hpp"
#include "api/fuzz_token.hpp"
#include "api/learn_again.hpp"
#include "api/learned.hpp"
#include "api/reasons.hpp"
#include "api/replay_in_child.hpp"
#include "api/size_estimator.hpp"
#include "detect/failures.hpp"
#include "detect/signals.hpp"
#include "explore/exhaustive.hpp"
#include "report/memory_names.hpp"
#include "report/trace_steps.hpp"
#include "runtime/exploration.hpp"
#include "weft/weft.hpp"

namespace weft {
namespace {

using Clock = std::chrono::steady_clock;

class Search final : public ExplorationObserver {
 public:
  Search(const std::function<void()>& body, const Options& options)
      : body_(body), options_(options), execution_(memory_), findings_(body, options, execution_) {
    apply(options, execution_);
    if (!options.learned.empty()) learn(memory_, parse_learned(options.learned));
    memory_.objects.set_symbols(memory_names(findings_.places(), execution_));
  }

  Result run() {
    const TerminateGuard terminate_guard;
    const SignalGuard signal_guard(execution_);
    const detail::AroundExploration around;
    Result result;
    result.model = options_.model;
    try_known_schedules();
    if (!findings_.are_enough()) explore();
    if (options_.shards != 1) result.part = part();
    result.verdict = verdict(result.reason);
    result.executions = counts_.executions + counts_.failed;
    result.blocked = blocked();
    result.deadlocks = counts_.deadlocks;
    if (options_.count_duplicates) result.duplicates = duplicates_.count();
    result.seconds = seconds();
    result.fraction_done = counts_.nothing_left ? 1 : explorer_fraction_;  // a sum of fractions, rounded
    if (result.verdict == Verdict::truncated) {
      result.at_least_done = at_least_done_;
      result.total = total();
    }
    result.findings = findings_.take();
    return result;
  }

  void started() override {
    progress_.started_again = counts_.runs != 0;
    counts_ = {};
    duplicates_.clear();
    at_least_done_ = 0;
    learned_ = learned();
    threads_ = memory_.threads.to_string();
  }

  bool run_ended(const Execution&, Ending ending, const ExplorationCounts& counts) override {
    counts_ = counts;
    explorer_fraction_ = explorer_->fraction_done();
    if (counts.last_run_counts) {
      if (options_.count_duplicates && ending == Ending::complete) duplicates_.add(execution_);
      findings_.collect(ending, executions());
    }
    if (options_.promote_races && find_race_to_promote()) return false;
    if (findings_.are_enough() || limit_reached()) return false;
    if (estimator_) {
      estimator_->keep_up_with(counts.runs, execution_);
      at_least_done_ = std::max(at_least_done_, at_least_done());
    }
    return true;
  }

 private:
  void try_known_schedules() {
    for (const std::string& schedule : options_.known_schedules) findings_.collect_known(schedule);
  }

  void explore() {
    const auto make = [this](std::size_t clock_width) {
      auto explorer = std::make_unique<ExhaustiveExplorer>(options_.model, clock_width,
                                                           SearchPart{options_.shard, options_.shards});
      explorer_ = explorer.get();
      if (options_.estimate_total) estimator_.emplace(body_, options_.model, clock_width);
      return explorer;
    };
    do {
      race_ = {};
      counts_ = run_exploration(body_, make, execution_, *this);
      // What a race does is seen when its accesses take part in the exploration: once more, from nothing.
    } while (race_ && promote(memory_, {race_->address, race_->size, race_->frame}));
  }

  std::string learned() const {
    std::vector<ThreadId> same_numbers;
    for (std::size_t t = 0; t < kMaxThreads; ++t) same_numbers.push_back(ThreadId{static_cast<std::uint16_t>(t)});
    return to_string(what_was_learned(memory_, same_numbers));
  }

  SearchPartReport part() const {
    SearchPartReport part{.shard = options_.shard,
                          .shards = options_.shards,
                          .learned = learned_,
                          .threads = threads_,
                          .bound = memory_.bound == nullptr ? "" : memory_.bound,
                          .is_concurrent = is_concurrent()};
    for (const Conditions::Condition& condition : memory_.conditions.all())
      part.conditions.push_back({condition.name, condition.held});
    return part;
  }

  bool is_concurrent() const { return memory_.threads.count() >= 2 || memory_.most_tasks >= 2; }

  bool find_race_to_promote() {
    for (const Finding& finding : execution_.findings()) {
      if (finding.kind == FindingKind::data_race && finding.size != 0) race_ = finding;
    }
    return race_.has_value();
  }

  /// What is known of the number of executions, which is no smaller than what was met. In a part of the search, that of
  /// the whole.
  std::optional<TotalEstimate> total() const {
    std::optional<TotalEstimate> estimate = estimator_ ? estimator_->estimate() : std::nullopt;
    if (!estimate) return estimate;
    const auto met = static_cast<double>(counts_.executions + counts_.failed);
    for (double* const number : {&estimate->low, &estimate->likely, &estimate->high}) *number = std::max(*number, met);
    return estimate;
  }

  /// The two ways to tell how much is done are wrong in different places: the search tree's weight where subtrees of
  /// the same weight differ in size, the estimate where a large part is hard to come to.
  double at_least_done() const {
    const std::optional<double> total = estimator_->cautious_total();
    if (!total || options_.shards != 1) return 0;
    return std::min(explorer_fraction_, static_cast<double>(counts_.executions + counts_.failed) / *total);
  }

  /// Deadlocks among them, as reports count.
  std::uint64_t executions() const { return counts_.executions + counts_.failed + counts_.deadlocks; }
  std::uint64_t blocked() const { return counts_.blocked - counts_.deadlocks; }

  bool limit_reached() {
    if (options_.max_executions != 0 && executions() + blocked() >= options_.max_executions) {
      limit_ = fmt::format("--max-executions: {} executions were explored", executions());
      if (blocked() != 0) limit_ += fmt::format(", and {} that are blocked, which count, too", blocked());
    } else if (time_to_look_at_the_clock()) {
      look_around();
    }
    return !limit_.empty();
  }

  void look_around() {
    if (options_.progress && looked_at_ - told_at_ >= 0.1) {
      told_at_ = looked_at_;
      progress_.executions = counts_.executions + counts_.failed;
      progress_.blocked = counts_.blocked;
      progress_.seconds = looked_at_;
      progress_.fraction_done = explorer_fraction_;
      progress_.at_least_done = at_least_done_;
      progress_.total = total();
      options_.progress(progress_);
    }
    limit_ = limit_met(options_, looked_at_);
  }

  /// Runs may take a microsecond or a second each: looks once in a while, but not much later than every 10 ms.
  bool time_to_look_at_the_clock() {
    if (counts_.runs < next_look_ && counts_.runs >= last_look_) return false;
    const double now = seconds();
    const bool often = now - looked_at_ < 0.005;
    look_every_ = often ? std::min<std::uint64_t>(look_every_ * 2, 1024) : 1;
    looked_at_ = now;
    last_look_ = counts_.runs;
    next_look_ = counts_.runs + look_every_;
    return true;
  }

  Verdict verdict(std::string& reason) const {
    if (findings_.has_bug()) return Verdict::bug;
    if (!limit_.empty()) {
      reason = limit_;
      return Verdict::truncated;
    }
    if (options_.shards != 1) {  // whether conditions never held, only all parts together show
      reason = fmt::format("this is shard {} of {}", options_.shard, options_.shards);
      return Verdict::bounded;
    }
    if (counts_.executions == 0) {
      reason = kNoExecution;
      return Verdict::vacuous;
    }
    if (const std::string_view condition = memory_.conditions.never_held(); !condition.empty()) {
      reason = never_held_reason(condition);
      return Verdict::vacuous;
    }
    if (!is_concurrent()) {
      reason = kNotConcurrent;
      return Verdict::vacuous;
    }
    if (memory_.bound != nullptr) {
      reason = memory_.bound;
      return Verdict::bounded;
    }
    return Verdict::proved;
  }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  const std::function<void()>& body_;
  const Options& options_;
  ExplorationMemory memory_;
  Execution execution_;
  FindingCollector findings_;
  DuplicateCounter duplicates_;
  ExhaustiveExplorer* explorer_ = nullptr;  // owned by the running exploration
  std::optional<SizeEstimator> estimator_;
  ExplorationCounts counts_;
  double at_least_done_ = 0;
  std::string learned_;  // before the last start
  std::string threads_;  // as they were numbered then
  double explorer_fraction_ = 0;
  std::optional<Finding> race_;  // found in the last start, to be promoted before the next
  std::string limit_;
  std::uint64_t last_look_ = 0;  // at the clock, in runs; they begin again with each start
  std::uint64_t next_look_ = 0;
  std::uint64_t look_every_ = 1;
  double looked_at_ = 0;  // in seconds from the start
  double told_at_ = 0;    // about progress
  Progress progress_;
  Clock::time_point start_ = Clock::now();
};

constexpr const char* kForeignToken = "the schedule token is of another scenario, variant or memory model";

Replay replay_fuzz_token(const std::function<void()>& body, const std::string& token, const Options& options) {
  const FuzzToken parsed = parse_fuzz_token(token);
  if (parsed.scenario_hash == scenario_hash(options.name, options.model))
    return replay_input(body, parsed.input, options, false);
  Replay result;
  result.status = Replay::Status::foreign;
  result.problem = kForeignToken;
  return result;
}

}  // namespace

Result explore(const std::function<void()>& body, const Options& options) {
  if (Execution::current() != nullptr) throw std::logic_error("weft::explore was called from inside an execution");
  if (options.shard < 1 || options.shard > options.shards) {
    throw std::invalid_argument(fmt::format("weft::explore: there is no part {} of {}", options.shard, options.shards));
  }
  try {
    if (!options.learned.empty()) {
      std::vector<Learned> learned = parse_learned(options.learned);
      const std::size_t count = learned.size();
      drop_foreign(learned);
      if (learned.size() != count)
        throw std::invalid_argument("what was learned is of memory that this program does not have");
    }
  } catch (const MalformedToken& malformed) {
    throw std::invalid_argument(malformed.what());
  }
  try {
    Result result = Search(body, options).run();
    replay_in_child_if_asked(body, options, result.findings);
    return result;
  } catch (const std::exception& fault) {
    Result result;
    result.model = options.model;
    result.reason = fault.what();
    return result;
  }
}

Replay replay(const std::function<void()>& body, const std::string& schedule, const Options& options) {
  if (Execution::current() != nullptr) throw std::logic_error("weft::replay was called from inside an execution");
  Replay result;
  try {
    if (is_fuzz_token(schedule)) return replay_fuzz_token(body, schedule, options);
    const ScheduleToken token = parse_schedule_token(schedule);
    if (token.scenario_hash != scenario_hash(options.name, options.model)) {
      result.status = Replay::Status::foreign;
      result.problem = kForeignToken;
      return result;
    }
    const TerminateGuard terminate_guard;
    const detail::AroundExploration around;
    SourcePlaces places;
    const auto [run, used] = run_token(body, token, options, places);
    result.status = run.problem.empty() ? Replay::Status::done : Replay::Status::diverged;
    result.problem = run.problem;
    result.findings = reports_of_replay(run, used, body, options, places);
    result.trace = replay_text(run, to_string(used), options);
    result.columns = columns_of(run.trace);
    result.steps = steps_of(run.trace);
  } catch (const MalformedToken& malformed) {
    result.status = Replay::Status::malformed;
    result.problem = malformed.what();
  }
  return result;
}

}  // namespace weft
