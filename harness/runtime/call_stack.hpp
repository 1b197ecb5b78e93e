// Call stacks of model threads, kept only while a finding is replayed for its report.
#pragma once

#include <span>

#include "graph/event.hpp"

namespace weft {

/// True while function entries and exits are recorded. Set by keep_call_stacks() alone; the hooks read it on every
/// function entry.
extern bool call_stacks_are_kept;

/// Begins or ends the recording, with empty stacks. Not to be called inside an execution.
void keep_call_stacks(bool keep);
/// The code addresses from which the functions that `t` is in were called, outermost first. Valid until the thread goes
/// on.
std::span<const void* const> call_stack(ThreadId t);
/// Empties all stacks; at the begin of a run.
void clear_call_stacks();

/// For the hooks.
void enter_function(const void* caller);
void leave_function();

}  // namespace weft
