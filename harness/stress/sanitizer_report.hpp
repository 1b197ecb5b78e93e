// The reports of the ThreadSanitizer, read from what it prints. Its exit code says less: it is 66 for a race, and for a
// runtime that cannot start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace weft::stress {

/// What the ThreadSanitizer must be told (its options) for the reports to be as they are read here: code addresses
/// instead of places.
inline constexpr const char* kSanitizerOptions =
    "symbolize=0:stack_trace_format=\"    #%n "
    "%p\":halt_on_error=0:report_signal_unsafe=0:report_thread_leaks=0:detect_deadlocks=0:"
    // Signals are the iteration's: it says more about them.
    "handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigill=0:handle_sigfpe=0";

struct SanitizerAccess {
  std::string what;  ///< "write of 4 bytes"
  std::uintptr_t address = 0;
  std::string thread;                  ///< "main thread", "thread T1"
  std::vector<std::uintptr_t> frames;  ///< code addresses, the innermost first
};

struct SanitizerReport {
  std::string kind;                       ///< its own word for it: "data race", "heap-use-after-free", ...
  std::vector<SanitizerAccess> accesses;  ///< the later one first
  std::map<std::string, long> threads;    ///< "thread T1": the system's number for it
  std::string text;                       ///< all of it
};

/// Complete reports in `messages`, and at the end one that is not, if both of its accesses are there.
std::vector<SanitizerReport> sanitizer_reports(std::string_view messages);
/// What is left of `messages` without the reports.
std::string other_messages(std::string_view messages);

}  // namespace weft::stress
