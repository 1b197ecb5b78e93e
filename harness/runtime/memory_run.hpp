// The memory of one run: what has to be as before when the next one begins.
//
// Model threads allocate from the arena, which is dropped as a whole. Everything else that they write - the
// executable's globals, objects made before the exploration - is kept in a log before it changes, and put back at the
// end of the run.
#pragma once

#include <cstddef>

#include "explore/explorer.hpp"

namespace weft {

class Execution;

/// To be called before the first model thread starts.
void begin_memory_run(Execution& execution);
/// To be called when no model thread will run any more. Reports leaks of a complete run, then puts globals back.
void end_memory_run(Execution& execution, Ending ending);

}  // namespace weft
