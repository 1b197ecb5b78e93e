#include "runtime/memory_run.hpp"

#include "runtime/call_stack.hpp"
#include "runtime/execution.hpp"
#include "runtime/undo_log.hpp"

namespace weft {

void begin_memory_run(Execution&) { clear_call_stacks(); }

void end_memory_run(Execution&, Ending) { undo_log::undo_all(); }

}  // namespace weft
