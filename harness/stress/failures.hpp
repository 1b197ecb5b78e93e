// How an iteration ends before its body returns: failed, or dropped.
#pragma once

#include <string_view>

namespace weft::stress {

/// Ends the process of the iteration with a finding. Of several threads that fail, the first one counts.
[[noreturn]] void fail(std::string_view kind, std::string_view message, const void* place);
/// Ends the process of an iteration that is of no interest.
[[noreturn]] void drop();
/// The body has returned.
[[noreturn]] void complete();
/// From here on, uncaught exceptions and signals such as SIGSEGV are findings.
void catch_faults();

}  // namespace weft::stress
