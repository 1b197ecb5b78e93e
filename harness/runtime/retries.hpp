// Time-outs and failed tries that a program answers by trying again.
//
// `while (!stop) condition.wait_for(lock, 10ms)` and `while (!mutex.try_lock())` have no end if nobody does his part,
// and each more round is one more execution. So a thread may time out, or fail to try, only kMostRetries times at one
// place of its code; after that, it waits until it need not. An exploration that met this limit is bounded, not
// complete, and says so. Nothing within the limit is lost: a thread that waits goes on in all executions in which
// somebody lets it.
#pragma once

#include "runtime/execution.hpp"

namespace weft {

inline constexpr std::uint32_t kMostRetries = 4;

/// Whether the running thread may time out or fail once more at `place`. Notes in the exploration's memory if not.
bool may_retry(Execution& execution, const void* place);
/// To be called when it has.
void count_retry(Execution& execution, const void* place);

/// Chooses whether a wait will time out; never, if it may not.
bool choose_time_out(Execution& execution, const void* place);

/// Performs a read-modify-write that is a try: `decide` says keep if it fails. If it may not fail any more, it waits
/// instead.
bool try_once(Execution& execution, Operation operation, Decide wait_instead);

}  // namespace weft
