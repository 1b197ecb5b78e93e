// POSIX threads as model threads: create, join, detach, exit, identity, names.
//
// A pthread_t of a model thread is the address of its arena slot: deterministic, and no address that glibc would take
// for one of its own. Stack sizes, scheduling and affinity are accepted and ignored.
#include <pthread.h>
#include <sched.h>
#include <unwind.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "runtime/arena.hpp"
#include "runtime/execution.hpp"
#include "runtime/real_functions.hpp"
#include "runtime/retries.hpp"
#include "runtime/unsupported.hpp"
#include "runtime/waiting.hpp"

// libstdc++ skips the atomics of shared_ptr while this is true. It is data, so that the definition in the executable is
// the one that everybody reads; glibc sets it as it starts, before any constructor, hence the constructor. Volatile, or
// clang takes what the constructor writes for the initial value and leaves the constructor out.
extern "C" char __libc_single_threaded;
char __libc_single_threaded = 0;

namespace weft {
namespace {

constinit RealFunction real_create{pthread_create, "pthread_create"};
constinit RealFunction real_join{pthread_join, "pthread_join"};
constinit RealFunction real_tryjoin{pthread_tryjoin_np, "pthread_tryjoin_np"};
constinit RealFunction real_timedjoin{pthread_timedjoin_np, "pthread_timedjoin_np"};
constinit RealFunction real_clockjoin{pthread_clockjoin_np, "pthread_clockjoin_np"};
constinit RealFunction real_detach{pthread_detach, "pthread_detach"};
constinit RealFunction real_self{pthread_self, "pthread_self"};
constinit RealFunction real_exit{pthread_exit, "pthread_exit"};
constinit RealFunction real_cancel{pthread_cancel, "pthread_cancel"};
constinit RealFunction real_setname{pthread_setname_np, "pthread_setname_np"};
constinit RealFunction real_getname{pthread_getname_np, "pthread_getname_np"};
constinit RealFunction real_setaffinity{pthread_setaffinity_np, "pthread_setaffinity_np"};
constinit RealFunction real_setschedparam{pthread_setschedparam, "pthread_setschedparam"};
constinit RealFunction real_getschedparam{pthread_getschedparam, "pthread_getschedparam"};
constinit RealFunction real_yield{sched_yield, "sched_yield"};

[[gnu::constructor]] void always_multi_threaded() { *const_cast<volatile char*>(&__libc_single_threaded) = 0; }

// Above the thread's stack, as in glibc. Never the address of a block: a handle that is kept somewhere, as GoogleTest's
// mutex keeps its last owner, would hide a leak of that block.
pthread_t handle_of(ThreadId t) { return arena::stack_top(t); }

/// The model thread that a handle names; null for a foreign handle.
Execution::Thread* thread_of(Execution& execution, pthread_t handle) {
  if (!arena::contains(handle)) return nullptr;
  const ThreadId t = arena::owner(handle);
  if (handle != handle_of(t) || index(t) >= execution.thread_count()) return nullptr;
  Execution::Thread& thread = execution.thread(t);
  return thread.state == Execution::ThreadState::absent ? nullptr : &thread;
}

bool end_happened_before(Execution& execution, ThreadId t) {
  const EventId end = execution.graph().end_of(t);
  return end != kNoEvent && covers(execution.clock(), execution.graph()[end]);
}

int join(Execution& execution, pthread_t handle, void** result, Patience patience, const void* place) {
  Execution::Thread* const other = thread_of(execution, handle);
  if (other == nullptr || other->joined) return ESRCH;
  if (other == &execution.running()) return EDEADLK;
  if (other->detached) return EINVAL;
  // There is no event for "has not ended yet": while nothing orders the end before here, both answers are possible.
  if (patience != Patience::unlimited && !end_happened_before(execution, other->id) &&
      choose_time_out(execution, place)) {
    return patience == Patience::none ? EBUSY : ETIMEDOUT;
  }
  {
    const MayTimeOut scope(execution, patience != Patience::unlimited);
    const WaitScope waiting(execution, WaitKind::join, index(other->id), place);
    execution.perform({.kind = OperationKind::join, .operand = index(other->id), .place = place});
  }
  other->joined = true;
  VirtualTime& now = running_record(execution).now;
  now = std::max(now, thread_record(execution, other->id).now);
  if (result != nullptr) *result = other->result;
  return 0;
}

/// Outlives the frames that are unwound, so it cannot be in one of them.
struct Exit {
  _Unwind_Exception exception{};
  Execution* execution;
  void* result;
};

/// Called by the unwinder before each frame, and when there is no frame left: a fiber's stack begins with code that has
/// no unwind table.
_Unwind_Reason_Code end_at_end_of_stack(int, _Unwind_Action actions, _Unwind_Exception_Class, _Unwind_Exception*,
                                        _Unwind_Context*, void* argument) {
  const Exit& exit = *static_cast<const Exit*>(argument);
  if ((actions & _UA_END_OF_STACK) != 0) exit.execution->end_thread(exit.result);
  return _URC_NO_REASON;
}

/// As glibc does it: a forced unwind runs the destructors of the whole stack, and `catch (...)` blocks that rethrow.
[[noreturn]] void unwind_and_end(Execution& execution, void* result) {
  void* const memory = arena::allocate(execution.running().id, sizeof(Exit), alignof(Exit));
  Exit* const exit = new (memory) Exit{.execution = &execution, .result = result};
  _Unwind_ForcedUnwind(&exit->exception, end_at_end_of_stack, exit);
  execution.end_thread(result);
}

}  // namespace
}  // namespace weft

extern "C" {

int pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*entry)(void*),
                   void* argument) noexcept {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_create(handle, attributes, entry, argument);
  int detach_state = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) pthread_attr_getdetachstate(attributes, &detach_state);
  const ThreadId child = execution->create_thread(entry, argument, __builtin_return_address(0));
  execution->thread(child).detached = detach_state == PTHREAD_CREATE_DETACHED;
  thread_record(*execution, child).now = running_record(*execution).now;
  *handle = handle_of(child);
  return 0;
}

int pthread_join(pthread_t handle, void** result) {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_join(handle, result);
  return join(*execution, handle, result, Patience::unlimited, __builtin_return_address(0));
}

int pthread_tryjoin_np(pthread_t handle, void** result) noexcept {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_tryjoin(handle, result);
  return join(*execution, handle, result, Patience::none, __builtin_return_address(0));
}

int pthread_timedjoin_np(pthread_t handle, void** result, const timespec* deadline) {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_timedjoin(handle, result, deadline);
  return join(*execution, handle, result, Patience::until_deadline, __builtin_return_address(0));
}

int pthread_clockjoin_np(pthread_t handle, void** result, clockid_t clock, const timespec* deadline) {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_clockjoin(handle, result, clock, deadline);
  return join(*execution, handle, result, Patience::until_deadline, __builtin_return_address(0));
}

int pthread_detach(pthread_t handle) noexcept {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_detach(handle);
  Execution::Thread* const thread = thread_of(*execution, handle);
  if (thread == nullptr || thread->joined) return ESRCH;
  if (thread->detached) return EINVAL;
  thread->detached = true;
  return 0;
}

pthread_t pthread_self() noexcept {
  using namespace weft;
  Execution* const execution = Execution::current();
  return execution == nullptr ? real_self() : handle_of(execution->running().id);
}

void pthread_exit(void* result) {
  using namespace weft;
  if (Execution* const execution = Execution::current()) unwind_and_end(*execution, result);
  real_exit(result);
  __builtin_unreachable();
}

int pthread_cancel(pthread_t handle) {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_cancel(handle);
  refuse("pthread_cancel is not modelled: end the thread through a flag that it reads", __builtin_return_address(0));
  return 0;
}

int pthread_setname_np(pthread_t handle, const char* name) noexcept {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_setname(handle, name);
  const Execution::Thread* const thread = thread_of(*execution, handle);
  if (thread == nullptr) return ESRCH;
  ThreadRecord& record = thread_record(*execution, thread->id);
  const std::size_t length = std::strlen(name);
  if (length >= sizeof record.name) return ERANGE;
  std::memcpy(record.name, name, length + 1);
  return 0;
}

int pthread_getname_np(pthread_t handle, char* buffer, std::size_t size) noexcept {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_getname(handle, buffer, size);
  const Execution::Thread* const thread = thread_of(*execution, handle);
  if (thread == nullptr) return ESRCH;
  const ThreadRecord& record = thread_record(*execution, thread->id);
  const std::size_t length = std::strlen(record.name);
  if (length >= size) return ERANGE;
  std::memcpy(buffer, record.name, length + 1);
  return 0;
}

int pthread_setaffinity_np(pthread_t handle, std::size_t size, const cpu_set_t* cpus) noexcept {
  return weft::Execution::current() == nullptr ? weft::real_setaffinity(handle, size, cpus) : 0;
}

int pthread_setschedparam(pthread_t handle, int policy, const sched_param* parameters) noexcept {
  return weft::Execution::current() == nullptr ? weft::real_setschedparam(handle, policy, parameters) : 0;
}

int pthread_getschedparam(pthread_t handle, int* policy, sched_param* parameters) noexcept {
  if (weft::Execution::current() == nullptr) return weft::real_getschedparam(handle, policy, parameters);
  *policy = SCHED_OTHER;
  parameters->sched_priority = 0;
  return 0;
}

// Exploration covers every schedule; who goes on after a yield makes no difference.
int sched_yield() noexcept { return weft::Execution::current() == nullptr ? weft::real_yield() : 0; }

}  // extern "C"
