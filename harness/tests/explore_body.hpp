// Test driver: explores a body exhaustively, straight on the engine, and collects what its executions came to.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "explore/exhaustive.hpp"
#include "runtime/exploration.hpp"

namespace weft::test {

/// What an exploration found. Outcomes are what the body passed to `record` in its complete executions.
struct Explored {
  ExplorationCounts counts;
  std::map<std::string, int> outcomes;  ///< of complete executions, with how many had it
  std::map<std::string, int> findings;  ///< messages
  std::vector<FindingKind> kinds;       ///< of all findings
  std::vector<Finding> first_findings;  ///< of the first run that had any
  const char* bound = nullptr;          ///< what kept the exploration from some executions
  std::vector<std::string> outcome_set() const {
    std::vector<std::string> set;
    for (const auto& [outcome, count] : outcomes) set.push_back(outcome);
    return set;
  }
};

/// Collects the outcome of one execution; bodies call it as `record(value)`, in the order of the words of the outcome.
class Recorder {
 public:
  /// May be called inside an execution: it keeps to memory of its own, which is not put back after the run.
  void operator()(std::uint64_t value) {
    const Execution::Outside outside;
    if (count_ < kMost) values_[count_++] = value;
  }
  std::string take() {
    std::string text;
    for (std::size_t i = 0; i < count_; ++i) text += (i == 0 ? "" : " ") + std::to_string(values_[i]);
    count_ = 0;
    return text;
  }

 private:
  static constexpr std::size_t kMost = 64;
  std::uint64_t values_[kMost] = {};
  std::size_t count_ = 0;
};

inline Explored explore_body(const std::function<void(Recorder&)>& body, Model model = Model::rc11,
                             std::uint64_t max_runs = 2'000'000,
                             const std::function<void(Execution&)>& at_end = nullptr, bool promote_races = false,
                             std::uint32_t spurious_wakeups = 0) {
  struct Observer : ExplorationObserver {
    Explored result;
    Recorder recorder;
    std::uint64_t max_runs = 0;
    std::function<void(Execution&)> at_end;
    bool promote_races = false;
    std::vector<Finding> races;  // found before the exploration started again
    void started() override { result = {}; }
    bool run_ended(const Execution& execution, Ending ending, const ExplorationCounts& counts) override {
      const std::string outcome = recorder.take();
      if (ending == Ending::complete) ++result.outcomes[outcome];
      Execution& mutable_execution = const_cast<Execution&>(execution);
      if (result.first_findings.empty()) result.first_findings = mutable_execution.findings();
      for (const Finding& finding : mutable_execution.findings()) {
        if (promote_races && finding.kind == FindingKind::data_race &&
            promote(mutable_execution.memory(), {finding.address, finding.size, finding.frame})) {
          races.push_back(finding);
          mutable_execution.request_restart();
        }
        ++result.findings[finding.message];
        result.kinds.push_back(finding.kind);
      }
      if (at_end && (ending == Ending::deadlock || ending == Ending::complete))
        at_end(const_cast<Execution&>(execution));
      return counts.runs < max_runs;
    }
  } observer;
  observer.max_runs = max_runs;
  observer.at_end = at_end;
  observer.promote_races = promote_races;
  ExplorationMemory memory;
  Execution execution(memory);
  execution.set_spurious_wakeups(spurious_wakeups);
  const std::function<void()> run = [&] {
    {
      const Execution::Outside outside;
      observer.recorder.take();
    }
    body(observer.recorder);
  };
  observer.result.counts = run_exploration(
      run, [model](std::size_t width) { return std::make_unique<ExhaustiveExplorer>(model, width); }, execution,
      observer);
  observer.result.bound = memory.bound;
  for (const Finding& race : observer.races) observer.result.first_findings.push_back(race);
  return std::move(observer.result);
}

}  // namespace weft::test
