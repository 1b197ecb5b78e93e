// What an iteration writes down for the process that supervises it, in memory that both share: it outlives a crash and
// a hang.
//
// The code that writes here is not instrumented, and it uses no lock: the ThreadSanitizer must not see any
// synchronization that the scenario does not have itself. Each record has one thread that writes it.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace weft::stress {

/// A text of at most N - 1 bytes; the rest is cut off.
template <std::size_t N>
class Text {
 public:
  void set(std::string_view text) {
    // Volatile: as a call of memcpy the ThreadSanitizer would check it.
    volatile char* const to = bytes_;
    std::size_t i = 0;
    for (; i + 1 < N && i < text.size(); ++i) to[i] = text[i];
    to[i] = '\0';
  }
  const char* c_str() const { return bytes_; }

 private:
  char bytes_[N];
};

/// Length without strlen, which the ThreadSanitizer would check.
inline std::string_view view(const char* text) {
  std::size_t size = 0;
  while (static_cast<const volatile char*>(text)[size] != '\0') ++size;
  return {text, size};
}

using Name = Text<64>;

struct LogEntry {
  std::uint64_t time;  ///< of the processor's counter
  std::uint32_t task;
  const void* place;
  Text<120> text;
};

struct ThreadRecord {
  static constexpr std::size_t kMostEntries = 32;  ///< the newest are kept
  static constexpr std::size_t kMostTasks = 32;
  pid_t id;
  Name name;  ///< empty: it has none
  std::uint64_t entries;
  LogEntry log[kMostEntries];
  std::uint32_t tasks;
  Name task_names[kMostTasks];
};

struct ObjectRecord {
  std::uintptr_t address;
  std::size_t size;
  Name name;
};

struct MemoryRange {
  std::uintptr_t address;
  std::size_t size;
};

struct WatchedRecord {
  Name name;
  const volatile void* address;
  std::size_t size;
  bool is_signed;
  bool readable;  ///< set at the failure, as the value
  std::int64_t value_at_failure;
};

struct ConditionRecord {
  Name name;
  std::atomic<bool> held;
};

/// A list that threads append to. What does not fit is dropped.
template <class Record, std::size_t N>
struct Records {
  std::atomic<std::uint32_t> claimed;
  std::atomic<bool> written[N];
  Record records[N];

  template <class Fill>
  void add(Fill fill) {
    const std::uint32_t i = claimed.fetch_add(1, std::memory_order_relaxed);
    if (i >= N) return;
    fill(records[i]);
    written[i].store(true, std::memory_order_release);
  }
  /// Calls `see(record)` for each complete one, the newest first.
  template <class See>
  void each(See see) const {
    for (std::size_t i = count(); i-- > 0;) {
      if (written[i].load(std::memory_order_acquire)) see(records[i]);
    }
  }
  std::size_t count() const {
    const std::size_t n = claimed.load(std::memory_order_relaxed);
    return n < N ? n : N;
  }
  void clear() {
    for (std::size_t i = count(); i-- > 0;) written[i].store(false, std::memory_order_relaxed);
    claimed.store(0, std::memory_order_relaxed);
  }
};

enum class Phase : std::uint32_t { running, completed, failed, dropped };

struct Failure {
  Name kind;  ///< as FindingReport::kind
  Text<1000> message;
  std::uint32_t thread;
  std::uint32_t task;
  const void* place;
};

inline constexpr std::size_t kMostThreads = 64;

struct Board {
  std::atomic<Phase> phase;
  std::atomic<bool> failing;  ///< a thread writes `failure`
  Failure failure;            ///< in Phase::failed
  std::atomic<std::uint32_t> threads_begun;
  std::atomic<std::uint64_t> steps;  ///< of all threads: how often they came to a place where they may be delayed
  ThreadRecord threads[kMostThreads];
  Records<ObjectRecord, 1024> objects;
  Records<MemoryRange, 1024> racy;
  Records<WatchedRecord, 64> watched;
  Records<ConditionRecord, 64> conditions;

  std::size_t thread_count() const {
    const std::size_t n = threads_begun.load();
    return n < kMostThreads ? n : kMostThreads;
  }
  /// For the supervisor, between iterations.
  void clear() {
    phase = Phase::running;
    failing = false;
    threads_begun = 0;
    steps = 0;
    objects.clear();
    racy.clear();
    watched.clear();
    conditions.clear();
  }
};

/// The only one of the process. The supervisor makes it; processes that it forks share it.
Board& board();

}  // namespace weft::stress
