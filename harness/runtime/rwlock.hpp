// Readers-writer locks of model threads.
//
// An object location holds 0 (free), the number of readers, or kWriter plus the writer's number. Locking is a read-modify-write that waits
// until it may. Waiting for a state explores blocked executions (DESIGN.md, section 3), unlike a mutex that is a chain.
#pragma once

#include <pthread.h>

#include <optional>

#include "runtime/waiting.hpp"

namespace weft {

enum class RwlockMode : std::uint8_t { read, write };

// These return what the pthread functions return. Misuse ends the thread with a finding. `deadline`: virtual time, if there is one.
int lock_rwlock(Execution& execution, pthread_rwlock_t* lock, RwlockMode mode, Patience patience, VirtualTime deadline,
                const void* place);
int unlock_rwlock(Execution& execution, pthread_rwlock_t* lock, const void* place);
int destroy_rwlock(Execution& execution, pthread_rwlock_t* lock, const void* place);

/// The thread that has it locked for writing.
std::optional<ThreadId> rwlock_writer(const Execution& execution, std::uintptr_t lock);

/// Warns of each that the running thread, about to end, still holds.
void warn_of_held_rwlocks(Execution& execution);

}  // namespace weft
