// The data race detector: conflicting accesses that happens-before does not order (C++20 [intro.races]/21).
//
// Each plain access is compared with what shadow memory remembers of its bytes, and with the events of the graph where
// the bytes belong to an atomic object; each atomic access is compared with shadow memory. Which of the two comes
// second in the run notices.
//
// An access of thread u after k visible events of u happens before the running thread's current one iff more than k
// events of u are in the running thread's hb clock: then a later event of u, and with it what precedes that in program
// order, happens before.
#pragma once

#include <cstddef>
#include <cstdint>

#include "detect/shadow.hpp"
#include "explore/operation.hpp"

namespace weft {

class Execution;

/// An atomic object, and what shadow memory keeps of it.
struct AtomicObject {
  LocationKey location{};
  std::uintptr_t address = 0;
  std::size_t size = 0;
  const std::uint8_t* flags = nullptr;
  ShadowCell* cell = nullptr;  ///< of the current run; null for memory that is not watched
};

namespace race {

/// Forgets the run before.
void begin_run();

/// Compares a plain access of `bytes` (a mask) in the cell at `cell_address` with all earlier ones and remembers it. A
/// race is reported and stops the running thread.
void plain_access(Execution& execution, ShadowCell& cell, std::uintptr_t cell_address, ShadowAccess access);

/// Says that the bytes are an atomic object from now on. Reports a misaligned object, and one that overlaps another.
AtomicObject atomic_object(Execution& execution, std::uintptr_t address, std::size_t size, const void* place);

/// The atomic objects among these bytes have ended: those that follow there are others.
void end_objects(std::uintptr_t address, std::size_t size);

/// To be called right after an atomic operation: compares its event with the plain accesses in shadow memory.
void atomic_access(Execution& execution, AccessKind kind, const AtomicObject& object, const void* place);

/// Where the event with this index in its thread was performed; null if it was no atomic access.
const void* place_of_atomic(ThreadId thread, std::uint32_t index);

}  // namespace race
}  // namespace weft
