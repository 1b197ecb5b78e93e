#include "runtime/lock.hpp"

#include "runtime/retries.hpp"
#include "runtime/waiting.hpp"

namespace weft {
namespace {

bool is_polled(Execution& execution, std::uintptr_t lock) {
  const auto& polled = execution.memory().synchronization.polled_locks;
  return !polled.empty() && polled.contains(lock);
}

// The value of a polled lock is 0, or 1 + the owner's number.

Decision take_if_free_else_wait(const Operation& operation, Value old, Value& result) {
  result = operation.operand;
  return old == 0 ? Decision::write : Decision::wait;
}
Decision take_if_free(const Operation& operation, Value old, Value& result) {
  result = operation.operand;
  return old == 0 ? Decision::write : Decision::keep;
}
Decision wait_until_held(const Operation&, Value old, Value&) { return old == 0 ? Decision::wait : Decision::keep; }

Operation on_polled(Execution& execution, std::uintptr_t lock, OperationKind kind, Decide decide, const void* place) {
  return {.kind = kind,
          .order = Order::acquire,
          .failure_order = Order::relaxed,
          .seen_by_fences = false,
          .location = LocationKey::of(LocationKey::Space::object, lock),
          .operand = index(execution.running().id) + 1,
          .decide = decide,
          .place = place};
}

}  // namespace

void acquire_lock(Execution& execution, std::uintptr_t lock, WaitKind kind, const void* place) {
  const WaitScope waiting(execution, kind, lock, place);
  if (is_polled(execution, lock)) {
    execution.describe_next_step("lock");
    execution.perform(on_polled(execution, lock, OperationKind::rmw, take_if_free_else_wait, place));
    return;
  }
  const LocationKey chain = LocationKey::of(LocationKey::Space::mutex, lock);
  execution.perform({.kind = OperationKind::lock, .seen_by_fences = false, .location = chain, .place = place});
  execution.perform({.kind = OperationKind::gate, .location = chain, .place = place});
}

void release_lock(Execution& execution, std::uintptr_t lock, const void* place) {
  if (is_polled(execution, lock)) {
    execution.describe_next_step("unlock");
    execution.perform({.kind = OperationKind::write,
                       .order = Order::release,
                       .seen_by_fences = false,
                       .location = LocationKey::of(LocationKey::Space::object, lock),
                       .place = place});
    return;
  }
  execution.perform(
      {.kind = OperationKind::unlock, .location = LocationKey::of(LocationKey::Space::mutex, lock), .place = place});
}

void poll_lock(Execution& execution, std::uintptr_t lock) {
  if (is_polled(execution, lock)) return;
  {
    const Execution::Outside outside;
    execution.memory().synchronization.polled_locks.insert(lock);
  }
  execution.restart_exploration();
}

bool try_acquire_lock(Execution& execution, std::uintptr_t lock, const void* place) {
  return try_once(execution, on_polled(execution, lock, OperationKind::rmw, take_if_free, place), take_if_free_else_wait);
}

// Whether it will time out is chosen first, and then it waits for what makes that come true: so each execution is found once. POSIX
// allows a time-out only while the lock is held. The thread does not wait for ever here, so it has no part in a deadlock.
bool timed_acquire_lock(Execution& execution, std::uintptr_t lock, WaitKind kind, const void* place) {
  const bool times_out = choose_time_out(execution, place);
  const MayTimeOut scope(execution);
  if (times_out) {
    execution.perform(on_polled(execution, lock, OperationKind::read, wait_until_held, place));
  } else {
    acquire_lock(execution, lock, kind, place);
  }
  return !times_out;
}

}  // namespace weft
