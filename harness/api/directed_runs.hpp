// Runs a body as decisions from outside say, one execution for each set of decisions, and gathers what it shows.
//
// Each execution begins from nothing: what earlier ones have taught (which loops spin, which accesses race, in which
// order threads were met) would make the same decisions mean something else. So the same bytes are the same execution
// in every process that has the scenario. Only samples remember which accesses race, if asked to: what a race does is
// then looked for in all later runs, and its schedule token says what was known.
#pragma once

#include <algorithm>
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
  /// What runs since the last call showed and none before. Runs the body again.
  std::vector<FindingReport> take_findings() {
    write_down();
    return findings_.take();
  }
  /// Makes what runs have shown smaller, if that is asked for, and writes it down. take_findings() does it, too.
  void write_down();
  /// How reports name the decisions of the next run.
  void name_next(std::string schedule) { schedule_ = std::move(schedule); }
  /// False: runs are made, and what they show is not looked at.
  void look_for_findings(bool look) { look_ = look; }
  /// From now on what runs show is made smaller before it is written down (explore/minimise.hpp). `name`: how reports
  /// name the bytes of the smaller decisions; empty: by their schedule's token.
  void minimise(std::function<std::string(std::span<const std::uint8_t>)> name);
  /// From now on racing accesses that one run has met are relaxed atomics from the begin of the next.
  void remember_races() { remember_races_ = true; }

  const DirectedExplorer& explorer() const { return *explorer_; }
  Execution& execution() { return execution_; }
  SourcePlaces& places() { return findings_.places(); }
  const FindingCollector& findings() const { return findings_; }
  /// What was met in all runs: conditions, tasks, bounds. The rest is the last run's.
  const ExplorationMemory& memory() const { return memory_; }
  /// The most threads that a run had.
  std::size_t most_threads() const { return std::max(most_threads_, memory_.threads.count()); }

 private:
  /// What a run has shown, and all that it takes to make that run again.
  struct Failure {
    Finding finding;
    std::uint64_t number;  ///< of the run
    FindingCollector::Shown shown;
    PromotedMemory promoted;
    std::vector<TakenDecision> taken;
  };
  /// `ended` is told about each execution: that of the decisions, and those in which races that they show are promoted;
  /// false: enough.
  Ending run_from(const PromotedMemory& promoted, Decisions& decisions, const std::function<bool(Ending)>& ended);
  /// One execution, made again from nothing until it comes to an end.
  Ending execute(Decisions& decisions);
  void look_at(Ending ending, const std::vector<TakenDecision>& taken);
  void write_down(const Failure& failure);
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
  std::size_t most_threads_ = 0;
  bool look_ = true;
  bool minimise_ = false;
  std::function<std::string(std::span<const std::uint8_t>)> name_of_smaller_;
  bool remember_races_ = false;
  PromotedMemory promoted_;        // at the begin of each run
  std::vector<Failure> failures_;  // that are not written down yet
  TerminateGuard terminate_guard_;
  SignalGuard signal_guard_;
  detail::AroundExploration around_;
};

/// Runs the execution that a fuzzer's input stands for, and writes it down; `minimise`: what it finds, it makes smaller
/// first. For weft::replay and `weft replay --fuzz-input`.
Replay replay_input(const std::function<void()>& body, std::span<const std::uint8_t> input, const Options& options,
                    bool minimise);

}  // namespace weft
