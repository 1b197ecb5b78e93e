// weft::sample: runs a body along schedules that a strategy draws, until something is found or all are tried.
#include <fmt/format.h>

#include <chrono>
#include <stdexcept>
#include <string>

#include "api/directed_runs.hpp"
#include "api/reasons.hpp"
#include "api/replay_in_child.hpp"
#include "explore/sampler.hpp"
#include "weft/weft.hpp"

namespace weft {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kTellEvery = 0.1;  // seconds
constexpr std::uint32_t kMostDepth = 1000;

class Sampling {
 public:
  Sampling(const std::function<void()>& body, const SampleOptions& how, const Options& options)
      : how_(how), options_(options), runs_(body, options), sampler_(make_sampler(how.strategy, how.seed, how.depth)) {
    if (how.minimise) runs_.minimise({});
    runs_.remember_races();
  }

  Result run() {
    while (tried_ < how_.runs && !runs_.findings().are_enough() && !limit_reached()) try_next();
    Result result;
    result.model = options_.model;
    result.verdict = verdict(result.reason);
    result.executions = executions_;
    result.blocked = tried_ - executions_ - deadlocks_;
    result.deadlocks = deadlocks_;
    result.seconds = seconds();
    result.findings = runs_.take_findings();
    return result;
  }

 private:
  void try_next() {
    const Ending ending = runs_.run(*sampler_);
    runs_.write_down();
    sampler_->next_run();
    ++tried_;
    if (is_execution(ending)) ++executions_;
    if (ending == Ending::deadlock) ++deadlocks_;
  }

  bool limit_reached() {
    const double now = seconds();
    if (options_.progress && now - told_at_ >= kTellEvery) {
      told_at_ = now;
      options_.progress({.executions = executions_,
                         .blocked = tried_ - executions_,
                         .seconds = now,
                         .fraction_done = static_cast<double>(tried_) / static_cast<double>(how_.runs)});
    }
    limit_ = limit_met(options_, now);
    return !limit_.empty();
  }

  Verdict verdict(std::string& reason) const {
    if (runs_.findings().has_bug()) return Verdict::bug;
    if (!limit_.empty()) {
      reason = fmt::format("{}, {} of {} schedules were tried", limit_, tried_, how_.runs);
      return Verdict::truncated;
    }
    reason = fmt::format("{} {} tried ({}), none failed", tried_, tried_ == 1 ? "schedule was" : "schedules were",
                         to_string(how_.strategy));
    const ExplorationMemory& memory = runs_.memory();
    if (executions_ == 0) {
      reason += "; none came to its end";
    } else if (const std::string_view condition = memory.conditions.never_held(); !condition.empty()) {
      reason += "; " + never_held_reason(condition);
    } else if (runs_.most_threads() < 2 && memory.most_tasks < 2) {
      reason += fmt::format("; {}", kNotConcurrent);
    }
    if (memory.bound != nullptr) reason += fmt::format("; {}", memory.bound);
    return Verdict::sampled;
  }

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  const SampleOptions& how_;
  const Options& options_;
  DirectedRuns runs_;
  std::unique_ptr<Sampler> sampler_;
  std::uint64_t tried_ = 0;
  std::uint64_t executions_ = 0;
  std::uint64_t deadlocks_ = 0;
  std::string limit_;
  double told_at_ = 0;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

Result sample(const std::function<void()>& body, const SampleOptions& how, const Options& options) {
  if (Execution::current() != nullptr) throw std::logic_error("weft::sample was called from inside an execution");
  if (how.runs == 0 || how.depth == 0 || how.depth > kMostDepth)
    throw std::invalid_argument("weft::sample needs at least one run, and a depth of 1 to 1000");
  try {
    Result result = Sampling(body, how, options).run();
    replay_in_child_if_asked(body, options, result.findings);
    return result;
  } catch (const std::exception& fault) {
    Result result;
    result.model = options.model;
    result.reason = fault.what();
    return result;
  }
}

}  // namespace weft
