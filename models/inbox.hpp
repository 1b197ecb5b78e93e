// What other threads have sent to an event loop and it has not looked at yet. One weft::shared object, so a message sent is one step.
#pragma once

#include <cstdint>
#include <vector>

#include <weft/shared.hpp>

#include "models/message.hpp"

namespace js {

/// Where a message comes from, as the receiving loop calls it.
enum class SourceId : std::uint32_t {};

enum class EventKind : std::uint8_t { message, online, error, exit, close, woken };

struct Event {
  SourceId source{};
  EventKind kind = EventKind::message;
  Message content{};
};

struct InboxState {
  std::vector<Event> arrived;
  bool stop = false;  ///< somebody wants the loop's thread to stop at once: worker.terminate()
};

using Inbox = weft::shared<InboxState>;

}  // namespace js
