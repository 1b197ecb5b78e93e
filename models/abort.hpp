// AbortController and AbortSignal (DOM, Aborting ongoing activities). abort() calls the listeners before it returns;
// each signal is aborted at most once. A listener that is added afterwards is not called: look at aborted() first. One
// that a listener removes is not called any more; one that it adds is, unless it was the last. What a listener throws
// is uncaught in a tick, and the others run all the same.
//
// Not modelled: onabort, reasons that are no Error, a listener that is added twice counting once.
#pragma once

#include <algorithm>
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
    setTimeout([signal] { signal.run_abort(TimeoutError()); }, delay).unref();
    return signal;
  }
  /// `AbortSignal.any(signals)`: aborted as soon as one of them is, after its listeners, with its reason.
  static AbortSignal any(const std::vector<AbortSignal>& signals) {
    for (const AbortSignal& signal : signals) {
      if (signal.aborted()) return abort(*signal.reason());
    }
    const AbortSignal result;
    for (const AbortSignal& signal : signals) result.follow(signal);
    return result;
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
    std::vector<Record*> sources;
    std::vector<Record*> dependents;
  };

  explicit AbortSignal(Record* record) : record_(record) {}

  // Of a signal that follows others itself: those.
  void follow(const AbortSignal& source) const {
    if (source.record_->sources.empty()) {
      source.record_->dependents.push_back(record_);
      record_->sources.push_back(source.record_);
    }
    for (Record* const origin : source.record_->sources) follow(AbortSignal(origin));
  }

  void run_abort(Error reason) const {
    if (aborted()) return;
    note([&] { return "aborts: " + std::string(reason.what()); });
    record_->reason = std::move(reason);
    // Node walks a list, and looks up the next one before it calls one.
    for (std::uint64_t next = listener_after(0); next != 0;) {
      const std::uint64_t id = std::exchange(next, listener_after(next));
      const auto found = std::find_if(record_->listeners.begin(), record_->listeners.end(),
                                      [id](const auto& listener) { return listener.first == id; });
      if (found == record_->listeners.end()) continue;
      const Callback listener = found->second;
      try {
        listener();
      } catch (...) {
        process::nextTick([error = current_error()] { throw error; });
      }
    }
    for (Record* const dependent : record_->dependents) AbortSignal(dependent).run_abort(*record_->reason);
  }
  /// 0: none.
  std::uint64_t listener_after(std::uint64_t id) const {
    const auto found = std::find_if(record_->listeners.begin(), record_->listeners.end(),
                                    [id](const auto& listener) { return listener.first > id; });
    return found == record_->listeners.end() ? 0 : found->first;
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
