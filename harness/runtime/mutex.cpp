#include "runtime/mutex.hpp"

#include <algorithm>
#include <cerrno>
#include <string>

#include "runtime/address_table.hpp"
#include "runtime/lock.hpp"
#include "runtime/object_access.hpp"
#include "runtime/object_words.hpp"
#include "runtime/waiting.hpp"

namespace weft {
namespace {

AddressTable<MutexHolder> holders;

enum class MutexKind : std::uint8_t { normal, recursive, error_checking };

// glibc keeps the type in the low bits of __kind; statically initialised mutexes have it too. An adaptive mutex spins before it
// sleeps and is otherwise a normal one.
MutexKind kind_of(const pthread_mutex_t* mutex) {
  switch (mutex->__data.__kind & 3) {
    case PTHREAD_MUTEX_RECURSIVE: return MutexKind::recursive;
    case PTHREAD_MUTEX_ERRORCHECK: return MutexKind::error_checking;
    default: return MutexKind::normal;
  }
}

std::uintptr_t address_of(const pthread_mutex_t* mutex) { return reinterpret_cast<std::uintptr_t>(mutex); }

// While a mutex is held, so it says in its own memory, where a new mutex in its place overwrites it. glibc looks at this field of adaptive
// mutexes only, and there as a hint. (Not needed for mutexes that end properly: with pthread_mutex_destroy, or free.)
void mark_held(pthread_mutex_t* mutex, bool held) {
  const Execution::Outside outside;
  keep_for_undo(&mutex->__data.__spins, sizeof mutex->__data.__spins);
  mutex->__data.__spins = held ? 1 : 0;
}
bool is_marked(const pthread_mutex_t* mutex) { return mutex->__data.__spins != 0; }

void note_holder(Execution& execution, pthread_mutex_t* mutex, std::uint32_t depth, const void* place) {
  const Execution::Thread& self = execution.running();
  holders.at(execution, address_of(mutex)) = {depth, self.id, self.position, place};
  mark_held(mutex, true);
  ++running_record(execution).mutexes_held;
}

void note_release(Execution& execution, pthread_mutex_t* mutex) {
  holders.at(execution, address_of(mutex)).depth = 0;
  mark_held(mutex, false);
  --running_record(execution).mutexes_held;
}

bool is_held_by_running(Execution& execution, const pthread_mutex_t* mutex) {
  const MutexHolder* const holder = mutex_holder(execution, address_of(mutex));
  return holder != nullptr && holder->depth != 0 && holder->owner == execution.running().id;
}

/// What the owner gets for locking once more; nothing: it has to wait for itself.
std::optional<int> relock(Execution& execution, const pthread_mutex_t* mutex) {
  switch (kind_of(mutex)) {
    case MutexKind::recursive: ++holders.at(execution, address_of(mutex)).depth; return 0;
    case MutexKind::error_checking: return EDEADLK;
    case MutexKind::normal: return std::nullopt;
  }
  return std::nullopt;
}

[[noreturn]] void report_misuse(Execution& execution, const pthread_mutex_t* mutex, const char* did, const void* place) {
  {
    const Execution::Outside outside;
    const Execution::Thread& self = execution.running();
    Finding finding{.kind = FindingKind::mutex_misuse,
                    .message = "thread " + std::to_string(index(self.id)) + " " + did + " " +
                               describe_object(execution.memory(), "mutex", address_of(mutex)),
                    .sites = {{.thread = self.id, .events_before = self.position, .place = place, .what = did}}};
    const MutexHolder* const holder = mutex_holder(execution, address_of(mutex));
    if (holder == nullptr || holder->depth == 0) {
      finding.message += ", which nobody holds";
    } else {
      finding.message += ", which thread " + std::to_string(index(holder->owner)) + " holds";
      finding.sites.push_back({.thread = holder->owner,
                               .events_before = holder->since,
                               .place = holder->place,
                               .what = "has held it since here"});
    }
    execution.report(std::move(finding));
  }
  execution.halt_thread();
}

/// Comes first in whatever is done with a mutex.
void use_mutex(Execution& execution, const pthread_mutex_t* mutex, const void* place) {
  use_object(execution, mutex, place);
  const MutexHolder* const holder = mutex_holder(execution, address_of(mutex));
  if (holder == nullptr || holder->depth == 0 || is_marked(mutex)) return;
  report_misuse(execution, mutex, "used a new mutex that was made in the place of", place);
}

}  // namespace

const MutexHolder* mutex_holder(const Execution& execution, std::uintptr_t mutex) { return holders.find(execution, mutex); }

int lock_mutex(Execution& execution, pthread_mutex_t* mutex, const void* place) {
  use_mutex(execution, mutex, place);
  if (is_held_by_running(execution, mutex)) {
    if (const std::optional<int> error = relock(execution, mutex)) return *error;
  }
  acquire_lock(execution, address_of(mutex), WaitKind::mutex, place);
  note_holder(execution, mutex, 1, place);
  return 0;
}

int try_lock_mutex(Execution& execution, pthread_mutex_t* mutex, const void* place) {
  use_mutex(execution, mutex, place);
  poll_lock(execution, address_of(mutex));
  if (is_held_by_running(execution, mutex)) {
    return kind_of(mutex) == MutexKind::recursive ? *relock(execution, mutex) : EBUSY;
  }
  if (!try_acquire_lock(execution, address_of(mutex), place)) return EBUSY;
  note_holder(execution, mutex, 1, place);
  return 0;
}

int timed_lock_mutex(Execution& execution, pthread_mutex_t* mutex, std::uint64_t deadline, const void* place) {
  use_mutex(execution, mutex, place);
  poll_lock(execution, address_of(mutex));
  VirtualTime& now = running_record(execution).now;
  if (is_held_by_running(execution, mutex)) {
    if (const std::optional<int> error = relock(execution, mutex)) return *error;
    now = std::max(now, deadline);
    return ETIMEDOUT;
  }
  if (!timed_acquire_lock(execution, address_of(mutex), WaitKind::mutex, place)) {
    now = std::max(now, deadline);
    return ETIMEDOUT;
  }
  note_holder(execution, mutex, 1, place);
  return 0;
}

int unlock_mutex(Execution& execution, pthread_mutex_t* mutex, const void* place) {
  use_mutex(execution, mutex, place);
  if (!is_held_by_running(execution, mutex)) {
    if (kind_of(mutex) == MutexKind::error_checking) return EPERM;  // what such a mutex is for
    report_misuse(execution, mutex, "unlocked", place);
  }
  MutexHolder& holder = holders.at(execution, address_of(mutex));
  if (holder.depth > 1) {
    --holder.depth;
    return 0;
  }
  release_lock(execution, address_of(mutex), place);
  note_release(execution, mutex);
  return 0;
}

int destroy_mutex(Execution& execution, pthread_mutex_t* mutex, const void* place) {
  const MutexHolder* const holder = mutex_holder(execution, address_of(mutex));
  if (holder != nullptr && holder->depth != 0) report_misuse(execution, mutex, "destroyed", place);
  write_object(execution, mutex, place);
  return 0;
}

int unlock_mutex_fully(Execution& execution, pthread_mutex_t* mutex, const void* place) {
  const auto depth = static_cast<int>(holders.at(execution, address_of(mutex)).depth);
  release_lock(execution, address_of(mutex), place);
  note_release(execution, mutex);
  return depth;
}

void relock_mutex(Execution& execution, pthread_mutex_t* mutex, int depth, const void* place) {
  use_mutex(execution, mutex, place);
  acquire_lock(execution, address_of(mutex), WaitKind::mutex, place);
  note_holder(execution, mutex, static_cast<std::uint32_t>(depth), place);
}

void warn_of_held_mutexes(Execution& execution) {
  const Execution::Outside outside;
  const Execution::Thread& self = execution.running();
  holders.for_each(execution, [&](std::uintptr_t address, const MutexHolder& holder) {
    if (holder.depth == 0 || holder.owner != self.id) return;
    execution.report({.kind = FindingKind::warning,
                      .message = "thread " + std::to_string(index(self.id)) + " ended while it held " +
                                 describe_object(execution.memory(), "mutex", address),
                      .sites = {{.thread = self.id,
                                 .events_before = holder.since,
                                 .place = holder.place,
                                 .what = "has held it since here"}}});
  });
}

}  // namespace weft
