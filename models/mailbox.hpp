// How agents reach each other: channels of events, one for each source that a loop listens to, where a thread sleeps in
// Atomics.wait, and whether it is to stop. Kept apart from the loops, since whoever sends may do so before the
// receiving loop exists and after it is gone.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include <weft/channel.hpp>
#include <weft/weft.hpp>

#include "models/message.hpp"

namespace js {

enum class EventKind : std::uint8_t { message, online, error, exit, close, woken, resumed, stop };

struct Event {
  EventKind kind = EventKind::message;
  Message content{};
};
using EventChannel = weft::channel<Event>;

/// What ends a sleep.
enum class WakeUp : std::uint8_t { notified, stop };
using Sleep = weft::channel<WakeUp>;

/// The life of a worker, as others see it.
enum class Life : std::uint8_t { booting, online, stopping };

/// What a worker's thread and its parent have in common.
struct Mailbox {
  EventChannel from_parent;
  Sleep sleep;
  std::atomic<Life> life{Life::booting};
};

/// Says in reports what an object is. Steps on it are left out of traces: notes tell what is sent and received.
template <class T>
void name_part(const T& part, const std::string& name) {
  weft::name(part, name.c_str());
  weft::detail::hide_steps(&part);
}

}  // namespace js
