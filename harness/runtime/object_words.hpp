// What objects are called in traces and findings.
#pragma once

#include <string>

#include "runtime/execution.hpp"

namespace weft {

/// "mutex m", or "mutex" if the object has no name. Call it under Execution::Outside, as everything here.
std::string describe_object(const ExplorationMemory& memory, const char* kind, std::uintptr_t address);

/// The object's name; if it has none, what it is and where it lives: "mutex (heap object of thread 1 at +16)".
std::string location_name(const ExplorationMemory& memory, LocationKey location);

}  // namespace weft
