// What synchronization objects have to remember for a whole exploration, so that every run does the same with them.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "runtime/sleep_spin.hpp"
#include "runtime/waiter_list.hpp"

namespace weft {

/// Part of ExplorationMemory.
struct SynchronizationMemory {
  /// Locks (by address) whose state somebody looks at without waiting: try_lock, timed locks. All others are chains of locks.
  std::unordered_set<std::uintptr_t> polled_locks;
  WaiterLists waiter_lists;
  SleepSpins sleep_spins;
};

}  // namespace weft
