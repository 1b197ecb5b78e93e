// What the threads of another process do, from outside: how a supervisor tells a deadlock from slow work.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace weft::stress {

struct ThreadState {
  pid_t id = 0;
  bool waits = false;            ///< in a wait that has no time limit
  std::uintptr_t waits_for = 0;  ///< address of the word that it waits on (futex); 0 if it does not, or not known
  std::uint64_t switches = 0;    ///< how often it has given up or lost its processor
  bool runs = false;             ///< runs or could run

  friend bool operator==(const ThreadState&, const ThreadState&) = default;
};

/// The name of threads that the ThreadSanitizer starts for itself: a thread inherits its name from the one that starts
/// it.
inline constexpr const char* kRuntimeThreadName = "weft:runtime";

/// All threads of the process but those called kRuntimeThreadName; empty if it is gone.
std::vector<ThreadState> thread_states(pid_t process);
/// True if each thread waits, without a time limit: none can go on by itself.
bool all_wait(const std::vector<ThreadState>& threads);

}  // namespace weft::stress
