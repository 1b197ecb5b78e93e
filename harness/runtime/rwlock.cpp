#include "runtime/rwlock.hpp"

#include <algorithm>
#include <cerrno>

#include "runtime/address_table.hpp"
#include "runtime/object_access.hpp"
#include "runtime/object_words.hpp"
#include "runtime/retries.hpp"
#include "runtime/waiting.hpp"

namespace weft {
namespace {

constexpr Value kWriter = Value{1} << 32;

/// Who holds it, for the detection of misuse and for reports.
struct Holders {
  bool written = false;
  ThreadId writer{};
  std::array<std::uint8_t, kMaxThreads> readers{};  ///< read locks of each thread
};
AddressTable<Holders> holders;

std::uintptr_t address_of(const pthread_rwlock_t* lock) { return reinterpret_cast<std::uintptr_t>(lock); }

bool may_lock(const Operation& operation, Value old) {
  return operation.expected == static_cast<Value>(RwlockMode::write) ? old == 0 : old < kWriter;
}
Decision lock_or_wait(const Operation& operation, Value old, Value& result) {
  result = old + operation.operand;
  return may_lock(operation, old) ? Decision::write : Decision::wait;
}
Decision lock_or_keep(const Operation& operation, Value old, Value& result) {
  result = old + operation.operand;
  return may_lock(operation, old) ? Decision::write : Decision::keep;
}
Decision wait_until_locked(const Operation& operation, Value old, Value&) {
  return may_lock(operation, old) ? Decision::wait : Decision::keep;
}
Decision subtract(const Operation& operation, Value old, Value& result) {
  result = old - operation.operand;
  return Decision::write;
}

/// What a lock in this mode by the running thread adds to the value.
Value share_of(Execution& execution, RwlockMode mode) {
  return mode == RwlockMode::read ? 1 : kWriter + index(execution.running().id);
}

[[noreturn]] void report_misuse(Execution& execution, const pthread_rwlock_t* lock, const char* did, const char* why,
                                const void* place) {
  {
    const Execution::Outside outside;
    const Execution::Thread& self = execution.running();
    execution.report({.kind = FindingKind::mutex_misuse,
                      .message = "thread " + std::to_string(index(self.id)) + " " + did + " " +
                                 describe_object(execution.memory(), "rwlock", address_of(lock)) + ", " + why,
                      .sites = {{.thread = self.id, .events_before = self.position, .place = place, .what = did}}});
  }
  execution.halt_thread();
}

}  // namespace

std::optional<ThreadId> rwlock_writer(const Execution& execution, std::uintptr_t lock) {
  const Holders* const who = holders.find(execution, lock);
  return who != nullptr && who->written ? std::optional(who->writer) : std::nullopt;
}

int lock_rwlock(Execution& execution, pthread_rwlock_t* lock, RwlockMode mode, Patience patience, VirtualTime deadline,
                const void* place) {
  use_object(execution, lock, place);
  const Execution::Thread& self = execution.running();
  if (rwlock_writer(execution, address_of(lock)) == self.id) return patience == Patience::none ? EBUSY : EDEADLK;
  execution.describe_next_step(mode == RwlockMode::read ? "lock for reading" : "lock for writing");
  Operation operation{.kind = OperationKind::rmw,
                      .order = Order::acquire,
                      .failure_order = Order::relaxed,
                      .seen_by_fences = false,
                      .location = LocationKey::of(LocationKey::Space::object, address_of(lock)),
                      .operand = share_of(execution, mode),
                      .expected = static_cast<Value>(mode),
                      .decide = patience == Patience::none ? lock_or_keep : lock_or_wait,
                      .place = place};
  if (patience == Patience::until_deadline && choose_time_out(execution, place)) {
    operation.kind = OperationKind::read;
    operation.decide = wait_until_locked;
  }
  const WaitScope waiting(execution, mode == RwlockMode::read ? WaitKind::read_lock : WaitKind::write_lock,
                          address_of(lock), place);
  const MayTimeOut scope(execution, patience == Patience::until_deadline);
  const bool locked = patience == Patience::none ? try_once(execution, operation, lock_or_wait)
                                                 : execution.perform(operation).wrote;
  if (!locked && patience == Patience::none) return EBUSY;
  if (!locked) {
    VirtualTime& now = running_record(execution).now;
    now = std::max(now, deadline);
    return ETIMEDOUT;
  }
  Holders& who = holders.at(execution, address_of(lock));
  if (mode == RwlockMode::write) {
    who.written = true;
    who.writer = self.id;
  } else {
    ++who.readers[index(self.id)];
  }
  ++running_record(execution).rwlocks_held;
  return 0;
}

int unlock_rwlock(Execution& execution, pthread_rwlock_t* lock, const void* place) {
  use_object(execution, lock, place);
  const ThreadId self = execution.running().id;
  const bool writes = rwlock_writer(execution, address_of(lock)) == self;
  if (!writes && holders.at(execution, address_of(lock)).readers[index(self)] == 0) {
    report_misuse(execution, lock, "unlocked", "which it does not hold", place);
  }
  execution.describe_next_step(writes ? "unlock for writing" : "unlock for reading");
  execution.perform({.kind = OperationKind::rmw,
                     .order = Order::release,
                     .seen_by_fences = false,
                     .location = LocationKey::of(LocationKey::Space::object, address_of(lock)),
                     .operand = share_of(execution, writes ? RwlockMode::write : RwlockMode::read),
                     .decide = subtract,
                     .place = place});
  Holders& who = holders.at(execution, address_of(lock));
  if (writes) {
    who.written = false;
  } else {
    --who.readers[index(self)];
  }
  --running_record(execution).rwlocks_held;
  return 0;
}

int destroy_rwlock(Execution& execution, pthread_rwlock_t* lock, const void* place) {
  const Holders& who = holders.at(execution, address_of(lock));
  const bool read = std::any_of(who.readers.begin(), who.readers.end(), [](std::uint8_t n) { return n != 0; });
  if (who.written || read) report_misuse(execution, lock, "destroyed", "which is locked", place);
  write_object(execution, lock, place);
  return 0;
}

void warn_of_held_rwlocks(Execution& execution) {
  const Execution::Outside outside;
  const Execution::Thread& self = execution.running();
  holders.for_each(execution, [&](std::uintptr_t address, const Holders& who) {
    const bool writes = who.written && who.writer == self.id;
    if (!writes && who.readers[index(self.id)] == 0) return;
    execution.report({.kind = FindingKind::warning,
                      .message = "thread " + std::to_string(index(self.id)) + " ended while it held " +
                                 describe_object(execution.memory(), "rwlock", address) + (writes ? "" : " for reading"),
                      .sites = {{.thread = self.id, .events_before = self.position, .place = nullptr, .what = "ended"}}});
  });
}

}  // namespace weft
