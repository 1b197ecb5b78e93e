// Listeners by the name of an event, as Node's EventEmitter and the platform's EventTarget have them: called in the order in which they were
// added, those of the moment at which the event is emitted.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/value.hpp"

namespace js {

class EventEmitter {
 public:
  using Listener = std::function<void(const Value&)>;

  /// `listener` takes the event's value, or nothing. Returns a number for off().
  template <class L>
  std::uint64_t on(std::string event, L listener) {
    return add(std::move(event), wrapped(std::move(listener)), false);
  }
  /// As on(), for one event.
  template <class L>
  std::uint64_t once(std::string event, L listener) {
    return add(std::move(event), wrapped(std::move(listener)), true);
  }
  void off(std::uint64_t id) {
    std::erase_if(listeners_, [id](const Entry& entry) { return entry.id == id; });
    listeners_changed();
  }
  std::size_t listenerCount(std::string_view event) const {
    std::size_t count = 0;
    for (const Entry& entry : listeners_) count += entry.event == event ? 1 : 0;
    return count;
  }
  /// Calls the listeners; false if there is none.
  bool emit(std::string_view event, const Value& value = {}) {
    std::vector<Entry> now;
    for (const Entry& entry : listeners_) {
      if (entry.event == event) now.push_back(entry);
    }
    for (const Entry& entry : now) {
      if (entry.once) off(entry.id);
      entry.listener(value);
    }
    return !now.empty();
  }

 protected:
  ~EventEmitter() = default;
  virtual void listeners_changed() {}

 private:
  struct Entry {
    std::uint64_t id = 0;
    std::string event;
    Listener listener;
    bool once = false;
  };
  template <class L>
  static Listener wrapped(L listener) {
    if constexpr (std::is_invocable_v<L&, const Value&>) {
      return listener;
    } else {
      return [listener = std::move(listener)](const Value&) mutable { listener(); };
    }
  }
  std::uint64_t add(std::string event, Listener listener, bool once) {
    listeners_.push_back({next_id_, std::move(event), std::move(listener), once});
    listeners_changed();
    return next_id_++;
  }

  std::vector<Entry> listeners_;
  std::uint64_t next_id_ = 1;
};

}  // namespace js
