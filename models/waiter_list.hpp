// Who sleeps in Atomics.wait, or has asked Atomics.waitAsync, on the memory of one SharedArrayBuffer (ECMAScript, WaiterList Objects).
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "models/mailbox.hpp"

namespace js {

struct Waiter {
  std::size_t offset = 0;      ///< of the element that it waits on, in bytes
  std::uint64_t id = 0;        ///< in order of arrival
  Mailbox* mailbox = nullptr;  ///< of its loop
  SourceId source{};           ///< waitAsync: what the loop calls this wait; wait: 0
};

/// The specification's critical section: an agent looks at the memory and joins or leaves the list in one go.
struct WaiterList {
  std::mutex critical_section;
  std::vector<Waiter> waiters;
  std::uint64_t next_id = 1;
};

}  // namespace js
