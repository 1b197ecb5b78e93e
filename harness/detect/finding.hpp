// Findings: what counts as a bug, and where it was seen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "graph/event.hpp"
#include "runtime/stack_frame.hpp"

namespace weft {

enum class FindingKind : std::uint8_t {
  invariant,         ///< weft::check, assert, or a GoogleTest assertion failed
  data_race,
  uncaught_exception,
  abort,             ///< abort() or std::terminate without an exception
  signal,            ///< SIGSEGV, SIGFPE, ...
  deadlock,
  livelock,          ///< a spin loop that no other thread can end
  endless_loop,      ///< no visible operation for a long time
  use_after_free,
  double_free,
  leak,
  mutex_misuse,
  condition_misuse,
  nondeterminism,    ///< the scenario did something else when it was run again
  unsupported,       ///< the scenario needs something that Weft does not model
  limit,             ///< the scenario needs more threads, memory or steps than a limit allows
  warning,           ///< worth telling, not a bug
};

/// The word used in reports and JSON, such as "data race".
const char* to_string(FindingKind kind);

/// What a site says of a failure that the program itself announces; values may follow, behind a colon.
inline constexpr const char* kFailedHere = "failed here";

/// One access or step that a finding points at.
struct FindingSite {
  ThreadId thread{};
  std::uint32_t events_before = 0;  ///< visible operations of that thread before it
  const void* place = nullptr;      ///< code address
  std::string what;                 ///< "write of 4 bytes", "holds mutex m", ...
};

struct Finding {
  FindingKind kind = FindingKind::invariant;
  std::string message;
  std::vector<FindingSite> sites;
  std::uintptr_t address = 0;  ///< of the memory that it is about; 0 if it is about none
  std::size_t size = 0;        ///< in bytes
  StackFrame frame = {};       ///< data race: the call whose variable that memory is, if it is on a stack
};

}  // namespace weft
