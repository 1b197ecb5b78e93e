// Code that can be left without being unwound, as a terminated worker is.
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "api/stoppable_scope.hpp"
#include "detect/failures.hpp"
#include "runtime/arena.hpp"
#include "runtime/call_stack.hpp"
#include "runtime/execution.hpp"
#include "runtime/thread_records.hpp"
#include "weft/weft.hpp"

namespace weft::detail {
namespace {

/// What the frames from the caller's on, up to the one that the thread leaves to, point to stays without an owner that
/// could give it back. The caller's begins below its frame pointer, where it has saved registers.
__attribute__((noinline)) void note_left_behind(ThreadRecord& record) {
  const auto* const end = reinterpret_cast<const std::uintptr_t*>(record.exit);
  for (auto at = static_cast<const std::uintptr_t*>(__builtin_frame_address(0)); at < end; ++at) {
    if (arena::contains(*at)) record.left_behind.push_back(*at);
  }
}

}  // namespace

void run_stoppable(const std::function<void()>& body) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) {
    body();
    return;
  }
  const ThreadId self = execution->running().id;
  const std::size_t depth = call_depth(self);
  std::jmp_buf exit;
  const ExceptionsInFlight exceptions;
  const StoppableScope scope(running_record(*execution).exit, exit);
  if (_setjmp(exit) == 0) {
    body();
  } else {
    exceptions.restore();
    cut_call_stack(self, depth);
  }
}

void stop_running() {
  Execution* const execution = Execution::current();
  if (execution == nullptr) {
    std::fputs("weft: stop_running() outside of an execution has nothing to leave\n", stderr);
    std::abort();
  }
  ThreadRecord& record = running_record(*execution);
  if (record.exit == nullptr)
    fail(FindingKind::unsupported, "stop_running() outside of run_stoppable()", __builtin_return_address(0));
  __builtin_unwind_init();  // the callers' registers are on the stack, too
  {
    const Execution::Outside outside;
    record.stopped = true;
    note_left_behind(record);
  }
  std::longjmp(*record.exit, 1);
}

}  // namespace weft::detail
