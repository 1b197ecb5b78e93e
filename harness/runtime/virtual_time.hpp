// Virtual time: what clocks show inside an execution.
//
// Each model thread has a clock of its own. It starts at its creator's time, moves when the thread sleeps or a wait of it times out, and is
// brought up to the other's time when it joins a thread or is woken. So what a thread reads depends on nothing but its
// own past, and the exploration stays deterministic.
#pragma once

#include <ctime>

#include "runtime/thread_records.hpp"

namespace weft {

/// What CLOCK_REALTIME shows when an execution begins: 2024-01-01 00:00:00 UTC.
inline constexpr VirtualTime kRealtimeStart = 1'704'067'200'000'000'000;
/// What all other clocks show then. Not zero: programs take that for "never".
inline constexpr VirtualTime kMonotonicStart = 1'000'000'000'000;

constexpr VirtualTime clock_start(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI ? kRealtimeStart
                                                                                        : kMonotonicStart;
}
constexpr VirtualTime nanoseconds(const timespec& time) {
  return time.tv_sec < 0 ? 0
                         : static_cast<VirtualTime>(time.tv_sec) * 1'000'000'000 + static_cast<VirtualTime>(time.tv_nsec);
}
/// Virtual time of a point of `clock`; 0 for one before the execution began.
constexpr VirtualTime virtual_time(clockid_t clock, const timespec& time) {
  const VirtualTime at = nanoseconds(time);
  return at < clock_start(clock) ? 0 : at - clock_start(clock);
}
constexpr timespec time_of_clock(clockid_t clock, VirtualTime now) {
  const VirtualTime at = clock_start(clock) + now;
  return {.tv_sec = static_cast<time_t>(at / 1'000'000'000), .tv_nsec = static_cast<long>(at % 1'000'000'000)};
}

}  // namespace weft
