// What each thread of the running execution waits for, in words: the matter of a deadlock's report.
#pragma once

#include <optional>
#include <string>

#include "runtime/thread_records.hpp"

namespace weft {

/// How long a call is ready to wait.
enum class Patience : std::uint8_t { unlimited, until_deadline, none };

/// Why a thread does not go on.
struct WaitDescription {
  std::string what;                      ///< "lock mutex m", "join thread 2"; empty if it waits for none of ours
  const void* place = nullptr;           ///< code address of the wait
  std::optional<ThreadId> held_by;       ///< who could end the wait: the holder, or the thread to be joined
  const void* held_place = nullptr;      ///< where the holder took it
  std::uint32_t held_since = 0;          ///< visible operations of the holder before that
};

/// Says what `t` waits for at the end of a run. Call it before the next run begins, outside of the scenario.
WaitDescription describe_wait(Execution& execution, ThreadId t);

/// Says what the running thread waits for while this lives; a thread that never goes on never ends it.
class WaitScope {
 public:
  WaitScope(Execution& execution, WaitKind kind, std::uintptr_t object, const void* place)
      : record_(running_record(execution)) {
    record_.waiting = {kind, object, place};
  }
  ~WaitScope() { record_.waiting.kind = WaitKind::nothing; }
  WaitScope(const WaitScope&) = delete;
  WaitScope& operator=(const WaitScope&) = delete;

 private:
  ThreadRecord& record_;
};

/// While this lives, the running thread waits for something that a time-out would end: it takes no part in a deadlock.
class MayTimeOut {
 public:
  explicit MayTimeOut(Execution& execution, bool may = true) : thread_(execution.running()) { thread_.may_time_out = may; }
  ~MayTimeOut() { thread_.may_time_out = false; }
  MayTimeOut(const MayTimeOut&) = delete;
  MayTimeOut& operator=(const MayTimeOut&) = delete;

 private:
  Execution::Thread& thread_;
};

}  // namespace weft
