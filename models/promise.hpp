// Promises, with the number of microtask ticks that the language specifies, and async functions as C++20 coroutines:
//
//   js::Promise<int> price(int item) { co_return co_await lookup(item) + 1; }
//
// An async function runs at once up to its first co_await of anything. `co_await promise` continues one tick after the
// promise is settled; a promise resolved with a promise (`co_return other`, a then-callback that returns one) follows
// it three ticks later: one for the job that calls its then, one for that reaction, one for the reaction of whoever
// waits (ECMAScript, NewPromiseResolveThenableJob). Rejections are js::Error values, thrown where they are awaited. A
// handle is a pointer to an object on the agent's heap: copy it freely, on its own loop.
//
// Not modelled: subclasses, Symbol.species, a getter named `then`. When a loop is destroyed, so are the frames of
// coroutines that were never resumed; JavaScript would run nothing then, C++ runs the destructors of their locals.
#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>
#include <functional>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/event_loop.hpp"
#include "models/noted_access.hpp"

namespace js {

/// What a promise of nothing is fulfilled with.
struct Undefined {
  friend bool operator==(Undefined, Undefined) = default;
};

namespace detail {
template <class T>
using Stored = std::conditional_t<std::is_void_v<T>, Undefined, T>;
}  // namespace detail

/// The part of a promise that does not depend on its type.
class PromiseRecord : public HeapObject {
 public:
  enum class State : std::uint8_t { pending, fulfilled, rejected };

  explicit PromiseRecord(EventLoop& loop) : loop_(loop) {}

  State state() const { return state_; }
  bool is_pending() const { return state_ == State::pending; }
  const Error& reason() const { return *reason_; }
  bool is_handled() const { return handled_; }
  void mark_handled() { handled_ = true; }
  void mark_reported() { reported_ = true; }
  EventLoop& loop() const { return loop_; }
  /// Resolve functions of one promise work once: true for the first call.
  bool claim() { return !std::exchange(claimed_, true); }
  /// What it stands for, in traces; null: nothing of interest.
  const char* label() const { return label_; }
  void set_label(const char* label) { label_ = label; }

  /// Queues `reaction` as a microtask of the running task when the promise is settled. Counts as handling its
  /// rejection.
  void on_settled(Callback reaction);
  void reject(Error reason);

 protected:
  void settle(State state);

 private:
  struct Reaction {
    Callback run;
    std::uint32_t task;
  };
  EventLoop& loop_;
  State state_ = State::pending;
  bool handled_ = false;
  bool reported_ = false;
  bool claimed_ = false;
  const char* label_ = nullptr;
  std::optional<Error> reason_;
  std::vector<Reaction> reactions_;
};

template <class T>
class TypedPromiseRecord final : public PromiseRecord {
 public:
  using PromiseRecord::PromiseRecord;
  void fulfill(detail::Stored<T> value) {
    value_ = std::move(value);
    settle(State::fulfilled);
  }
  const detail::Stored<T>& value() const { return *value_; }

 private:
  std::optional<detail::Stored<T>> value_;
};

/// An object with a `then` method that is no promise. `then` is called with the two functions that settle whoever
/// awaits it.
template <class T = void>
struct Thenable {
  std::function<void(std::function<void(detail::Stored<T>)> resolve, std::function<void(Error)> reject)> then;
};

namespace detail {

template <class R>
struct PromiseOf {
  using Type = R;
};
template <class T>
struct PromiseOf<Promise<T>> {
  using Type = T;
};
template <class T>
struct PromiseOf<Thenable<T>> {
  using Type = T;
};

/// Calls `f` with the value, or without one if it takes none.
template <class F, class V>
decltype(auto) call_with(F& f, const V& value) {
  if constexpr (std::is_invocable_v<F&, const V&>) {
    return f(value);
  } else {
    return f();
  }
}
template <class F, class V>
using ResultOf = decltype(call_with(std::declval<F&>(), std::declval<const V&>()));

}  // namespace detail

template <class T = void>
class [[nodiscard]] Promise {
 public:
  using Value = detail::Stored<T>;
  class promise_type;

  /// A pending promise; the executor's view of it: `resolve` and `reject` work once.
  static Promise pending() {
    return Promise(EventLoop::current().heap().template make<TypedPromiseRecord<T>>(EventLoop::current()));
  }
  /// `new Promise((resolve, reject) => ...)`: calls `executor` at once. What it throws rejects.
  template <class Executor>
  static Promise make(Executor executor) {
    const Promise promise = pending();
    try {
      executor(promise.resolver(), promise.rejecter());
    } catch (...) {
      promise.reject(current_error());
    }
    return promise;
  }

  /// Fulfils it, if nothing has resolved or rejected it before.
  void resolve(Value value = {}) const {
    if (record_->claim()) record_->fulfill(std::move(value));
  }
  /// Makes it follow `other`, which must not be itself: that rejects it.
  void resolve(Promise other) const {
    if (!record_->claim()) return;
    if (other.record_ == record_) {
      record_->reject(TypeError("Chaining cycle detected for promise"));
    } else {
      follow(other);
    }
  }
  void resolve(Thenable<T> thenable) const {
    if (record_->claim()) follow(std::move(thenable));
  }
  void reject(Error reason) const {
    if (record_->claim()) record_->reject(std::move(reason));
  }
  auto resolver() const {
    return [promise = *this](auto... value) { promise.resolve(std::move(value)...); };
  }
  auto rejecter() const {
    return [promise = *this](Error reason) { promise.reject(std::move(reason)); };
  }

  bool is_pending() const { return record_->is_pending(); }
  bool is_fulfilled() const { return record_->state() == PromiseRecord::State::fulfilled; }
  bool is_rejected() const { return record_->state() == PromiseRecord::State::rejected; }
  /// Of a fulfilled one.
  const Value& value() const { return record_->value(); }
  /// Of a rejected one.
  const Error& reason() const { return record_->reason(); }
  PromiseRecord& record() const { return *record_; }
  /// Shown in traces when somebody awaits it.
  Promise named(const char* label) const {
    record_->set_label(label);
    return *this;
  }

  /// The promise of what `fulfilled` returns (given the value, or nothing); a promise or thenable that it returns is
  /// followed.
  template <class Fulfilled>
  auto then(Fulfilled fulfilled) const {
    using Result = typename detail::PromiseOf<detail::ResultOf<Fulfilled, Value>>::Type;
    const Promise<Result> derived = Promise<Result>::pending();
    record_->on_settled([self = *this, derived, fulfilled]() mutable {
      if (self.is_rejected()) {
        derived.reject(self.reason());
      } else {
        derived.resolve_with([&]() -> decltype(auto) { return detail::call_with(fulfilled, self.value()); });
      }
    });
    return derived;
  }
  /// `then` with both reactions; they must return the same type.
  template <class Fulfilled, class Rejected>
  auto then(Fulfilled fulfilled, Rejected rejected) const {
    using Result = typename detail::PromiseOf<detail::ResultOf<Fulfilled, Value>>::Type;
    const Promise<Result> derived = Promise<Result>::pending();
    record_->on_settled([self = *this, derived, fulfilled, rejected]() mutable {
      if (self.is_rejected()) {
        derived.resolve_with([&]() -> decltype(auto) { return detail::call_with(rejected, self.reason()); });
      } else {
        derived.resolve_with([&]() -> decltype(auto) { return detail::call_with(fulfilled, self.value()); });
      }
    });
    return derived;
  }
  /// `promise.catch(rejected)`. `rejected` must return a T, a promise of one, or nothing if T is void.
  template <class Rejected>
  Promise catch_(Rejected rejected) const {
    const Promise derived = pending();
    record_->on_settled([self = *this, derived, rejected]() mutable {
      if (self.is_rejected()) {
        derived.resolve_with([&]() -> decltype(auto) { return detail::call_with(rejected, self.reason()); });
      } else {
        derived.resolve(self.value());
      }
    });
    return derived;
  }
  /// Waits for what `settled` returns, if that is a promise, then settles as this one did.
  template <class Settled>
  Promise finally(Settled settled) const;

  auto operator co_await() const;

  /// Resolves with what `produce` returns, rejects with what it throws.
  template <class Produce>
  void resolve_with(Produce produce) const {
    try {
      if constexpr (std::is_void_v<decltype(produce())>) {
        produce();
        resolve();
      } else {
        resolve(produce());
      }
    } catch (...) {
      reject(current_error());
    }
  }

 private:
  template <class>
  friend class Promise;
  explicit Promise(TypedPromiseRecord<T>& record) : record_(&record) {}

  // Behaves as `other.then(resolve, reject)` called by a job of its own.
  void follow(Promise other) const {
    record_->loop().queueMicrotask([self = *this, other] { self.settle_like(other); });
  }
  void settle_like(Promise other) const {
    other.record_->on_settled([self = *this, other] {
      if (other.is_rejected()) {
        self.record_->reject(other.reason());
      } else {
        self.record_->fulfill(other.value());
      }
    });
  }
  void follow(Thenable<T> thenable) const {
    record_->loop().queueMicrotask([self = *this, thenable = std::move(thenable)] {
      const Promise inner = pending();  // its resolve functions: they work once
      try {
        thenable.then(
            [self, inner](Value value) {
              if (inner.record_->claim()) self.record_->fulfill(std::move(value));
            },
            [self, inner](Error reason) {
              if (inner.record_->claim()) self.record_->reject(std::move(reason));
            });
      } catch (...) {
        if (inner.record_->claim()) self.record_->reject(current_error());
      }
    });
  }

  TypedPromiseRecord<T>* record_;
};

/// `Promise.resolve(value)`.
template <class T>
Promise<T> resolved(T value) {
  const Promise<T> promise = Promise<T>::pending();
  promise.resolve(std::move(value));
  return promise;
}
inline Promise<> resolved() {
  const Promise<> promise = Promise<>::pending();
  promise.resolve();
  return promise;
}
/// `Promise.resolve(thenable)`.
template <class T>
Promise<T> resolved(Thenable<T> thenable) {
  const Promise<T> promise = Promise<T>::pending();
  promise.resolve(std::move(thenable));
  return promise;
}
/// `Promise.reject(reason)`.
template <class T = void>
Promise<T> rejected(Error reason) {
  const Promise<T> promise = Promise<T>::pending();
  promise.reject(std::move(reason));
  return promise;
}

template <class T>
template <class Settled>
Promise<T> Promise<T>::finally(Settled settled) const {
  const Promise derived = pending();
  record_->on_settled([self = *this, derived, settled]() mutable {
    using Result = decltype(settled());
    using Waited = typename detail::PromiseOf<Result>::Type;
    const auto pass_on = [self, derived](const Promise<Waited>& waited) {
      // The specification's thunks: `return Promise.resolve(result).then(() => value)`, which `derived` then follows.
      const Promise thunk = pending();
      waited.record().on_settled([self, waited, thunk] {
        if (waited.is_rejected()) {
          thunk.reject(waited.reason());
        } else if (self.is_rejected()) {
          thunk.reject(self.reason());
        } else {
          thunk.resolve(self.value());
        }
      });
      derived.resolve(thunk);
    };
    try {
      if constexpr (std::is_void_v<Result>) {
        settled();
        pass_on(resolved());
      } else if constexpr (std::is_same_v<Result, Promise<Waited>>) {
        pass_on(settled());
      } else {
        pass_on(resolved(settled()));
      }
    } catch (...) {
      derived.reject(current_error());
    }
  });
  return derived;
}

// --- coroutines ---

namespace detail {

/// Awaits a promise: goes on in a reaction of it, one tick after it is settled.
template <class T>
class Awaiter {
 public:
  explicit Awaiter(Promise<T> promise) : promise_(promise) {}
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> frame) const {
    const char* const label = promise_.record().label();
    if (label != nullptr) {
      note_access(weft::detail::Note::Does::suspends, [&] {
        return NotedAccess{std::string("await ") + label + ": suspends", "", ""};
      });
    }
    promise_.record().on_settled([this, frame, label] {  // the awaiter is in the frame until it is resumed
      if (label != nullptr) note([&] { return resumption(label); });
      frame.resume();
    });
  }
  T await_resume() const {
    if (promise_.is_rejected()) throw Error(promise_.reason());
    if constexpr (!std::is_void_v<T>) return promise_.value();
  }

 private:
  std::string resumption(const char* label) const {
    std::string text = "resumes after ";
    text += label;
    if (promise_.is_rejected()) {
      text += ", which throws ";
      text += promise_.reason().what();
    }
    return text;
  }

  Promise<T> promise_;
};

// A frame is kept with its link, so that the heap can find it, and its size, so that it can be given back.
struct FrameHeader {
  FrameLink link;
};
inline constexpr std::size_t kFrameOffset =
    (sizeof(FrameHeader) + alignof(std::max_align_t) - 1) / alignof(std::max_align_t) * alignof(std::max_align_t);

class CoroutineBase {
 public:
  // Out of line: inlined, g++ 12 takes the pair for a mismatch.
  [[gnu::noinline]] static void* operator new(std::size_t size) {
    void* const block = ::operator new(size + kFrameOffset);
    auto* const header = new (block) FrameHeader;
    void* const frame = static_cast<std::byte*>(block) + kFrameOffset;
    header->link.frame = std::coroutine_handle<>::from_address(frame);
    EventLoop::current().heap().add(header->link);
    return frame;
  }
  [[gnu::noinline]] static void operator delete(void* frame) {
    void* const block = static_cast<std::byte*>(frame) - kFrameOffset;
    auto* const header = static_cast<FrameHeader*>(block);
    Heap::remove(header->link);
    header->~FrameHeader();
    ::operator delete(block);
  }
  std::suspend_never initial_suspend() const noexcept { return {}; }
  std::suspend_never final_suspend() const noexcept { return {}; }

  template <class U>
  Awaiter<U> await_transform(Promise<U> promise) const {
    return Awaiter<U>(promise);
  }
  template <class U>
  Awaiter<U> await_transform(Thenable<U> thenable) const {
    return Awaiter<U>(resolved(std::move(thenable)));
  }
  /// `await` of what is no promise: goes on in the next tick.
  template <class U>
  Awaiter<U> await_transform(U value) const {
    return Awaiter<U>(resolved(std::move(value)));
  }
};

}  // namespace detail

template <class T>
class Promise<T>::promise_type : public detail::CoroutineBase {
 public:
  Promise get_return_object() const { return promise_; }
  void unhandled_exception() const { promise_.reject(current_error()); }
  void return_value(Value value) const { promise_.resolve(std::move(value)); }
  void return_value(Promise other) const { promise_.resolve(other); }
  void return_value(Thenable<T> thenable) const { promise_.resolve(std::move(thenable)); }

 private:
  Promise promise_ = Promise::pending();
};

template <>
class Promise<void>::promise_type : public detail::CoroutineBase {
 public:
  Promise get_return_object() const { return promise_; }
  void unhandled_exception() const { promise_.reject(current_error()); }
  void return_void() const { promise_.resolve(); }

 private:
  Promise promise_ = Promise::pending();
};

template <class T>
auto Promise<T>::operator co_await() const {
  return detail::Awaiter<T>(*this);
}

// --- promises of what the loop does ---

/// I/O that completes after any time, in any order with other I/O (Time::exact: after `takes`). `what` stands in
/// traces: "charge upstream".
Promise<> io(const char* what, std::optional<Milliseconds> takes = {});
/// The same on the runtime's thread pool: at most four at once.
Promise<> pool_work(const char* what, std::optional<Milliseconds> takes = {});
/// `new Promise(resolve => setTimeout(resolve, delay))`.
Promise<> sleep(Milliseconds delay);
/// `new Promise(resolve => setImmediate(resolve))`: a turn of the loop in which timers and I/O get theirs.
Promise<> immediate();

template <class Body>
void EventLoop::spawn(const char* name, Body body) {
  const std::uint32_t task = weft::detail::new_task(name);
  struct Held final : HeapObject {
    explicit Held(Body b) : body(std::move(b)) {}
    Body body;
  };
  Held& held =
      heap_.make<Held>(std::move(body));  // as long as the coroutines that it starts, which may refer to its captures
  const auto begin = [this, name, task] {
    note([name] { return std::string("next: ") + name; });
    enter_task(task);
  };
  using Result = decltype(held.body());
  if constexpr (std::is_void_v<Result>) {
    arrive([&held, begin] {
      begin();
      held.body();
    });
  } else {
    struct Outcome final : HeapObject {
      std::optional<Result> promise;
    };
    Outcome& outcome = heap_.make<Outcome>();
    arrive([&held, &outcome, begin] {
      begin();
      outcome.promise = held.body();
    });
    add_task(name, task, [&outcome] { return outcome.promise && !outcome.promise->is_pending(); });
  }
}

}  // namespace js
