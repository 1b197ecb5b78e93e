// Stops a replay for a debugger: in the thread of the scenario that is about to take one of its steps, before it does.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "weft/weft.hpp"

namespace weft {

/// True if a debugger (or another tracer) is attached to this process.
bool is_traced_by_debugger();

/// gdb's options that run the program up to where it stops, and then show the scenario's line there.
inline constexpr const char* kDebuggerOptions =
    "-ex run -ex 'frame address *(long*)&weft_frame' -ex 'down *(long*)&weft_inlined'";

/// Runs the schedule as weft::replay, and then once more up to step number `step` of the trace (0: the last that has a
/// number), where it raises SIGTRAP and, once the debugger lets it, goes on to the end. Without a debugger the process
/// ends there. `announce` is told between the two runs where that will be; it must not run the body.
/// Throws std::out_of_range, with a line that says so, if the trace has no such step. Otherwise as weft::replay.
Replay replay_with_stop(const std::function<void()>& body, const std::string& schedule, const Options& options,
                        std::uint32_t step, const std::function<void(const std::string&)>& announce);

}  // namespace weft
