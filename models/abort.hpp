// AbortController and AbortSignal (DOM, Aborting ongoing activities). abort() calls the listeners before it returns;
// each signal is aborted at most once. A listener that is added afterwards is not called: look at aborted() first. What
// a listener throws is uncaught in a tick, and the others run all the same.
//
// Not modelled: AbortSignal.any, onabort.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "models/error.hpp"
#include "models/event_loop.hpp"

namespace js {

/// A handle: copies are the same signal.
class AbortSignal {
 public:
  AbortSignal() : record_(&EventLoop::current().heap().make<Record>()) {}

  /// `AbortSignal.abort(reason)`: one that is aborted already.
  static AbortSignal abort(Error reason = AbortError()) {
    const AbortSignal signal;
    signal.run_abort(std::move(reason));
    return signal;
  }
  /// `AbortSignal.timeout(delay)`. Does not keep the loop alive.
  static AbortSignal timeout(Milliseconds delay) {
    const AbortSignal signal;
    setTimeout([signal] { signal.run_abort(Error("TimeoutError", "The operation was aborted due to timeout")); }, delay)
        .unref();
    return signal;
  }

  bool aborted() const { return record_->reason.has_value(); }
  /// Why; nothing if it is not aborted.
  const std::optional<Error>& reason() const { return record_->reason; }
  void throwIfAborted() const {
    if (aborted()) throw *record_->reason;
  }
  /// `addEventListener('abort', listener)`. Returns a number for removeEventListener().
  std::uint64_t addEventListener(Callback listener) const {
    record_->listeners.emplace_back(record_->next_id, std::move(listener));
    return record_->next_id++;
  }
  void removeEventListener(std::uint64_t id) const {
    std::erase_if(record_->listeners, [id](const auto& listener) { return listener.first == id; });
  }

 private:
  friend class AbortController;
  struct Record final : HeapObject {
    std::optional<Error> reason;
    std::vector<std::pair<std::uint64_t, Callback>> listeners;
    std::uint64_t next_id = 1;
  };

  void run_abort(Error reason) const {
    if (aborted()) return;
    note([&] { return "aborts: " + std::string(reason.what()); });
    record_->reason = std::move(reason);
    const std::vector<std::pair<std::uint64_t, Callback>> listeners = std::exchange(record_->listeners, {});
    for (const auto& [id, listener] : listeners) {
      try {
        listener();
      } catch (...) {
        process::nextTick([error = current_error()] { throw error; });
      }
    }
  }

  Record* record_;
};

class AbortController {
 public:
  AbortSignal signal;
  /// Aborts the signal, unless that has happened already.
  void abort(Error reason = AbortError()) const { signal.run_abort(std::move(reason)); }
};

}  // namespace js
