// One lock that excludes: what mutexes, spin locks, call_once and guards of static locals wait with.
//
// A lock is a chain of locks (explore/operation.hpp): n threads on one lock cost n! executions and no blocked one. A chain cannot tell
// whether it is held, so a lock on which anyone calls try_lock or a timed lock is polled: in all executions it is an object location
// that holds its owner, taken by a read-modify-write that waits for "free". The first such call starts the exploration again.
#pragma once

#include <cstdint>

#include "runtime/thread_records.hpp"

namespace weft {

void acquire_lock(Execution& execution, std::uintptr_t lock, WaitKind kind, const void* place);
void release_lock(Execution& execution, std::uintptr_t lock, const void* place);

/// Makes it a polled lock. To be called before the two functions below; does not come back at the first time in an exploration.
void poll_lock(Execution& execution, std::uintptr_t lock);
bool try_acquire_lock(Execution& execution, std::uintptr_t lock, const void* place);
/// False: timed out, which happens only while somebody else holds the lock.
bool timed_acquire_lock(Execution& execution, std::uintptr_t lock, WaitKind kind, const void* place);

}  // namespace weft
