// Findings for what a scenario does and Weft does not model: said plainly, never explored wrongly.
#pragma once

#include <cstddef>
#include <string>

namespace weft {

class Execution;

/// Inside an execution: ends the running thread with a finding of kind `unsupported`; `message` names the thing, the
/// rule and the remedy. Outside: no effect.
void refuse(std::string message, const void* place);
/// The same for engine code, which runs outside of the execution that it serves.
[[noreturn]] void refuse(Execution& execution, std::string message, const void* place);

/// For atomic operations on objects that processors have no plain atomic instruction for.
void refuse_wide_atomic(std::size_t size, const void* place);

}  // namespace weft
