// Gathers what the runs of an exploration found, each different finding once, replays it, and writes it down.
#pragma once

#include <functional>
#include <optional>
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

  /// The same in two parts, for runs that are made smaller in between. What the run that has just ended shows and none
  /// before it did:
  std::vector<Finding> fresh_findings(Ending ending);
  /// A schedule and what it is called; a name that is empty stands for the schedule's token.
  struct Shown {
    ScheduleToken token;
    std::string name;
    bool dropped = false;  ///< the run was no execution
  };
  /// Takes over findings of the run that made `shown.token`. Runs the body again.
  void add(const std::vector<Finding>& findings, const Shown& shown, std::uint64_t number);
  /// Takes over a finding of the schedule `smaller`, which shows it, too. If that turns out to be larger in its report,
  /// or not to show it again, then of `shown`. `complete`: see FindingReport::Minimised.
  void add_minimised(const Finding& finding, const Shown& shown, const Shown& smaller, bool complete,
                     std::uint64_t number);

  /// Runs the body along a schedule of an earlier exploration and takes over what it shows; nothing if it is no
  /// schedule of this body, or shows no bug any more.
  void collect_known(const std::string& schedule);

  /// True if it was taken over before.
  bool is_known(const Finding& finding) const;
  bool has_bug() const;
  /// True if the search may end: there is a bug, and the options do not ask for more.
  bool are_enough() const;
  /// Bugs so far, data races apart.
  std::size_t bugs_other_than_races() const;
  std::vector<FindingReport> take() { return std::move(reports_); }
  SourcePlaces& places() { return places_; }

 private:
  void add_shown_by(ReplayRun run, const std::vector<Finding>& findings, const Shown& shown, std::uint64_t number,
                    const std::optional<FindingReport::Minimised>& minimised);
  bool is_reported(const Finding& finding) const;

  const std::function<void()>& body_;
  const Options& options_;
  Execution& execution_;
  SourcePlaces places_;
  std::vector<FindingReport> reports_;
  std::vector<Finding> seen_;  // as the exploration worded them: thread numbers may differ from those of the reports
};

/// What a replay shows, as reports. Empty traces are possible: a run that was dropped.
std::vector<FindingReport> reports_of_replay(const ReplayRun& run, const ScheduleToken& token,
                                             const std::function<void()>& body, const Options& options,
                                             SourcePlaces& places);

/// The trace of a replay as text, and how to replay it.
std::string replay_text(const ReplayRun& run, const std::string& token, const Options& options);

}  // namespace weft
