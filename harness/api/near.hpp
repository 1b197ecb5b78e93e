// NEAR: the smallest change of a failing execution that was found to pass.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "api/replay_run.hpp"
#include "detect/finding.hpp"
#include "weft/weft.hpp"

namespace weft {

/// Runs the body again with one thing changed: one access after another of a different thread, one read of what is
/// newest, one choice of another value; at most kMostNearRuns times. Says of the change that tells most (of steps that
/// WHY names, `cited`, and late) and passes how it reads in the trace; that none passes, if some were possible; and
/// nothing where no order helps, as with a data race. A change passes if its run is a complete execution without a
/// finding, and is so again when its own schedule is replayed. The process must be outside of any execution.
std::string near_text(const ReplayRun& run, FindingKind kind, const std::vector<std::uint32_t>& cited,
                      const ScheduleToken& token, const std::function<void()>& body, const Options& options,
                      SourcePlaces& places);

inline constexpr std::size_t kMostNearRuns = 200;

}  // namespace weft
