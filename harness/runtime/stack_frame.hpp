// One call of a function on a model thread's stack, named so that another run finds it again.
#pragma once

#include <cstdint>
#include <optional>

namespace weft {

class Execution;

/// Stacks lie at fixed addresses, so the same call has the same frame pointer in every run. Other functions that are
/// called at the same depth have it too: hence where it was called. (The function itself would be harder to tell:
/// compilers split functions in two.)
struct StackFrame {
  std::uintptr_t frame_pointer = 0;  ///< 0: no frame
  std::uintptr_t called_from = 0;    ///< its return address; 0 if that is in a shared library

  explicit operator bool() const { return frame_pointer != 0; }
  friend bool operator==(const StackFrame&, const StackFrame&) = default;
};

/// The frame that holds `address`, on whichever model thread's stack it lies. None if it lies on no stack, or in no
/// frame that is active. Takes microseconds.
StackFrame stack_frame_of(Execution& execution, std::uintptr_t address);

/// A call that holds an address, and where its function is now.
struct ActiveCall {
  std::uintptr_t frame_pointer = 0;
  const void* place = nullptr;  ///< the code address that its callee returns to
};
/// Nothing where stack_frame_of() finds nothing, and for the innermost call of its thread.
std::optional<ActiveCall> active_call_of(Execution& execution, std::uintptr_t address);

/// The frame with this frame pointer. Memory there is read as x86-64 frames have it: caller's frame pointer, return
/// address.
StackFrame stack_frame_at(std::uintptr_t frame_pointer);

}  // namespace weft
