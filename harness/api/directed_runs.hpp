// Runs a body as decisions from outside say, one execution for each set of decisions, and gathers what it shows.
//
// Each execution begins from nothing: what earlier ones have taught (which loops spin, which accesses race, in which
// order threads were met) would make the same decisions mean something else. So the same bytes are the same execution
// in every process that has the scenario.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "api/around_exploration.hpp"
#include "api/findings.hpp"
#include "detect/failures.hpp"
#include "detect/signals.hpp"
#include "explore/decisions.hpp"
#include "explore/directed.hpp"
#include "weft/weft.hpp"

namespace weft {

class DirectedRuns {
 public:
  /// `body` must outlive this. One at a time in a process, and no exploration meanwhile.
  DirectedRuns(const std::function<void()>& body, const Options& options);
  ~DirectedRuns();

  /// Makes the execution of these decisions. After a data race once more, with the racing accesses as relaxed atomics,
  /// if the options ask for that.
  Ending run(Decisions& decisions);
  /// What the last execution showed and none before it. `schedule` is how reports name the decisions.
  std::vector<FindingReport> take_findings() { return findings_.take(); }
  /// How reports name the decisions of the next run.
  void name_next(std::string schedule) { schedule_ = std::move(schedule); }
  /// False: runs are made, and what they show is not looked at.
  void look_for_findings(bool look) { look_ = look; }

  const DirectedExplorer& explorer() const { return *explorer_; }
  Execution& execution() { return execution_; }
  SourcePlaces& places() { return findings_.places(); }

 private:
  void forget();
  bool promote_race();

  const std::function<void()>& body_;
  Options options_;
  ExplorationMemory memory_;
  Execution execution_;
  FindingCollector findings_;
  std::size_t clock_width_ = 8;
  std::unique_ptr<DirectedExplorer> explorer_;
  std::string schedule_;
  std::uint64_t number_ = 0;
  bool look_ = true;
  TerminateGuard terminate_guard_;
  SignalGuard signal_guard_;
  detail::AroundExploration around_;
};

/// Runs the execution that a fuzzer's input stands for, and writes it down. For weft::replay.
Replay replay_input(const std::function<void()>& body, std::span<const std::uint8_t> input, const Options& options);

}  // namespace weft
