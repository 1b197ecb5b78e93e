// How other threads reach an event loop: its inbox, where it sleeps in Atomics.wait, and whether it is to stop. Kept
// apart from the loop, since whoever sends may do so before the loop exists and after it is gone.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include <weft/channel.hpp>
#include <weft/weft.hpp>

#include "models/message.hpp"

namespace js {

/// Where a message comes from, as the receiving loop calls it.
enum class SourceId : std::uint32_t {};

enum class EventKind : std::uint8_t { message, online, error, exit, close, woken, stop };

struct Event {
  SourceId source{};
  EventKind kind = EventKind::message;
  Message content{};
};

/// What ends a sleep.
enum class WakeUp : std::uint8_t { notified, stop };

/// The life of a loop's thread, as others see it.
enum class Life : std::uint8_t { booting, online, stopping };

struct Mailbox {
  weft::channel<Event> inbox;
  weft::channel<WakeUp> sleep;
  std::atomic<Life> life{Life::booting};

  /// Says in reports whose it is. Its steps are left out of traces: notes tell what is sent and received.
  void name(const std::string& owner) {
    weft::name(inbox, ("inbox of " + owner).c_str());
    weft::name(sleep, ("sleep of " + owner).c_str());
    for (const volatile void* const part :
         {static_cast<const volatile void*>(&inbox), static_cast<const volatile void*>(&sleep),
          static_cast<const volatile void*>(&life)}) {
      weft::detail::hide_steps(part);
    }
  }
};

}  // namespace js
