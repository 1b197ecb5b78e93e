// A channel from many threads to one, on which models build the inboxes of event loops. Explored, sending is one step
// and receiving is none that others could disturb: n messages cost the orders in which they are sent, each once, and a
// receive waits without blocked executions. On real threads the same object is a mutex, a condition variable and a
// queue.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "weft/shared.hpp"

namespace weft {

namespace detail {
/// Names a step of the running execution.
using StepName = std::uint64_t;

/// The next step of the calling thread, if the next thing that it does is one.
StepName next_step();
/// Sends what keep_value() has kept for next_step().
void send_step(const volatile void* channel, std::uint32_t generation);
/// An object of the scenario's, as the engine names it.
struct ChannelName {
  const volatile void* address = nullptr;
  std::uint32_t generation = 0;
};
/// What else the receiver could have chosen to do: other channels to receive from, and, if `and_more`, something that
/// is no receive.
struct Alternatives {
  const ChannelName* channels = nullptr;
  std::size_t count = 0;
  bool and_more = false;
};
/// Waits for the next message; returns the step that sent it. If none comes but an alternative has one, or is
/// `and_more`, the run is none of the program's executions: others stand for it.
StepName receive_step(const volatile void* channel, std::uint32_t generation, Alternatives alternatives);
void keep_value(const volatile void* channel, std::uint32_t generation, StepName step, void* value,
                void (*destroy)(void*));
const void* kept_value(const volatile void* channel, std::uint32_t generation, StepName step);
/// How many messages that the calling thread has not received were sent before this point (happens-before).
std::size_t count_certainly_sent(const volatile void* channel, std::uint32_t generation);
/// A time such as before_shared_step() takes, to wait for something else.
std::chrono::microseconds random_patience();
}  // namespace detail

/// T must be copyable. send() is thread-safe; the rest is for one thread, the receiver. Sends happen before the
/// receives that take them.
template <class T>
class channel {
 public:
  channel() = default;
  channel(const channel&) = delete;
  channel& operator=(const channel&) = delete;

  void send(T message) {
    if (!detail::in_execution()) {
      detail::before_shared_step();
      const std::lock_guard<std::mutex> lock(mutex_);
      waiting_.push_back(std::move(message));
      sent_.notify_one();
      return;
    }
    {
      const detail::StepName step = detail::next_step();
      const detail::OutsideScope outside;  // the copy belongs to no thread
      detail::keep_value(this, generation_, step, new T(message), [](void* kept) { delete static_cast<T*>(kept); });
    }
    detail::send_step(this, generation_);
  }

  /// The next message; waits until there is one.
  T receive() {
    if (!detail::in_execution()) {
      std::unique_lock<std::mutex> lock(mutex_);
      sent_.wait(lock, [this] { return !waiting_.empty(); });
      return take();
    }
    return kept(detail::receive_step(this, generation_, {}));
  }

  /// The next message of the channel that the caller has chosen (weft::choose) among this one and `others`, and, if
  /// `and_more`, things that are no receive. Explored, it always comes: executions in which it does not are left out,
  /// since those with another choice stand for them. If nothing comes anywhere, and there is nothing more, that is a
  /// deadlock. On real threads nothing, after a short random time.
  std::optional<T> receive_by_choice(const std::vector<channel*>& others, bool and_more) {
    if (!detail::in_execution()) {
      std::unique_lock<std::mutex> lock(mutex_);
      if (!sent_.wait_for(lock, detail::random_patience(), [this] { return !waiting_.empty(); })) return std::nullopt;
      return take();
    }
    std::vector<detail::ChannelName> names;
    for (const channel* const other : others) names.push_back({other, other->generation_});
    return kept(detail::receive_step(this, generation_, {names.data(), names.size(), and_more}));
  }

  /// How many messages are certainly there: so many receives in a row would not wait.
  std::size_t certain() {
    if (!detail::in_execution()) {
      const std::lock_guard<std::mutex> lock(mutex_);
      return waiting_.size();
    }
    return detail::count_certainly_sent(this, generation_);
  }

 private:
  T take() {
    T message = std::move(waiting_.front());
    waiting_.pop_front();
    return message;
  }
  T kept(detail::StepName sent) { return *static_cast<const T*>(detail::kept_value(this, generation_, sent)); }

  const std::uint32_t generation_ = detail::count_shared_object(this);
  std::mutex mutex_;
  std::condition_variable sent_;
  std::deque<T> waiting_;
};

}  // namespace weft
