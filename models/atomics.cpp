#include "models/atomics.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>

namespace js::Atomics {
namespace {

std::size_t offset_of(const Int32Array& view, std::size_t index) {
  if (index >= view.length()) throw RangeError("Invalid atomic access index");
  return index * sizeof(std::int32_t);
}

WaiterList& waiters_of(const Int32Array& view) {
  if (!view.is_shared()) throw TypeError("[object Int32Array] is not a shared typed array.");
  return view.shared_buffer()->waiters();
}

/// Joins the list if the element is `expected`; in one critical section.
std::optional<std::uint64_t> join_if(const Int32Array& view, std::size_t index, std::int32_t expected, Waiter waiter) {
  WaiterList& list = waiters_of(view);
  const std::size_t offset = offset_of(view, index);
  const std::lock_guard<std::mutex> lock(list.critical_section);
  if (std::atomic_ref<std::int32_t>(view[index]).load() != expected) return std::nullopt;
  waiter.offset = offset;
  waiter.id = list.next_id;
  list.waiters.push_back(waiter);
  return list.next_id++;
}

/// False if a notification came first.
bool leave(const Int32Array& view, std::uint64_t id) {
  WaiterList& list = waiters_of(view);
  const std::lock_guard<std::mutex> lock(list.critical_section);
  return std::erase_if(list.waiters, [id](const Waiter& waiter) { return waiter.id == id; }) != 0;
}

/// A waitAsync that is pending: gets the event that notify() sends.
class PendingWait final : public HeapObject, public Receiver {
 public:
  PendingWait(EventLoop& loop, const Int32Array& view)
      : loop_(loop), view_(view), source_(loop.listen(*this, channel_)), promise_(Promise<std::string>::pending()) {
    name_part(channel_, "a pending waitAsync");
  }
  ~PendingWait() override { give_up(); }

  /// Waits, if the element is `expected`.
  bool begin(std::size_t index, std::int32_t expected) {
    id_ = join_if(view_, index, expected, {.events = &channel_});
    if (!id_) loop_.forget(source_);
    return id_.has_value();
  }
  /// False if a notification came first.
  bool give_up() { return id_ && leave(view_, *std::exchange(id_, std::nullopt)); }
  void deliver(Event) override { settle("ok"); }
  bool keeps_alive() const override { return false; }
  void settle(const char* result) {
    id_.reset();
    forget();
    promise_.resolve(result);
  }
  void forget() { loop_.forget(source_); }
  Promise<std::string> promise() const { return promise_; }

 private:
  EventLoop& loop_;
  Int32Array view_;
  EventChannel channel_;
  SourceId source_;
  std::optional<std::uint64_t> id_;
  Promise<std::string> promise_;
};

}  // namespace

const char* to_string(WaitResult result) {
  switch (result) {
    case WaitResult::ok:
      return "ok";
    case WaitResult::not_equal:
      return "not-equal";
    case WaitResult::timed_out:
      return "timed-out";
  }
  return "";
}

WaitResult wait(const Int32Array& view, std::size_t index, std::int32_t expected, Milliseconds timeout) {
  EventLoop& loop = EventLoop::current();
  loop.checkpoint();
  const std::optional<std::uint64_t> id = join_if(view, index, expected, {.sleep = &loop.sleep()});
  if (!id) return WaitResult::not_equal;
  note([&] { return "Atomics.wait: sleeps while element " + std::to_string(index) + " is " + std::to_string(expected); });
  if (timeout != kForever) {
    // Who comes first into the critical section now, this thread or one that notifies, decides.
    if (!weft::detail::in_execution()) std::this_thread::sleep_for(std::chrono::milliseconds(std::min<Milliseconds>(timeout, 10)));
    if (leave(view, *id)) return WaitResult::timed_out;
  }
  if (loop.sleep().receive() == WakeUp::stop) loop.exit(1);
  return WaitResult::ok;
}

AsyncWait waitAsync(const Int32Array& view, std::size_t index, std::int32_t expected, Milliseconds timeout) {
  EventLoop& loop = EventLoop::current();
  loop.checkpoint();
  waiters_of(view);
  offset_of(view, index);
  PendingWait& pending = loop.heap().make<PendingWait>(loop, view);
  if (!pending.begin(index, expected)) return {.async = false, .value = WaitResult::not_equal};
  if (timeout <= 0 && pending.give_up()) {
    pending.forget();
    return {.async = false, .value = WaitResult::timed_out};
  }
  if (timeout > 0 && timeout != kForever) {
    loop.setTimeout([&pending] { if (pending.give_up()) pending.settle("timed-out"); }, timeout).unref();
  }
  return {.async = true, .promise = pending.promise()};
}

std::size_t notify(const Int32Array& view, std::size_t index, std::size_t count) {
  if (EventLoop::exists()) EventLoop::current().checkpoint();
  const std::size_t offset = offset_of(view, index);
  if (!view.is_shared()) return 0;
  WaiterList& list = waiters_of(view);
  const std::lock_guard<std::mutex> lock(list.critical_section);
  std::size_t woken = 0;
  for (auto waiter = list.waiters.begin(); waiter != list.waiters.end() && woken < count;) {
    if (waiter->offset != offset) {
      ++waiter;
      continue;
    }
    if (waiter->sleep != nullptr) {
      waiter->sleep->send(WakeUp::notified);
    } else {
      waiter->events->send({EventKind::woken, {}});
    }
    waiter = list.waiters.erase(waiter);
    ++woken;
  }
  return woken;
}

}  // namespace js::Atomics
