#include "runtime/memory_run.hpp"

#include "detect/lifetime.hpp"
#include "detect/race.hpp"
#include "detect/shadow.hpp"
#include "runtime/call_stack.hpp"
#include "runtime/execution.hpp"
#include "runtime/hooks_memory.hpp"
#include "runtime/racy_memory.hpp"
#include "runtime/undo_log.hpp"

namespace weft {

void begin_memory_run(Execution& execution) {
  heap::begin_run();
  shadow::reserve();
  shadow::begin_run(execution.run_number());
  race::begin_run();
  lifetime::begin_run();
  racy_memory::begin_run(execution);
  clear_call_stacks();
}

void end_memory_run(Execution& execution, Ending ending) {
  if (ending == Ending::complete && execution.detects_leaks()) lifetime::report_leaks(execution);
  undo_log::undo_all();
}

}  // namespace weft
