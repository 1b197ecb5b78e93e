// A scenario that does something else when it is run again cannot be explored; this says what it did.
#pragma once

#include <string>

#include "runtime/execution.hpp"

namespace weft {

/// "operation 17 of thread 2 was a load of x, now it is a store to y", and what to do about it. `was` is the event that the thread's next
/// operation should have been; `is` what it is, null if the thread ends instead. Not thread-safe; call it under Execution::Outside.
std::string describe_mismatch(const Execution& execution, const ExplorationMemory& memory, const Event& was, const Operation* is);

}  // namespace weft
