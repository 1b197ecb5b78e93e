// What the runtime does about each access of the scenario to memory: the interface between hooks and detectors.
//
// Plain accesses are announced before they happen. They do not switch threads; they are checked for races, and what a
// write replaces is kept so that the next run starts from the same globals (memory_run.hpp).
#pragma once

#include <cstddef>

#include "detect/race.hpp"
#include "detect/shadow.hpp"
#include "explore/operation.hpp"
#include "runtime/execution.hpp"

namespace weft {

/// plain_access() for memory that other threads may meet.
void shared_access(Execution& execution, AccessKind kind, const volatile void* address, std::size_t size,
                   const void* place);

/// The running thread gives back a block that other threads may have met: a write to all of it.
void free_access(Execution& execution, std::uintptr_t address, std::size_t size, const void* place);

/// The running thread is about to access `size` bytes (at least one) at `address` without atomics; `place` is the code
/// address. Comes back when the access may happen, or never (a finding stopped the thread).
inline void plain_access(Execution& execution, AccessKind kind, const volatile void* address, std::size_t size,
                         const void* place) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  if (!racy_memory::has_pending_writes && shadow::is_private(execution.running().id, at, size)) [[likely]] {
    if (kind == AccessKind::write && at - arena::slot_begin(execution.running().id) < arena::kHeapLimit)
      execution.wrote_plain_memory();
    return;
  }
  shared_access(execution, kind, address, size, place);
}

/// The running thread is about to access an atomic object. Reports misaligned, overlapping and mixed-size use.
AtomicObject atomic_object(Execution& execution, const volatile void* address, std::size_t size, const void* place);

/// To be called right after the operation: reports races with plain accesses, and use after free.
void atomic_access(Execution& execution, AccessKind kind, const AtomicObject& object, const void* place);

/// Keeps what is in memory there, to be put back at the end of the run. Needed by whoever writes memory of the scenario
/// without announcing a plain write.
void keep_for_undo(const volatile void* address, std::size_t size);
void keep_for_undo(const AtomicObject& object);

}  // namespace weft
