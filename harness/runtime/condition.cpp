#include "runtime/condition.hpp"

#include <algorithm>
#include <cerrno>

#include "runtime/mutex.hpp"
#include "runtime/object_access.hpp"
#include "runtime/object_words.hpp"
#include "runtime/retries.hpp"
#include "runtime/sleeping.hpp"

namespace weft {
namespace {

std::uintptr_t address_of(const pthread_cond_t* condition) { return reinterpret_cast<std::uintptr_t>(condition); }

[[noreturn]] void report_misuse(Execution& execution, const pthread_cond_t* condition, const char* did,
                                const std::string& why, const void* place) {
  {
    const Execution::Outside outside;
    const Execution::Thread& self = execution.running();
    execution.report(
        {.kind = FindingKind::condition_misuse,
         .message = "thread " + std::to_string(index(self.id)) + " " + did + " " +
                    describe_object(execution.memory(), "condition variable", address_of(condition)) + " " + why,
         .sites = {{.thread = self.id, .events_before = self.position, .place = place, .what = did}}});
  }
  execution.halt_thread();
}

void check_mutex_is_held(Execution& execution, const pthread_cond_t* condition, const pthread_mutex_t* mutex,
                         const void* place) {
  const MutexHolder* const holder = mutex_holder(execution, reinterpret_cast<std::uintptr_t>(mutex));
  if (holder != nullptr && holder->depth != 0 && holder->owner == execution.running().id) return;
  const Execution::Outside outside;
  report_misuse(execution, condition, "waited on", "without holding the mutex that it gave", place);
}

// Looks at the list that the waiter joined and not at who happens to wait now: only that is the same in every run of an execution.
void check_one_mutex(Execution& execution, const pthread_cond_t* condition, Value list, const pthread_mutex_t* mutex,
                     const void* place) {
  for (const Ticket other : execution.memory().synchronization.waiter_lists.tickets(list)) {
    if (thread_record(execution, other.thread()).sleeps_with == mutex) continue;
    const Execution::Outside outside;
    report_misuse(execution, condition, "waited on",
                  "with another mutex than thread " + std::to_string(index(other.thread())) + ", which waits there too",
                  place);
  }
}

enum class WakeUp : std::uint8_t { notified, timed_out, spurious };

/// Chooses how the wait will end; later on it waits for that to come true.
WakeUp choose_wake_up(Execution& execution, bool timed, const void* place) {
  timed = timed && may_retry(execution, place);
  const bool spurious = execution.spurious_wakeups() != 0;
  if (!timed && !spurious) return WakeUp::notified;
  const Value ways = 1 + (timed ? 1 : 0) + (spurious ? 1 : 0);
  const Value way = execution.perform({.kind = OperationKind::choose, .operand = ways, .place = place}).value;
  if (way == 0) return WakeUp::notified;
  if (!timed || way != 1) return WakeUp::spurious;
  count_retry(execution, place);
  return WakeUp::timed_out;
}

}  // namespace

// The list changes while the waiter holds the mutex, so a notifier that holds it as well can miss nobody. All of it is relaxed: a condition
// variable orders nothing by itself ([thread.condition] gives its operations a total order; happens-before comes from the mutex).
int wait_on_condition(Execution& execution, pthread_cond_t* condition, pthread_mutex_t* mutex,
                      std::optional<VirtualTime> deadline, const void* place) {
  use_object(execution, condition, place);
  check_mutex_is_held(execution, condition, mutex, place);
  const std::uintptr_t object = address_of(condition);
  ThreadRecord& record = running_record(execution);
  const Ticket ticket = next_ticket(execution);
  record.sleeps_with = mutex;
  const Value others = enrol(execution, object, ticket, Order::relaxed, place);
  if (others != 0) check_one_mutex(execution, condition, others, mutex, place);
  const int depth = unlock_mutex_fully(execution, mutex, place);
  const WakeUp wake_up = choose_wake_up(execution, deadline.has_value(), place);
  {
    const WaitScope waiting(execution, WaitKind::condition, object, place);
    if (wake_up == WakeUp::notified) {
      const MayTimeOut scope(execution, deadline.has_value());
      sleep_until_woken(execution, ticket, false, place);
    } else {
      // If a notification took it off the list first, this is the execution in which it is notified: dropped here, as it is
      // found by the other choice.
      const MayTimeOut scope(execution);
      withdraw(execution, object, ticket, place);
    }
  }
  if (wake_up == WakeUp::timed_out) record.now = std::max(record.now, *deadline);
  if (wake_up == WakeUp::spurious) execution.count_spurious_wakeup();
  relock_mutex(execution, mutex, depth, place);
  return wake_up == WakeUp::timed_out ? ETIMEDOUT : 0;
}

void signal_condition(Execution& execution, pthread_cond_t* condition, const void* place) {
  use_object(execution, condition, place);
  if (const auto ticket = take_one(execution, address_of(condition), Order::relaxed, place)) {
    wake(execution, *ticket, place);
  }
}

void broadcast_condition(Execution& execution, pthread_cond_t* condition, const void* place) {
  use_object(execution, condition, place);
  wake_all(execution, take_all(execution, address_of(condition), Order::relaxed, place), place);
}

void destroy_condition(Execution& execution, pthread_cond_t* condition, const void* place) {
  const Value list = waiters(execution, address_of(condition), place);
  if (list == 0) {
    write_object(execution, condition, place);
    return;
  }
  const Execution::Outside outside;
  const Ticket first = execution.memory().synchronization.waiter_lists.tickets(list).front();
  report_misuse(execution, condition, "destroyed",
                "on which thread " + std::to_string(index(first.thread())) + " waits", place);
}

}  // namespace weft
