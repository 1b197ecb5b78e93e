// Who sleeps in Atomics.wait, or has asked Atomics.waitAsync, on the memory of one SharedArrayBuffer (ECMAScript, WaiterList Objects).
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "models/mailbox.hpp"

namespace js {

/// Has one of the two channels.
struct Waiter {
  std::size_t offset = 0;          ///< of the element that it waits on, in bytes
  std::uint64_t id = 0;            ///< in order of arrival
  Sleep* sleep = nullptr;          ///< wait: where its thread sleeps
  EventChannel* events = nullptr;  ///< waitAsync: to tell its loop
};

/// The specification's critical section: an agent looks at the memory and joins or leaves the list in one go.
struct WaiterList {
  std::mutex critical_section;
  std::vector<Waiter> waiters;
  std::uint64_t next_id = 1;
};

}  // namespace js
