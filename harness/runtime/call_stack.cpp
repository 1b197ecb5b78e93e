#include "runtime/call_stack.hpp"

#include <array>
#include <vector>

#include "runtime/execution.hpp"
#include "runtime/racy_stack.hpp"

namespace weft {

std::uint8_t call_watchers = 0;

namespace {

// A call that is deeper than this is left out; the entries below it stay right because the depth is counted on.
constexpr std::size_t kMaxDepth = 512;

struct Stack {
  std::array<const void*, kMaxDepth> callers;
  std::size_t depth = 0;
};

std::vector<Stack> stacks;  // of kMaxThreads while they are kept

}  // namespace

void watch_calls(CallWatcher watcher, bool watch) {
  const auto bit = static_cast<std::uint8_t>(watcher);
  call_watchers = static_cast<std::uint8_t>(watch ? call_watchers | bit : call_watchers & ~bit);
}

void keep_call_stacks(bool keep) {
  stacks.resize(keep ? kMaxThreads : 0);
  clear_call_stacks();
  watch_calls(CallWatcher::call_stacks, keep);
}

void clear_call_stacks() {
  for (Stack& stack : stacks) stack.depth = 0;
}

std::size_t call_depth(ThreadId t) { return index(t) < stacks.size() ? stacks[index(t)].depth : 0; }

void cut_call_stack(ThreadId t, std::size_t depth) {
  if (index(t) < stacks.size()) stacks[index(t)].depth = depth;
}

std::span<const void* const> call_stack(ThreadId t) {
  if (index(t) >= stacks.size()) return {};
  const Stack& stack = stacks[index(t)];
  return {stack.callers.data(), stack.depth < kMaxDepth ? stack.depth : kMaxDepth};
}

__attribute__((noinline)) void enter_function(const void* caller) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return;
  if (watches_calls(CallWatcher::racy_stack)) {
    const std::uintptr_t frame_pointer = *static_cast<std::uintptr_t*>(__builtin_frame_address(0));
    const Execution::Outside outside;
    // A function without a frame pointer has its caller's, and that one's return address.
    const auto* const frame = reinterpret_cast<const void* const*>(frame_pointer);
    racy_stack::enter(*execution, frame_pointer, frame[1] == caller);
  }
  if (!watches_calls(CallWatcher::call_stacks)) return;
  Stack& stack = stacks[index(execution->running().id)];
  if (stack.depth < kMaxDepth) stack.callers[stack.depth] = caller;
  ++stack.depth;
}

__attribute__((noinline)) void leave_function() {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return;
  if (watches_calls(CallWatcher::racy_stack)) {
    const Execution::Outside outside;
    racy_stack::leave(*execution, *static_cast<std::uintptr_t*>(__builtin_frame_address(0)));
  }
  if (!watches_calls(CallWatcher::call_stacks)) return;
  Stack& stack = stacks[index(execution->running().id)];
  if (stack.depth > 0) --stack.depth;
}

}  // namespace weft
