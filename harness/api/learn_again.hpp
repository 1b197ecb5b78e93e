// Replays a token that another build of the same program has made. What its exploration had learned
// (explore/schedule_token.hpp) the token tells by addresses in that build's code, globals and stack frames, which are
// others here: so it is learned again, by exploring.
#pragma once

#include <functional>

#include "api/replay_run.hpp"

namespace weft {

struct TokenRun {
  ReplayRun run;
  ScheduleToken token;  ///< as this build would have made it
};

/// run_schedule(); and if the program leaves the schedule, explores `body` until what it has learned lets it follow the
/// schedule, for at most kMostSecondsOfLearning. If it does not come to that, the program is another one: returns the
/// first run.
TokenRun run_token(const std::function<void()>& body, const ScheduleToken& token, const Options& options,
                   SourcePlaces& places);
inline constexpr double kMostSecondsOfLearning = 5;

}  // namespace weft
