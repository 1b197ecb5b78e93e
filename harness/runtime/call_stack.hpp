// Calls and returns of the scenario's functions: for call stacks, kept only while a finding is replayed for its report,
// and for racing variables on stacks (racy_stack.hpp).
#pragma once

#include <cstdint>
#include <span>

#include "graph/event.hpp"

namespace weft {

enum class CallWatcher : std::uint8_t { call_stacks = 1, racy_stack = 2 };

/// Who wants to be told of function entries and exits; the hooks read it on each of them. 0: nobody.
extern std::uint8_t call_watchers;
inline bool watches_calls(CallWatcher watcher) { return (call_watchers & static_cast<std::uint8_t>(watcher)) != 0; }
void watch_calls(CallWatcher watcher, bool watch);

/// Begins or ends the recording, with empty stacks. Not to be called inside an execution.
void keep_call_stacks(bool keep);
/// The code addresses from which the functions that `t` is in were called, outermost first. Valid until the thread goes
/// on.
std::span<const void* const> call_stack(ThreadId t);
/// How many functions `t` is in, and back to that many when it has left some without returning from them.
std::size_t call_depth(ThreadId t);
void cut_call_stack(ThreadId t, std::size_t depth);
/// Empties all stacks; at the begin of a run.
void clear_call_stacks();

/// For the hooks. They find the function's frame pointer in their own frame: the hook that calls them must not have one
/// itself.
void enter_function(const void* caller);
void leave_function();

}  // namespace weft
