// Racing variables on stacks: they are racy while the call lasts that they belong to, and not a step longer.
//
// A place on a stack is used by one call after another. What was promoted is one variable, so its memory is racy from
// the entry of its function to the exit: before and after, other variables live there, which nobody shares.
#pragma once

#include <cstdint>

#include "runtime/racy_memory.hpp"

namespace weft {

class Execution;

namespace racy_stack {

/// Forgets what the run before watched.
void begin_run();
/// Follows the calls of `range.frame` for the rest of the run. `is_active`: the call is going on, and the memory is
/// marked.
void watch(const PromotedMemory::Range& range, bool is_active);

/// The running thread has entered a function, or is about to leave it. For the hooks, if function entries are watched
/// (call_stack.hpp). `has_frame`: it has a frame pointer of its own, and not its caller's.
void enter(Execution& execution, std::uintptr_t frame_pointer, bool has_frame);
void leave(Execution& execution, std::uintptr_t frame_pointer);

}  // namespace racy_stack
}  // namespace weft
