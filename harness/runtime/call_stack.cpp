#include "runtime/call_stack.hpp"

#include <array>
#include <vector>

#include "runtime/execution.hpp"

namespace weft {

bool call_stacks_are_kept = false;

namespace {

// A call that is deeper than this is left out; the entries below it stay right because the depth is counted on.
constexpr std::size_t kMaxDepth = 512;

struct Stack {
  std::array<const void*, kMaxDepth> callers;
  std::size_t depth = 0;
};

std::vector<Stack> stacks;  // of kMaxThreads while they are kept

}  // namespace

void keep_call_stacks(bool keep) {
  stacks.resize(keep ? kMaxThreads : 0);
  clear_call_stacks();
  call_stacks_are_kept = keep;
}

void clear_call_stacks() {
  for (Stack& stack : stacks) stack.depth = 0;
}

std::span<const void* const> call_stack(ThreadId t) {
  if (index(t) >= stacks.size()) return {};
  const Stack& stack = stacks[index(t)];
  return {stack.callers.data(), stack.depth < kMaxDepth ? stack.depth : kMaxDepth};
}

void enter_function(const void* caller) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return;
  Stack& stack = stacks[index(execution->running().id)];
  if (stack.depth < kMaxDepth) stack.callers[stack.depth] = caller;
  ++stack.depth;
}

void leave_function() {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return;
  Stack& stack = stacks[index(execution->running().id)];
  if (stack.depth > 0) --stack.depth;
}

}  // namespace weft
