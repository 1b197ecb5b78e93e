// One run along a schedule, written down: what weft::replay does, and what every finding goes through before it is
// printed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "explore/schedule_token.hpp"
#include "report/trace.hpp"
#include "weft/weft.hpp"

namespace weft {

struct ReplayRun {
  Trace trace;
  std::vector<Finding> findings;
  std::string problem;  ///< one line, if the program left the schedule
  /// It left it, too, but for a finding, which may stop another thread than in the run of which the token is.
  bool left_for_finding = false;
};

/// Makes every run of `execution` one that `options` ask for.
void apply(const Options& options, Execution& execution);

/// Runs `body` along the schedule of `token`. The process must be outside of any execution.
ReplayRun run_schedule(const std::function<void()>& body, const ScheduleToken& token, const Options& options,
                       SourcePlaces& places);

/// The token of the run that has just ended.
ScheduleToken token_of_run(Execution& execution, const Options& options);

}  // namespace weft
