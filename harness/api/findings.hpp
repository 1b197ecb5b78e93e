// Gathers what the runs of an exploration found, each different finding once, replays it, and writes it down.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "api/replay_run.hpp"
#include "runtime/execution.hpp"
#include "weft/weft.hpp"

namespace weft {

class FindingCollector {
 public:
  FindingCollector(const std::function<void()>& body, const Options& options, Execution& execution)
      : body_(body), options_(options), execution_(execution) {}

  /// Takes over the findings of the run that has just ended. `number` counts executions, from 1. Runs the body again.
  /// `name`: what reports call the schedule; its token if there is none.
  void collect(Ending ending, std::uint64_t number, const std::string& name = {});

  /// Runs the body along a schedule of an earlier exploration and takes over what it shows; nothing if it is no schedule
  /// of this body, or shows no bug any more.
  void collect_known(const std::string& schedule);

  bool has_bug() const;
  /// Bugs so far, data races apart.
  std::size_t bugs_other_than_races() const;
  std::vector<FindingReport> take() { return std::move(reports_); }
  SourcePlaces& places() { return places_; }

 private:
  bool is_known(const Finding& finding) const;
  bool is_reported(const Finding& finding) const;

  const std::function<void()>& body_;
  const Options& options_;
  Execution& execution_;
  SourcePlaces places_;
  std::vector<FindingReport> reports_;
  std::vector<Finding> seen_;  // as the exploration worded them: thread numbers may differ from those of the reports
};

/// What a replay shows, as reports. Empty traces are possible: a run that was dropped.
std::vector<FindingReport> reports_of_replay(const ReplayRun& run, const std::string& token, const Options& options,
                                             SourcePlaces& places);

/// The trace of a replay as text, and how to replay it.
std::string replay_text(const ReplayRun& run, const std::string& token, const Options& options);

}  // namespace weft
