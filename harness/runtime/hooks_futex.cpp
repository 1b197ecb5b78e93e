// The futex system call inside an execution, for std::atomic::wait and notify, std::latch, std::barrier and std::counting_semaphore.
//
// Semantics: futex(2). The kernel compares the word and goes to sleep in one step with respect to wake-ups of that word. Here the
// sleepers of a word are a list (sleeping.hpp) and a wait is: look at the word; if it has the expected value, join the list, then
// look again. The second look must agree, else the run is dropped: it would be an execution in which the comparison failed, and is
// found as that. Why no wake-up is missed: a waker has stored the new value before it looks at the list, a waiter has joined the list
// before its second look, and fences on both sides (the kernel has them too) forbid that both miss the other: they take part in the
// order of seq_cst operations, and are neither acquire nor release fences.
//
// Not modelled: bit sets other than "any", requeueing, priority inheritance. Other system calls are the real ones.
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <cstdarg>

#include "runtime/memory_access.hpp"
#include "runtime/real_functions.hpp"
#include "runtime/retries.hpp"
#include "runtime/sleeping.hpp"
#include "runtime/unsupported.hpp"
#include "runtime/virtual_time.hpp"

namespace weft {
namespace {

constinit RealFunction real_syscall{syscall, "syscall"};

Decision wait_unless_expected(const Operation& operation, Value old, Value&) {
  return old == operation.expected ? Decision::keep : Decision::wait;
}

Operation look(Execution& execution, const std::uint32_t* word, const void* place) {
  return {.kind = OperationKind::read,
          .size = sizeof *word,
          .seen_by_fences = false,
          .location = atomic_object(execution, word, sizeof *word, place).location,
          .place = place};
}

// Only as much as the kernel needs to lose no wake-up. C++ promises no more: neither wait nor notify synchronizes, so a program that counts
// on that has a race.
void order_like_kernel(Execution& execution, const void* place) {
  execution.perform({.kind = OperationKind::fence, .order = Order::seq_cst, .synchronizes = false, .place = place});
}

long fail_with(int error) {
  errno = error;
  return -1;
}

void learn_spin(Execution& execution) {
  const Execution::Thread& self = execution.running();
  bool is_new = false;
  {
    const Execution::Outside outside;
    is_new = self.reads.learn(execution.memory().synchronization.sleep_spins, self.position);
  }
  if (is_new) execution.restart_exploration();
}

long futex_wait(Execution& execution, const std::uint32_t* word, std::uint32_t expected,
                std::optional<VirtualTime> deadline, const void* place) {
  learn_spin(execution);
  const auto object = reinterpret_cast<std::uintptr_t>(word);
  Operation look_again = look(execution, word, place);
  if (execution.perform(look_again).value != expected) return fail_with(EAGAIN);
  const WaitScope waiting(execution, WaitKind::futex, object, place);
  const Ticket ticket = next_ticket(execution);
  enrol(execution, object, ticket, Order::relaxed, place);
  order_like_kernel(execution, place);
  {
    const MayTimeOut not_an_execution(execution);
    look_again.expected = expected;
    look_again.decide = wait_unless_expected;
    execution.perform(look_again);
  }
  if (!deadline) {
    sleep_until_woken(execution, ticket, false, place);
    return 0;
  }
  const bool times_out = choose_time_out(execution, place);
  const MayTimeOut scope(execution);
  if (!times_out) {
    sleep_until_woken(execution, ticket, false, place);
    return 0;
  }
  withdraw(execution, object, ticket, place);
  VirtualTime& now = running_record(execution).now;
  now = std::max(now, *deadline);
  return fail_with(ETIMEDOUT);
}

long futex_wake(Execution& execution, const std::uint32_t* word, std::uint32_t most, const void* place) {
  const auto object = reinterpret_cast<std::uintptr_t>(word);
  order_like_kernel(execution, place);
  if (most >= kMaxThreads) {
    const Value list = take_all(execution, object, Order::relaxed, place);
    wake_all(execution, list, place);
    return static_cast<long>(execution.memory().synchronization.waiter_lists.size(list));
  }
  long woken = 0;
  while (static_cast<std::uint32_t>(woken) < most) {
    const std::optional<Ticket> ticket = take_one(execution, object, Order::relaxed, place);
    if (!ticket) break;
    wake(execution, *ticket, place);
    ++woken;
  }
  return woken;
}

long futex(Execution& execution, const long (&arguments)[6], const void* place) {
  const auto* const word = reinterpret_cast<const std::uint32_t*>(arguments[0]);
  const auto operation = static_cast<int>(arguments[1]);
  const auto value = static_cast<std::uint32_t>(arguments[2]);
  const auto* const time = reinterpret_cast<const timespec*>(arguments[3]);
  const auto bits = static_cast<std::uint32_t>(arguments[5]);
  const clockid_t clock = (operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT: {
      std::optional<VirtualTime> deadline;
      if (time != nullptr) deadline = running_record(execution).now + nanoseconds(*time);
      return futex_wait(execution, word, value, deadline, place);
    }
    case FUTEX_WAIT_BITSET: {
      if (bits != FUTEX_BITSET_MATCH_ANY) break;
      std::optional<VirtualTime> deadline;
      if (time != nullptr) deadline = virtual_time(clock, *time);
      return futex_wait(execution, word, value, deadline, place);
    }
    case FUTEX_WAKE: return futex_wake(execution, word, value, place);
    case FUTEX_WAKE_BITSET:
      if (bits != FUTEX_BITSET_MATCH_ANY) break;
      return futex_wake(execution, word, value, place);
    default: break;
  }
  refuse("this futex operation is not modelled: use FUTEX_WAIT and FUTEX_WAKE, or a mutex and a condition variable", place);
  return fail_with(ENOSYS);
}

}  // namespace
}  // namespace weft

extern "C" long syscall(long number, ...) noexcept {
  using namespace weft;
  long arguments[6];
  va_list list;
  va_start(list, number);
  for (long& argument : arguments) argument = va_arg(list, long);
  va_end(list);
  Execution* const execution = Execution::current();
  if (execution != nullptr && number == SYS_futex) return futex(*execution, arguments, __builtin_return_address(0));
  return real_syscall.get()(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}
