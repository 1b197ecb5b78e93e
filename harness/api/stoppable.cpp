// Code that can be left without being unwound, as a terminated worker is.
#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>

#include "runtime/call_stack.hpp"
#include "runtime/execution.hpp"
#include "runtime/thread_records.hpp"
#include "weft/weft.hpp"

namespace weft::detail {
namespace {

std::jmp_buf& exit_of(ThreadId t) {
  static std::array<std::jmp_buf, kMaxThreads> exits;
  return exits[index(t)];
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
  if (_setjmp(exit_of(self)) == 0) {
    body();
  } else {
    cut_call_stack(self, depth);
  }
}

void stop_running() {
  if (Execution::current() == nullptr) {
    std::fputs("weft: stop_running() outside of an execution has nothing to leave\n", stderr);
    std::abort();
  }
  Execution& execution = *Execution::current();
  const ThreadId self = execution.running().id;
  {
    const Execution::Outside outside;
    thread_record(execution, self).stopped = true;
  }
  std::longjmp(exit_of(self), 1);
}

}  // namespace weft::detail
