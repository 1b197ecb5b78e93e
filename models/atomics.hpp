// `Atomics`: accesses of typed arrays that are indivisible and sequentially consistent, and sleeping on shared memory
// (ECMAScript, The Atomics Object). Each throws RangeError for an index outside of the view.
//
// Not modelled: Atomics.isLockFree, floating point views (which have no atomics), 64-bit waits.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "models/array_buffer.hpp"
#include "models/promise.hpp"

namespace js::Atomics {

inline constexpr Milliseconds kForever = std::numeric_limits<Milliseconds>::max();
inline constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();

namespace detail {
/// A step that others can see: a terminated worker ends before it.
template <class T>
std::atomic_ref<T> element(const TypedArray<T>& view, std::size_t index) {
  if (EventLoop::exists()) EventLoop::current().checkpoint();
  if (index >= view.length()) throw RangeError("Invalid atomic access index");
  return std::atomic_ref<T>(view[index]);
}
}  // namespace detail

template <class T>
T load(const TypedArray<T>& view, std::size_t index) {
  return detail::element(view, index).load();
}
/// Returns the value stored.
template <class T>
T store(const TypedArray<T>& view, std::size_t index, T value) {
  detail::element(view, index).store(value);
  return value;
}
/// These return the value before.
template <class T>
T add(const TypedArray<T>& view, std::size_t index, T value) {
  return detail::element(view, index).fetch_add(value);
}
template <class T>
T sub(const TypedArray<T>& view, std::size_t index, T value) {
  return detail::element(view, index).fetch_sub(value);
}
template <class T>
T and_(const TypedArray<T>& view, std::size_t index, T value) {
  return detail::element(view, index).fetch_and(value);
}
template <class T>
T or_(const TypedArray<T>& view, std::size_t index, T value) {
  return detail::element(view, index).fetch_or(value);
}
template <class T>
T xor_(const TypedArray<T>& view, std::size_t index, T value) {
  return detail::element(view, index).fetch_xor(value);
}
template <class T>
T exchange(const TypedArray<T>& view, std::size_t index, T value) {
  return detail::element(view, index).exchange(value);
}
template <class T>
T compareExchange(const TypedArray<T>& view, std::size_t index, T expected, T replacement) {
  detail::element(view, index).compare_exchange_strong(expected, replacement);
  return expected;
}

enum class WaitResult : std::uint8_t { ok, not_equal, timed_out };
/// "ok", "not-equal", "timed-out".
const char* to_string(WaitResult result);

/// Sleeps until notified, if the element is `expected`. Blocks the whole thread, its event loop included; the platform
/// allows that on the main thread, too. Time is free: with a `timeout`, both ends are explored. Throws TypeError if the
/// view is not shared.
WaitResult wait(const Int32Array& view, std::size_t index, std::int32_t expected, Milliseconds timeout = kForever);

struct AsyncWait {
  bool async = false;
  WaitResult value = WaitResult::ok;              ///< if not async: known at once
  std::optional<Promise<std::string>> promise{};  ///< if async: of "ok" or "timed-out", settled by a task of its own
};
/// The same without blocking. A wait that is pending does not keep the loop alive.
AsyncWait waitAsync(const Int32Array& view, std::size_t index, std::int32_t expected, Milliseconds timeout = kForever);

/// Wakes at most `count` of those who wait on the element, first come, first woken; returns how many. 0 for a view that
/// is not shared.
std::size_t notify(const Int32Array& view, std::size_t index, std::size_t count = kAll);

}  // namespace js::Atomics
