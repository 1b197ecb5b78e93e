// What is seen only when a run has ended: threads that wait for ever, and threads that nobody took care of.
#pragma once

#include "runtime/execution.hpp"

namespace weft {

/// Adds to the findings of the run that has just ended: a deadlock or livelock with who waits for what, a warning for
/// each thread that was neither joined nor detached. To be called once after each run, outside of the scenario.
void report_ending(Execution& execution, Ending ending);

}  // namespace weft
