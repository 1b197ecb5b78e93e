// Spin loops: `while (!flag.load());` must not be explored for ever.
//
// If a thread comes back to the same read with the same stack and registers, and has written nothing since, then its loop has changed
// nothing: executions in which it goes round again equal ones in which it went round once less. So it is treated as an await: it
// blocks, and goes on only in executions where one of the reads of that round reads something else. (This is what GenMC's
// spin-assume does to LLVM IR; here it is seen from outside, in any compiled code.)
//
// Comparing stacks at every read would be slow. So a read is only watched closely once it has been seen to repeat; since that
// changes which operations a thread performs, the exploration then starts again. A test-and-set loop writes, but writes what is there
// already: once watched, such a silent RMW counts as a read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "explore/operation.hpp"

namespace weft {

/// Code addresses of reads that have been seen to spin; part of the exploration's memory.
using SpinPlaces = std::unordered_set<const void*>;

/// What a thread has read since it last wrote anything. One per thread, reset for every run.
class SpinHistory {
 public:
  /// To be called when the thread has done anything but read: forgets all.
  void interrupt() {
    recent_count_ = round_count_ = 0;
    read_clock_ = false;
  }

  /// The thread reads a clock. A loop around that is no spin if the thread's time passes in it, and if not, it may still end by time.
  void note_clock() { read_clock_ = true; }
  /// Whether it has done so since the last interruption.
  bool read_clock() const { return read_clock_; }
  /// The thread sleeps.
  void note_passing_time() {
    if (read_clock_) interrupt();
  }

  /// Notes a read, or a silent RMW. True if it repeats an earlier one since the last interruption: same code, location and write.
  bool repeats(const void* place, LocationKey location, EventId source);

  /// For a watched read that is about to happen after `position` events: captures the thread's registers and its stack from the caller
  /// of the hook up to `stack_top`. If that equals what it was at the same read earlier, returns how many events the thread had
  /// then; else kNoRound.
  std::uint32_t round_started_at(const void* place, std::uint32_t position, std::uintptr_t stack_top);
  static constexpr std::uint32_t kNoRound = 0xffff'ffff;

 private:
  struct Read {
    const void* place;
    LocationKey location;
    EventId source;
  };
  struct Snapshot {
    const void* place = nullptr;
    std::uint32_t position = 0;
    std::array<std::uintptr_t, 6> registers{};
    std::vector<std::byte> stack;
  };
  static bool capture(const void* place, std::uintptr_t stack_top, Snapshot& into);

  static constexpr std::size_t kReads = 8;  // a loop that reads more locations than this is not recognised
  bool read_clock_ = false;
  std::uint32_t recent_count_ = 0;
  std::uint32_t round_count_ = 0;
  std::array<Read, kReads> recent_{};
  std::vector<Snapshot> rounds_;  // the first `round_count_` count; few threads ever have one
  Snapshot scratch_;
};

}  // namespace weft
