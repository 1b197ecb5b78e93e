// One shared object whose every operation is a single step: how models keep an inbox, a table or a counter of several
// fields without spelling out a lock, a change and an unlock. Explored, an operation is one read-modify-write, so n of
// them in a row cost no more orders than n increments. On real threads the same object is a mutex and a condition
// variable.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <utility>

namespace weft {

namespace detail {

/// Identifies a state of a shared object inside an execution; 0 is its first state.
using StateNumber = std::uint64_t;
using StateAccepted = bool (*)(const void* context, const void* state);

/// True while the calling code runs inside an execution; false on real threads.
bool in_execution();
/// An object begins its life at this address. Returns how many lived there before it in this execution; 0 outside of
/// one.
std::uint32_t count_shared_object(const volatile void* object);
/// Performs one step on the object: waits until `accepted(context, state)` (null: any state will do), returns the state
/// it found and a number for the state that the caller must now put in its place with keep_state(), before any other
/// step.
struct SharedStep {
  const void* found;  ///< null: the first state
  StateNumber next;
};
SharedStep take_shared_step(const volatile void* object, std::uint32_t generation, StateAccepted accepted,
                            const void* context, const void* first_state);
/// `state` must live until `destroy(state)` is called, at the end of the execution.
void keep_state(const volatile void* object, std::uint32_t generation, StateNumber number, void* state,
                void (*destroy)(void*));

/// A step on real threads begins: the stress runtime waits here for a random time.
void before_shared_step();

/// Code in this scope runs as if no execution were going on.
class OutsideScope {
 public:
  OutsideScope();
  ~OutsideScope();
  OutsideScope(const OutsideScope&) = delete;
  OutsideScope& operator=(const OutsideScope&) = delete;

 private:
  void* saved_;  // what current() was
};

}  // namespace detail

/// A linearizable T. Each operation synchronizes with the one before it. T must be copyable; `change` and `ready` get a
/// copy that is theirs alone, must not perform visible operations, and, for `ready`, must depend on the state only (it
/// may be asked about states that the thread does not get). If `change` throws, what it did to the state stays done, as
/// it would in an object of its own behind a lock, and the exception goes on to the caller; copying must not throw.
/// Thread-safe.
template <class T>
class shared {
 public:
  shared() : state_() {}
  explicit shared(T initial) : state_(std::move(initial)) {}
  shared(const shared&) = delete;
  shared& operator=(const shared&) = delete;

  /// Changes the state in one step; returns what `change(T&)` returns.
  template <class Change>
  auto update(Change change) {
    return step([](const T&) { return true; }, std::move(change), false);
  }

  /// Waits until `ready(const T&)`, and changes the state in the same step.
  template <class Ready, class Change>
  auto when(Ready ready, Change change) {
    return step(std::move(ready), std::move(change), true);
  }

  /// A copy of the state. Reading takes its place in the order of operations like any other.
  T get() {
    return update([](T& state) { return state; });
  }

 private:
  template <class Ready, class Change>
  auto step(Ready ready, Change change, bool waits) {
    if (!detail::in_execution()) {
      detail::before_shared_step();
      std::unique_lock<std::mutex> lock(mutex_);
      changed_.wait(lock, [&] { return ready(std::as_const(state_)); });
      struct Notify {
        std::condition_variable& changed;
        ~Notify() { changed.notify_all(); }
      } notify{changed_};
      return change(state_);
    }
    const auto accepted = [](const void* context, const void* state) {
      return static_cast<bool>((*static_cast<const Ready*>(context))(*static_cast<const T*>(state)));
    };
    const detail::SharedStep found =
        detail::take_shared_step(this, generation_, waits ? +accepted : nullptr, &ready, &state_);
    T state(*static_cast<const T*>(found.found));
    struct Keep {
      shared& object;
      detail::StateNumber number;
      const T& state;
      ~Keep() { object.keep(number, state); }
    } keep_at_end{*this, found.next, state};
    return change(state);
  }

  void keep(detail::StateNumber number, const T& state) {
    const detail::OutsideScope outside;  // later steps read it in any order; it belongs to no thread
    detail::keep_state(this, generation_, number, new T(state), [](void* kept) { delete static_cast<T*>(kept); });
  }

  const std::uint32_t generation_ = detail::count_shared_object(this);
  T state_;
  std::mutex mutex_;
  std::condition_variable changed_;
};

}  // namespace weft
