// POSIX semaphores and pthread barriers inside an execution.
//
// A semaphore's value lives in an object location, as the difference to what memory holds: so one that was initialised before the
// exploration works too. A wait is a read-modify-write that waits for a value above zero; handing a post over to a sleeper instead would
// lose executions, since POSIX lets a thread that comes later take it. So it may explore blocked executions. Named semaphores
// (sem_open) are real ones that are used in the same way.
//
// Threads that have arrived at a barrier are a list (sleeping.hpp); the last one to arrive wakes them all.
#include <pthread.h>
#include <semaphore.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

#include "runtime/memory_access.hpp"
#include "runtime/real_functions.hpp"
#include "runtime/sleeping.hpp"
#include "runtime/virtual_time.hpp"

namespace weft {
namespace {

constinit RealFunction real_init{sem_init, "sem_init"};
constinit RealFunction real_destroy{sem_destroy, "sem_destroy"};
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
  Operation operation = on_semaphore(semaphore, OperationKind::rmw, Order::acquire,
                                     patience == Patience::none ? take_or_keep : take_or_wait, place);
  if (patience == Patience::until_deadline &&
      execution.perform({.kind = OperationKind::choose, .operand = 2, .place = place}).value == 1) {
    operation.kind = OperationKind::read;
    operation.decide = wait_until_zero;
  }
  const WaitScope waiting(execution, WaitKind::semaphore, reinterpret_cast<std::uintptr_t>(semaphore), place);
  const MayTimeOut scope(execution, patience == Patience::until_deadline);
  if (execution.perform(operation).wrote) return 0;
  if (patience == Patience::none) return fail_with(EAGAIN);
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
  const auto object = reinterpret_cast<std::uintptr_t>(barrier);
  const Ticket ticket = next_ticket(execution);
  Arrival arrival{&execution.memory().synchronization.waiter_lists, barrier_count(barrier)};
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
    weft::plain_access(*execution, weft::AccessKind::write, semaphore, sizeof *semaphore, __builtin_return_address(0));
  }
  return weft::real_init(semaphore, shared, value);
}

int sem_destroy(sem_t* semaphore) noexcept { return Execution::current() == nullptr ? weft::real_destroy(semaphore) : 0; }

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
  execution->perform(weft::on_semaphore(semaphore, weft::OperationKind::rmw, weft::Order::release, weft::add_one,
                                        __builtin_return_address(0)));
  return 0;
}

int sem_getvalue(sem_t* semaphore, int* value) noexcept {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_getvalue(semaphore, value);
  const weft::Operation look =
      weft::on_semaphore(semaphore, weft::OperationKind::read, weft::Order::relaxed, nullptr, __builtin_return_address(0));
  *value = static_cast<int>(look.expected + execution->perform(look).value);
  return 0;
}

int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes, unsigned count) noexcept {
  if (Execution* const execution = Execution::current()) {
    weft::plain_access(*execution, weft::AccessKind::write, barrier, sizeof *barrier, __builtin_return_address(0));
  }
  return weft::real_barrier_init(barrier, attributes, count);
}

int pthread_barrier_destroy(pthread_barrier_t* barrier) noexcept {
  return Execution::current() == nullptr ? weft::real_barrier_destroy(barrier) : 0;
}

int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_barrier_wait(barrier);
  return weft::wait_at_barrier(*execution, barrier, __builtin_return_address(0));
}

}  // extern "C"
