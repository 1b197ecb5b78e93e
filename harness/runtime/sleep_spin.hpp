// The bounded spin before a sleep: libstdc++ looks at an atomic 16 times before it calls futex (bits/atomic_wait.h).
//
// Explored as it stands, each of those looks may be the one that sees a new value, and that multiplies executions
// without showing anything new: a value that a later look would have seen is seen by the futex call or by the next
// round as well. So once a thread is met that read one location at least 16 times with nothing in between and then
// called futex on something, the code places of the last 16 reads are taken for such a spin. They are several: g++
// makes two loops of the one, of 12 and of 4 looks, clang takes the first look out of it. Reads before those 16 are not
// the spin's, and may have other memory orders. A read in a spin that follows another one there directly gives the same
// value again, and is no event.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_set>

#include "explore/operation.hpp"

namespace weft {

/// A place of a read: code address and depth of the stack, since in unoptimised code all loads share one address.
using ReadPlace = std::uint64_t;
inline ReadPlace read_place(const void* place, std::uintptr_t stack_depth) {
  return reinterpret_cast<std::uintptr_t>(place) ^ stack_depth << 47;
}

/// Places of reads that are known to spin before a sleep; part of the exploration's memory.
using SleepSpins = std::unordered_set<ReadPlace>;

/// The latest reads of one location by a thread with no other visible operation in between. One per thread.
class ReadRun {
 public:
  void reset() { length_ = 0; }
  /// Notes a read that made the thread's number of events `position`.
  void note(ReadPlace place, LocationKey location, Value value, std::uint32_t position);
  /// True if the thread's latest event was a read of `location` at one of the places in `spins`.
  bool is_in_spin(const SleepSpins& spins, LocationKey location, std::uint32_t position) const {
    return length_ != 0 && position == position_ && location == location_ && spins.contains(last_);
  }
  Value value() const { return value_; }
  /// The thread, after `position` events, is about to sleep: adds the places of a spin that has just ended to `spins`.
  /// True if any was new.
  bool learn(SleepSpins& spins, std::uint32_t position) const;

 private:
  static constexpr std::uint32_t kSpins = 16;  // __atomic_spin_count
  std::uint32_t length_ = 0;
  std::uint32_t position_ = 0;
  ReadPlace last_ = 0;
  Value value_ = 0;
  LocationKey location_{};
  std::array<ReadPlace, kSpins> latest_{};  // a ring
};

}  // namespace weft
