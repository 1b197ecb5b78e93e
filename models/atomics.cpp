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
std::optional<std::uint64_t> join_if(const Int32Array& view, std::size_t index, std::int32_t expected, SourceId source) {
  WaiterList& list = waiters_of(view);
  const std::size_t offset = offset_of(view, index);
  const std::lock_guard<std::mutex> lock(list.critical_section);
  if (std::atomic_ref<std::int32_t>(view[index]).load() != expected) return std::nullopt;
  list.waiters.push_back({offset, list.next_id, &EventLoop::current().mailbox(), source});
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
  explicit PendingWait(EventLoop& loop) : loop_(loop), source_(loop.add_receiver(*this)), promise_(Promise<std::string>::pending()) {}

  void deliver(Event) override { settle("ok"); }
  bool keeps_alive() const override { return false; }
  void settle(const char* result) {
    loop_.forget(source_);
    promise_.resolve(result);
  }
  SourceId source() const { return source_; }
  Promise<std::string> promise() const { return promise_; }

 private:
  EventLoop& loop_;
  SourceId source_;
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
  const std::optional<std::uint64_t> id = join_if(view, index, expected, SourceId{});
  if (!id) return WaitResult::not_equal;
  note([&] { return "Atomics.wait: sleeps while element " + std::to_string(index) + " is " + std::to_string(expected); });
  if (timeout != kForever) {
    // Who comes first into the critical section now, this thread or one that notifies, decides.
    if (!weft::detail::in_execution()) std::this_thread::sleep_for(std::chrono::milliseconds(std::min<Milliseconds>(timeout, 10)));
    if (leave(view, *id)) return WaitResult::timed_out;
  }
  if (loop.mailbox().sleep.receive().message == WakeUp::stop) loop.exit(1);
  return WaitResult::ok;
}

AsyncWait waitAsync(const Int32Array& view, std::size_t index, std::int32_t expected, Milliseconds timeout) {
  EventLoop& loop = EventLoop::current();
  loop.checkpoint();
  waiters_of(view);
  offset_of(view, index);
  PendingWait& pending = loop.heap().make<PendingWait>(loop);
  const std::optional<std::uint64_t> id = join_if(view, index, expected, pending.source());
  if (!id || timeout <= 0) {
    loop.forget(pending.source());
    const bool too_late = id && leave(view, *id);
    return {.async = false, .value = too_late ? WaitResult::timed_out : WaitResult::not_equal};
  }
  if (timeout != kForever) {
    loop.setTimeout([&pending, view, id] { if (leave(view, *id)) pending.settle("timed-out"); }, timeout).unref();
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
    if (waiter->source == SourceId{}) {
      waiter->mailbox->sleep.send(WakeUp::notified);
    } else {
      waiter->mailbox->inbox.send({waiter->source, EventKind::woken, {}});
    }
    waiter = list.waiters.erase(waiter);
    ++woken;
  }
  return woken;
}

}  // namespace js::Atomics
