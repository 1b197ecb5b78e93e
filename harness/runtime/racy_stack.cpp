#include "runtime/racy_stack.hpp"

#include <array>
#include <vector>

#include "runtime/call_stack.hpp"
#include "runtime/execution.hpp"

namespace weft::racy_stack {
namespace {

struct Variable {
  PromotedMemory::Range range;
  bool is_active;
  std::uint32_t calls = 0;  // that the variable's function has made and that go on
};

std::array<std::vector<Variable>, arena::kMaxSlots> variables;  // by thread

void begin(Variable& variable) {
  variable.is_active = true;
  variable.calls = 0;
  racy_memory::mark(variable.range.begin, variable.range.size);
}

void end(Execution& execution, Variable& variable) {
  // The values are still in memory; what comes next there may be code without hooks.
  if (racy_memory::has_pending_writes) racy_memory::add_pending_writes(execution);
  variable.is_active = false;
  racy_memory::unmark(variable.range.begin, variable.range.size);
}

// Whether a frame with this pointer is the one that holds the variable, or was called before it: x86-64 frames end with
// the caller's frame pointer and the return address.
bool reaches(std::uintptr_t frame_pointer, const Variable& variable) {
  return frame_pointer + 2 * sizeof(void*) > variable.range.begin;
}

}  // namespace

void begin_run() {
  if (!watches_calls(CallWatcher::racy_stack)) return;
  for (std::vector<Variable>& own : variables) own.clear();
  watch_calls(CallWatcher::racy_stack, false);
}

void watch(const PromotedMemory::Range& range, bool is_active) {
  std::vector<Variable>& own = variables[index(arena::owner(range.begin))];
  for (Variable& known : own) {
    if (known.range.begin != range.begin || known.range.size != range.size || known.range.frame != range.frame) continue;
    known.is_active = known.is_active || is_active;
    return;
  }
  own.push_back({.range = range, .is_active = is_active});
  watch_calls(CallWatcher::racy_stack, true);
}

void enter(Execution& execution, std::uintptr_t frame_pointer, bool has_frame) {
  for (Variable& variable : variables[index(execution.running().id)]) {
    if (!has_frame || !reaches(frame_pointer, variable)) {
      ++variable.calls;
      continue;
    }
    // Still active: a call that was left without a word, by longjmp.
    if (variable.is_active) end(execution, variable);
    if (frame_pointer == variable.range.frame.frame_pointer && stack_frame_at(frame_pointer) == variable.range.frame)
      begin(variable);
  }
}

// The frame pointer alone does not tell: a function may take down its frame first, and end with a jump to the hook.
void leave(Execution& execution, std::uintptr_t frame_pointer) {
  for (Variable& variable : variables[index(execution.running().id)]) {
    if (!variable.is_active) continue;
    if (variable.calls != 0) {
      --variable.calls;
    } else if (frame_pointer == variable.range.frame.frame_pointer) {
      end(execution, variable);
    }
  }
}

}  // namespace weft::racy_stack
