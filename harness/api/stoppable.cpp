// Code that can be left without being unwound, as a terminated worker is.
#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>

#include "detect/failures.hpp"
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

/// While it lives, the running thread has something to leave.
class StoppableScope {
 public:
  explicit StoppableScope(Execution& execution) : execution_(execution) { set(true); }
  ~StoppableScope() { set(false); }
  StoppableScope(const StoppableScope&) = delete;
  StoppableScope& operator=(const StoppableScope&) = delete;

 private:
  void set(bool stoppable) {
    const Execution::Outside outside;
    running_record(execution_).stoppable = stoppable;
  }
  Execution& execution_;
};

}  // namespace

void run_stoppable(const std::function<void()>& body) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) {
    body();
    return;
  }
  const ThreadId self = execution->running().id;
  const std::size_t depth = call_depth(self);
  const StoppableScope scope(*execution);
  if (_setjmp(exit_of(self)) == 0) {
    body();
  } else {
    cut_call_stack(self, depth);
  }
}

void stop_running() {
  Execution* const execution = Execution::current();
  if (execution == nullptr) {
    std::fputs("weft: stop_running() outside of an execution has nothing to leave\n", stderr);
    std::abort();
  }
  if (!running_record(*execution).stoppable)
    fail(FindingKind::unsupported, "stop_running() outside of run_stoppable()", __builtin_return_address(0));
  {
    const Execution::Outside outside;
    running_record(*execution).stopped = true;
  }
  std::longjmp(exit_of(execution->running().id), 1);
}

}  // namespace weft::detail
