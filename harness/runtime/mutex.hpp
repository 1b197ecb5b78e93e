// Mutexes of model threads: what pthread_mutex_*, condition variables and C11 mutexes have in common.
// Owners and recursion are kept here; how one waits, in lock.hpp.
#pragma once

#include <pthread.h>

#include <optional>

#include "runtime/execution.hpp"

namespace weft {

/// Who holds a mutex, for the detection of misuse and for reports.
struct MutexHolder {
  std::uint32_t depth = 0;  ///< recursive locks; 0: free
  ThreadId owner{};
  std::uint32_t since = 0;  ///< visible operations of the owner before it
  const void* place = nullptr;
};

// These return what the pthread functions return. Misuse ends the thread with a finding.
int lock_mutex(Execution& execution, pthread_mutex_t* mutex, const void* place);
int try_lock_mutex(Execution& execution, pthread_mutex_t* mutex, const void* place);
/// `deadline`: in virtual nanoseconds; the thread's clock after a time-out.
int timed_lock_mutex(Execution& execution, pthread_mutex_t* mutex, std::uint64_t deadline, const void* place);
int unlock_mutex(Execution& execution, pthread_mutex_t* mutex, const void* place);
int destroy_mutex(Execution& execution, pthread_mutex_t* mutex, const void* place);

/// Null if nobody has locked it in this run.
const MutexHolder* mutex_holder(const Execution& execution, std::uintptr_t mutex);
/// For a condition variable's wait: gives up all levels of a recursive mutex that the running thread holds, and takes them again.
int unlock_mutex_fully(Execution& execution, pthread_mutex_t* mutex, const void* place);
void relock_mutex(Execution& execution, pthread_mutex_t* mutex, int depth, const void* place);

/// Warns of each mutex that the running thread, about to end, still holds.
void warn_of_held_mutexes(Execution& execution);

}  // namespace weft
