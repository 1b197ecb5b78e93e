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

/// The waitAsync calls of one agent that are pending.
class AsyncWaits final : public HeapObject, public Receiver {
 public:
  static AsyncWaits& of_current_agent() {
    if (current_ == nullptr) current_ = &EventLoop::current().heap().make<AsyncWaits>(EventLoop::current());
    return *current_;
  }

  explicit AsyncWaits(EventLoop& loop) : loop_(loop) {
    name_part(wake_ups_.notified, "notified waitAsync calls");
    name_part(wake_ups_.task, "a task for waitAsync");
    // An agent that is stopped keeps its heap, since frames on its stack may refer to that.
    loop_.at_end([this] {
      if (!loop_.ended_orderly()) leave_all();
    });
  }
  ~AsyncWaits() override { leave_all(); }

  /// The promise, if the element is `expected`, and its number among those of this agent.
  std::optional<std::pair<std::uint64_t, Promise<std::string>>> begin(const Int32Array& view, std::size_t index,
                                                                      std::int32_t expected) {
    const std::uint64_t number = ++last_number_;
    const std::optional<std::uint64_t> id = join_if(view, index, expected, {.wake_ups = &wake_ups_, .number = number});
    if (!id) return std::nullopt;
    if (pending_.empty()) source_ = loop_.listen(*this, wake_ups_.task);
    const Promise<std::string> promise = Promise<std::string>::pending();
    pending_.push_back({number, *id, view, promise});
    return std::pair(number, promise);
  }
  /// The time-out of this call is over. False if a notification came first.
  bool time_out(std::uint64_t number) {
    const auto call = find(number);
    if (call == pending_.end() || !leave(call->view, call->id)) return false;
    settle(number, "timed-out");
    return true;
  }

  void deliver(Event) override {
    const auto notified =
        wake_ups_.notified.update([](std::vector<std::uint64_t>& numbers) { return std::exchange(numbers, {}); });
    for (const std::uint64_t number : notified) settle(number, "ok");
  }
  bool keeps_alive() const override { return false; }
  bool is_drained() const override { return true; }  // V8 runs such tasks before the loop ends

 private:
  struct Call {
    std::uint64_t number = 0;
    std::uint64_t id = 0;  // in the list of waiters
    Int32Array view;
    Promise<std::string> promise;
  };

  std::vector<Call>::iterator find(std::uint64_t number) {
    return std::find_if(pending_.begin(), pending_.end(), [number](const Call& call) { return call.number == number; });
  }
  void settle(std::uint64_t number, const char* result) {
    const auto call = find(number);
    const Promise<std::string> promise = call->promise;
    pending_.erase(call);
    if (pending_.empty()) loop_.forget(source_);
    promise.resolve(result);
  }
  void leave_all() {
    for (const Call& call : std::exchange(pending_, {})) leave(call.view, call.id);
    current_ = nullptr;
  }

  static thread_local AsyncWaits* current_;
  EventLoop& loop_;
  AsyncWakeUps wake_ups_;
  SourceId source_{};
  std::uint64_t last_number_ = 0;
  std::vector<Call> pending_;
};

thread_local AsyncWaits* AsyncWaits::current_ = nullptr;

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
  note([&] {
    return "Atomics.wait: sleeps while element " + std::to_string(index) + " is " + std::to_string(expected);
  });
  if (timeout != kForever) {
    // Who comes first into the critical section now, this thread or one that notifies, decides.
    if (!weft::detail::in_execution())
      std::this_thread::sleep_for(std::chrono::milliseconds(std::min<Milliseconds>(timeout, 10)));
    if (leave(view, *id)) return WaitResult::timed_out;
  }
  if (loop.sleep().receive() == WakeUp::stop) {
    leave(view, *id);  // who notifies from here on wakes another one
    loop.exit(1);
  }
  return WaitResult::ok;
}

AsyncWait waitAsync(const Int32Array& view, std::size_t index, std::int32_t expected, Milliseconds timeout) {
  EventLoop& loop = EventLoop::current();
  loop.checkpoint();
  waiters_of(view);
  offset_of(view, index);
  if (timeout <= 0) {
    const bool is_equal = std::atomic_ref<std::int32_t>(view[index]).load() == expected;
    return {.async = false, .value = is_equal ? WaitResult::timed_out : WaitResult::not_equal};
  }
  AsyncWaits& waits = AsyncWaits::of_current_agent();
  const auto call = waits.begin(view, index, expected);
  if (!call) return {.async = false, .value = WaitResult::not_equal};
  if (timeout != kForever) loop.setTimeout([&waits, number = call->first] { waits.time_out(number); }, timeout).unref();
  return {.async = true, .promise = call->second};
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
      const bool is_first = waiter->wake_ups->notified.update([number = waiter->number](auto& numbers) {
        numbers.push_back(number);
        return numbers.size() == 1;
      });
      if (is_first) waiter->wake_ups->task.send({EventKind::woken, {}});
    }
    waiter = list.waiters.erase(waiter);
    ++woken;
  }
  return woken;
}

}  // namespace js::Atomics
