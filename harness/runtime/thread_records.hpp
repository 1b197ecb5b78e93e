// What the thread library keeps for each model thread of the running execution: its name, thread-specific data,
// destructors that wait for its end, its virtual time. Forgotten at the start of each run.
#pragma once

#include <csetjmp>
#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/execution.hpp"

namespace weft {

/// Nanoseconds of virtual time since an execution began.
using VirtualTime = std::uint64_t;

enum class WaitKind : std::uint8_t {
  nothing,
  mutex,
  read_lock,
  write_lock,
  spin_lock,
  condition,
  semaphore,
  barrier,
  once,
  futex,
  join,
  message,
  state
};

/// What a thread waits for.
struct Waiting {
  WaitKind kind = WaitKind::nothing;
  std::uintptr_t object = 0;    ///< its address; join: the number of the thread
  const void* place = nullptr;  ///< code address of the wait
};

struct ThreadRecord {
  struct Destructor {
    void (*function)(void*);
    void* object;
  };

  std::uint32_t run = 0;                                        ///< the run that this belongs to
  char name[16] = {};                                           ///< as set by pthread_setname_np; empty: none
  std::vector<std::pair<std::uint32_t, const void*>> specific;  ///< pthread_setspecific, by key
  std::vector<Destructor> destructors;                          ///< of thread_local objects, in order of construction
  std::vector<std::pair<const void*, std::uint32_t>> retries;   ///< by place; see retries.hpp
  std::uint32_t keys_created = 0;
  std::uint32_t sleeps = 0;           ///< times that it went to sleep so far
  const void* sleeps_with = nullptr;  ///< the mutex given to its latest wait on a condition variable
  std::uint32_t mutexes_held = 0;
  std::uint32_t rwlocks_held = 0;
  Waiting waiting;
  VirtualTime now = 0;
  std::uint32_t tasks = 0;                  ///< logical tasks that it has made
  std::jmp_buf* exit = nullptr;             ///< of the innermost run_stoppable() that it is in
  bool stopped = false;                     ///< has left frames without unwinding them
  std::vector<std::uintptr_t> left_behind;  ///< pointers in these frames

  /// As fresh, but keeps the vectors' memory.
  void reset(std::uint32_t new_run);
};

/// The record of `t` in the running execution.
ThreadRecord& thread_record(Execution& execution, ThreadId t);
inline ThreadRecord& running_record(Execution& execution) { return thread_record(execution, execution.running().id); }

/// Runs what a thread runs at its end: destructors of thread_local objects, newest first, then those of thread-specific
/// data. Then warns if it still holds a mutex or an rwlock.
void run_thread_destructors(Execution& execution);

}  // namespace weft
