// Deterministic memory of model threads: a heap and a stack for each, at addresses that depend on the thread's number alone.
//
// A thread allocates by moving a pointer; nothing is reused inside an execution, so addresses do not depend on the schedule, and a
// stale pointer can never meet a new object. reset() takes everything back at the end of a run.
#pragma once

#include <cstddef>
#include <cstdint>

#include "graph/event.hpp"

namespace weft::arena {

inline constexpr std::uintptr_t kBase = 0x1000'0000'0000;
inline constexpr std::size_t kSlotSize = std::size_t{1} << 32;   ///< address space per thread
inline constexpr std::size_t kHeapLimit = std::size_t{1} << 30;  ///< bytes a thread may allocate in one execution
inline constexpr std::size_t kStackSize = std::size_t{1} << 18;  ///< bytes of stack, below it a guard
inline constexpr std::size_t kMaxSlots = 64;
/// Bytes by which a thread's stack begins lower in its slot than the stack of the thread before it. At one and the same
/// offset the busy ends of all stacks would share a few sets of the processor's caches.
inline constexpr std::size_t kStackStagger = 1088;

/// Reserves the address space; once per process. Throws std::runtime_error if the system refuses.
void reserve();

constexpr std::uintptr_t slot_begin(ThreadId t) { return kBase + index(t) * kSlotSize; }
constexpr std::uintptr_t stack_top(ThreadId t) {
  return slot_begin(t) + kSlotSize - 4096 - index(t) * kStackStagger;
}
constexpr bool contains(std::uintptr_t address) {
  return address - kBase < kMaxSlots * kSlotSize;
}
constexpr ThreadId owner(std::uintptr_t address) {
  return ThreadId{static_cast<std::uint16_t>((address - kBase) / kSlotSize)};
}

/// Next free byte of a thread's heap; aligned to 16. Null if that would exceed kHeapLimit.
void* allocate(ThreadId t, std::size_t size, std::size_t alignment);
/// Bytes handed out to `t` in this run.
std::size_t allocated(ThreadId t);
/// Forgets all allocations of all threads.
void reset();

}  // namespace weft::arena
