#include "api/learn_again.hpp"

#include <algorithm>
#include <chrono>
#include <memory>

#include "api/learned.hpp"
#include "detect/signals.hpp"
#include "explore/exhaustive.hpp"
#include "report/memory_names.hpp"
#include "runtime/exploration.hpp"

namespace weft {
namespace {

using Clock = std::chrono::steady_clock;

/// Explores until it has learned one thing more, each time anew.
class Learner final : public ExplorationObserver {
 public:
  Learner(const std::function<void()>& body, const Options& options, SourcePlaces& places)
      : body_(body), options_(options), execution_(memory_) {
    memory_.objects.set_symbols(memory_names(places, execution_));
    apply(options, execution_);
    for (std::size_t t = 0; t < kMaxThreads; ++t) threads_.push_back(ThreadId{static_cast<std::uint16_t>(t)});
  }

  /// False if nothing is left to learn, or no time.
  bool learn_more() {
    const std::vector<Learned> before = learned();
    const SignalGuard signal_guard(execution_);
    starts_ = 0;
    race_.reset();
    run_exploration(
        body_, [this](std::size_t width) { return std::make_unique<ExhaustiveExplorer>(options_.model, width); },
        execution_, *this);
    if (race_) promote(memory_, {race_->address, race_->size, race_->frame});
    return learned() != before;
  }

  std::vector<Learned> learned() const { return what_was_learned(memory_, threads_); }

  void started() override { ++starts_; }
  bool run_ended(const Execution&, Ending, const ExplorationCounts&) override {
    for (const Finding& finding : execution_.findings()) {
      if (options_.promote_races && finding.kind == FindingKind::data_race && finding.size != 0) race_ = finding;
    }
    return starts_ == 1 && !race_ && Clock::now() < end_;
  }

 private:
  const std::function<void()>& body_;
  const Options& options_;
  ExplorationMemory memory_;
  Execution execution_;
  std::vector<ThreadId> threads_;  // by the numbers they have
  std::size_t starts_ = 0;
  std::optional<Finding> race_;
  const Clock::time_point end_ =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(kMostSecondsOfLearning));
};

}  // namespace

TokenRun run_token(const std::function<void()>& body, const ScheduleToken& token, const Options& options,
                   SourcePlaces& places) {
  const auto follows = [](const ReplayRun& run) { return run.problem.empty() && !run.left_for_finding; };
  TokenRun first{.run = {}, .token = token};
  drop_foreign(first.token.learned);  // it would be no more than wrong, or lead outside of all memory
  first.run = run_schedule(body, first.token, options, places);
  if (token.learned.empty() || follows(first.run)) return first;
  Learner learner(body, options, places);
  while (learner.learn_more()) {
    TokenRun again{.run = {}, .token = token};
    again.token.learned = learner.learned();
    again.run = run_schedule(body, again.token, options, places);
    const bool knows_enough = again.token.learned.size() >= token.learned.size();
    if (follows(again.run) || (again.run.problem.empty() && knows_enough)) return again;
  }
  return first;
}

}  // namespace weft
