// A channel from many threads to one, on which models build the inboxes of event loops. Explored, sending is one step and receiving is none
// that others could disturb: n messages cost the orders in which they are sent, each once, and a receive waits without blocked executions.
// On real threads the same object is a mutex, a condition variable and a queue.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "weft/shared.hpp"

namespace weft {

namespace detail {
/// Names a step of the running execution; 0 is none, and all there is outside of an execution.
using StepName = std::uint64_t;

/// The next step of the calling thread, if the next thing that it does is one.
StepName next_step();
/// Sends what keep_value() has kept for next_step().
void send_step(const volatile void* channel, std::uint32_t generation);
/// Waits for the next message; returns the step that sent it. `may_give_up`: if none comes, the run is none of the program's executions.
StepName receive_step(const volatile void* channel, std::uint32_t generation, bool may_give_up);
void keep_value(const volatile void* channel, std::uint32_t generation, StepName step, void* value, void (*destroy)(void*));
const void* kept_value(const volatile void* channel, std::uint32_t generation, StepName step);
/// True if a message that the calling thread has not received was sent before this point (happens-before): receive() would not wait.
bool certainly_sent(const volatile void* channel, std::uint32_t generation);
/// True if the first step happens before the second one, which must be in the past of the calling thread.
bool happens_before(StepName first, StepName second);
/// Something that a model has noticed, by a number of its own: the exploration starts again, and knows it from its first run on. For choices
/// that are offered only where an execution has shown that they matter. Outside of an execution nothing.
void notice(std::uint32_t number);
bool is_noticed(std::uint32_t number);
/// Outside of an execution: waits a short time, chosen by the seed of a stress run.
void random_delay();
/// The same time, to wait for something else.
std::chrono::microseconds random_patience();
}  // namespace detail

/// T must be copyable. send() is thread-safe; the rest is for one thread, the receiver. Sends happen before the receives that take them.
template <class T>
class channel {
 public:
  channel() = default;
  channel(const channel&) = delete;
  channel& operator=(const channel&) = delete;

  /// A message, and which step sent it (detail::happens_before).
  struct Received {
    T message;
    detail::StepName sent = 0;
  };

  void send(T message) {
    if (!detail::in_execution()) {
      detail::random_delay();
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
  Received receive() {
    if (!detail::in_execution()) {
      std::unique_lock<std::mutex> lock(mutex_);
      sent_.wait(lock, [this] { return !waiting_.empty(); });
      return take();
    }
    return taken(detail::receive_step(this, generation_, false));
  }

  /// The next message, if one comes in time. Explored, it always does: executions in which none comes are left out, so the caller must have
  /// made a choice (weft::choose) whose other outcomes stand for them. On real threads nothing, after a short random time.
  std::optional<Received> receive_or_give_up() {
    if (!detail::in_execution()) {
      std::unique_lock<std::mutex> lock(mutex_);
      if (!sent_.wait_for(lock, detail::random_patience(), [this] { return !waiting_.empty(); })) return std::nullopt;
      return take();
    }
    return taken(detail::receive_step(this, generation_, true));
  }

  /// True if receive() is certain not to wait.
  bool has_message() {
    if (!detail::in_execution()) {
      const std::lock_guard<std::mutex> lock(mutex_);
      return !waiting_.empty();
    }
    return detail::certainly_sent(this, generation_);
  }

 private:
  Received take() {
    Received received{std::move(waiting_.front())};
    waiting_.pop_front();
    return received;
  }
  Received taken(detail::StepName sent) {
    return {*static_cast<const T*>(detail::kept_value(this, generation_, sent)), sent};
  }

  const std::uint32_t generation_ = detail::count_shared_object(this);
  std::mutex mutex_;
  std::condition_variable sent_;
  std::deque<T> waiting_;
};

}  // namespace weft
