// POSIX semaphores and pthread barriers inside an execution.
//
// A semaphore's value lives in an object location, as the difference to what memory holds: so one that was initialised before the
// exploration works too. A wait is a read-modify-write that waits for a value above zero; handing a post over to a sleeper instead would
// lose executions, since POSIX lets a thread that comes later take it. So it may explore blocked executions. A named semaphore
// that was opened before the exploration is used in the same way.
//
// Threads that have arrived at a barrier are a list (sleeping.hpp); the last one to arrive wakes them all.
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstring>

#include "runtime/object_access.hpp"
#include "runtime/real_functions.hpp"
#include "runtime/retries.hpp"
#include "runtime/sleeping.hpp"
#include "runtime/unsupported.hpp"
#include "runtime/virtual_time.hpp"

namespace weft {
namespace {

constinit RealFunction real_init{sem_init, "sem_init"};
constinit RealFunction real_destroy{sem_destroy, "sem_destroy"};
constinit RealFunction real_open{sem_open, "sem_open"};
constinit RealFunction real_wait{sem_wait, "sem_wait"};
constinit RealFunction real_trywait{sem_trywait, "sem_trywait"};
constinit RealFunction real_timedwait{sem_timedwait, "sem_timedwait"};
constinit RealFunction real_clockwait{sem_clockwait, "sem_clockwait"};
constinit RealFunction real_post{sem_post, "sem_post"};
constinit RealFunction real_getvalue{sem_getvalue, "sem_getvalue"};
constinit RealFunction real_barrier_init{pthread_barrier_init, "pthread_barrier_init"};
constinit RealFunction real_barrier_destroy{pthread_barrier_destroy, "pthread_barrier_destroy"};
constinit RealFunction real_barrier_wait{pthread_barrier_wait, "pthread_barrier_wait"};

/// What memory holds: the low half of glibc's first word.
Value value_in_memory(const sem_t* semaphore) {
  std::uint32_t value = 0;
  std::memcpy(&value, semaphore, sizeof value);
  return value;
}

// `expected` is what memory holds, `old` the difference.
bool is_positive(const Operation& operation, Value old) { return static_cast<std::int64_t>(operation.expected + old) > 0; }
Decision take_or_wait(const Operation& operation, Value old, Value& result) {
  result = old - 1;
  return is_positive(operation, old) ? Decision::write : Decision::wait;
}
Decision take_or_keep(const Operation& operation, Value old, Value& result) {
  result = old - 1;
  return is_positive(operation, old) ? Decision::write : Decision::keep;
}
Decision wait_until_zero(const Operation& operation, Value old, Value&) {
  return is_positive(operation, old) ? Decision::wait : Decision::keep;
}
Decision add_one(const Operation&, Value old, Value& result) {
  result = old + 1;
  return Decision::write;
}

int fail_with(int error) {
  errno = error;
  return -1;
}

Operation on_semaphore(const sem_t* semaphore, OperationKind kind, Order order, Decide decide, const void* place) {
  return {.kind = kind,
          .order = order,
          .failure_order = Order::relaxed,
          .seen_by_fences = false,
          .location = LocationKey::of(LocationKey::Space::object, semaphore),
          .expected = value_in_memory(semaphore),
          .decide = decide,
          .place = place};
}

int take(Execution& execution, const sem_t* semaphore, Patience patience, VirtualTime deadline, const void* place) {
  use_object(execution, semaphore, place);
  execution.describe_next_step("take from");
  Operation operation = on_semaphore(semaphore, OperationKind::rmw, Order::acquire,
                                     patience == Patience::none ? take_or_keep : take_or_wait, place);
  if (patience == Patience::none) return try_once(execution, operation, take_or_wait) ? 0 : fail_with(EAGAIN);
  if (patience == Patience::until_deadline && choose_time_out(execution, place)) {
    operation.kind = OperationKind::read;
    operation.decide = wait_until_zero;
  }
  const WaitScope waiting(execution, WaitKind::semaphore, reinterpret_cast<std::uintptr_t>(semaphore), place);
  const MayTimeOut scope(execution, patience == Patience::until_deadline);
  if (execution.perform(operation).wrote) return 0;
  VirtualTime& now = running_record(execution).now;
  now = std::max(now, deadline);
  return fail_with(ETIMEDOUT);
}

/// How many threads a barrier waits for; glibc keeps it in the third word.
std::uint32_t barrier_count(const pthread_barrier_t* barrier) {
  std::uint32_t words[3];
  std::memcpy(words, barrier, sizeof words);
  return words[2];
}

struct Arrival {
  WaiterLists* lists;
  std::uint32_t count;
};
// The last to arrive empties the list; the others join it.
Decision arrive(const Operation& operation, Value old, Value& result) {
  const Arrival& arrival = *static_cast<const Arrival*>(operation.context);
  result = arrival.lists->size(old) + 1 >= arrival.count ? 0 : arrival.lists->with(old, {operation.operand});
  return Decision::write;
}

int wait_at_barrier(Execution& execution, const pthread_barrier_t* barrier, const void* place) {
  use_object(execution, barrier, place);
  const auto object = reinterpret_cast<std::uintptr_t>(barrier);
  const Ticket ticket = next_ticket(execution);
  Arrival arrival{&execution.memory().synchronization.waiter_lists, barrier_count(barrier)};
  execution.describe_next_step("arrive at");
  const Value others = execution
                           .perform({.kind = OperationKind::rmw,
                                     .order = Order::acq_rel,
                                     .seen_by_fences = false,
                                     .location = LocationKey::of(LocationKey::Space::object, object),
                                     .operand = ticket.bits,
                                     .decide = arrive,
                                     .context = &arrival,
                                     .place = place})
                           .value;
  if (arrival.lists->size(others) + 1 >= arrival.count) {
    wake_all(execution, others, place);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  const WaitScope waiting(execution, WaitKind::barrier, object, place);
  sleep_until_woken(execution, ticket, true, place);
  return 0;
}

}  // namespace
}  // namespace weft

using weft::Execution;
using weft::Patience;

extern "C" {

int sem_init(sem_t* semaphore, int shared, unsigned value) noexcept {
  if (Execution* const execution = Execution::current()) {
    weft::write_object(*execution, semaphore, __builtin_return_address(0));
  }
  return weft::real_init(semaphore, shared, value);
}

int sem_destroy(sem_t* semaphore) noexcept {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_destroy(semaphore);
  weft::write_object(*execution, semaphore, __builtin_return_address(0));
  return 0;
}

// Other processes may use it, and where it lies is not the same in every run.
sem_t* sem_open(const char* name, int flags, ...) noexcept {
  va_list list;
  va_start(list, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(list, mode_t) : 0;
  const unsigned value = (flags & O_CREAT) != 0 ? va_arg(list, unsigned) : 0;
  va_end(list);
  if (Execution::current() == nullptr) return weft::real_open.get()(name, flags, mode, value);
  weft::refuse("sem_open is not modelled inside an execution: use a semaphore in memory (sem_init)",
               __builtin_return_address(0));
  return SEM_FAILED;
}

int sem_wait(sem_t* semaphore) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_wait(semaphore);
  return weft::take(*execution, semaphore, Patience::unlimited, 0, __builtin_return_address(0));
}

int sem_trywait(sem_t* semaphore) noexcept {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_trywait(semaphore);
  return weft::take(*execution, semaphore, Patience::none, 0, __builtin_return_address(0));
}

int sem_timedwait(sem_t* semaphore, const timespec* deadline) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_timedwait(semaphore, deadline);
  return weft::take(*execution, semaphore, Patience::until_deadline, weft::virtual_time(CLOCK_REALTIME, *deadline),
                    __builtin_return_address(0));
}

int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* deadline) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_clockwait(semaphore, clock, deadline);
  return weft::take(*execution, semaphore, Patience::until_deadline, weft::virtual_time(clock, *deadline),
                    __builtin_return_address(0));
}

int sem_post(sem_t* semaphore) noexcept {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_post(semaphore);
  weft::use_object(*execution, semaphore, __builtin_return_address(0));
  execution->describe_next_step("give back to");
  execution->perform(weft::on_semaphore(semaphore, weft::OperationKind::rmw, weft::Order::release, weft::add_one,
                                        __builtin_return_address(0)));
  return 0;
}

int sem_getvalue(sem_t* semaphore, int* value) noexcept {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_getvalue(semaphore, value);
  weft::use_object(*execution, semaphore, __builtin_return_address(0));
  const weft::Operation look =
      weft::on_semaphore(semaphore, weft::OperationKind::read, weft::Order::relaxed, nullptr, __builtin_return_address(0));
  *value = static_cast<int>(look.expected + execution->perform(look).value);
  return 0;
}

int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes, unsigned count) noexcept {
  if (Execution* const execution = Execution::current()) {
    weft::write_object(*execution, barrier, __builtin_return_address(0));
  }
  return weft::real_barrier_init(barrier, attributes, count);
}

int pthread_barrier_destroy(pthread_barrier_t* barrier) noexcept {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_barrier_destroy(barrier);
  weft::write_object(*execution, barrier, __builtin_return_address(0));
  return 0;
}

int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_barrier_wait(barrier);
  return weft::wait_at_barrier(*execution, barrier, __builtin_return_address(0));
}

}  // extern "C"
