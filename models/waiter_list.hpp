// Who sleeps in Atomics.wait, or has asked Atomics.waitAsync, on the memory of one SharedArrayBuffer (ECMAScript,
// WaiterList Objects). An agent that ends or is terminated leaves the list: nobody counts as woken who cannot wake.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include <weft/shared.hpp>

#include "models/mailbox.hpp"

namespace js {

/// Where an agent hears which of its waitAsync calls were notified. As in V8, one task settles all that are here when
/// it runs.
struct AsyncWakeUps {
  weft::shared<std::vector<std::uint64_t>> notified;  ///< their numbers, in the order of the notifications
  EventChannel task;                                  ///< one event each time that there are some again
};

/// Has one of the two.
struct Waiter {
  std::size_t offset = 0;            ///< of the element that it waits on, in bytes
  std::uint64_t id = 0;              ///< in order of arrival
  Sleep* sleep = nullptr;            ///< wait: where its thread sleeps
  AsyncWakeUps* wake_ups = nullptr;  ///< waitAsync: where its agent hears of it
  std::uint64_t number = 0;          ///< and under which number
};

/// The specification's critical section: an agent looks at the memory and joins or leaves the list in one go.
struct WaiterList {
  std::mutex critical_section;
  std::vector<Waiter> waiters;
  std::uint64_t next_id = 1;
};

}  // namespace js
