// The calls that -fsanitize=thread puts before each plain memory access and around each function.
//
// Interface: gcc's sanitizer.def and clang's ThreadSanitizer.cpp, which agree on names; each compiler uses a part of
// the set. Outside of an execution all of them do nothing.
#include <cstddef>

#include "runtime/call_stack.hpp"
#include "runtime/execution.hpp"
#include "runtime/memory_access.hpp"

namespace weft {
namespace {

inline void access(AccessKind kind, const volatile void* address, std::size_t size, const void* place) {
  Execution* const execution = Execution::current();
  if (execution != nullptr) [[likely]]
    plain_access(*execution, kind, address, size, place);
}

// A virtual table pointer is written when construction or destruction goes on to the next class. That it is written
// again with the value that it has is no race with virtual calls (ThreadSanitizer makes the same exception).
inline void change_vptr(void** address, const void* value, const void* place) {
  if (*address != value) access(AccessKind::write, address, sizeof(void*), place);
}

}  // namespace
}  // namespace weft

using weft::AccessKind;

#define WEFT_ACCESS_HOOKS(size)                                                                                        \
  void __tsan_read##size(void* a) { weft::access(AccessKind::read, a, size, __builtin_return_address(0)); }            \
  void __tsan_write##size(void* a) { weft::access(AccessKind::write, a, size, __builtin_return_address(0)); }          \
  void __tsan_read##size##_pc(void* a, void* pc) { weft::access(AccessKind::read, a, size, pc); }                      \
  void __tsan_write##size##_pc(void* a, void* pc) { weft::access(AccessKind::write, a, size, pc); }                    \
  void __tsan_unaligned_read##size(void* a) { weft::access(AccessKind::read, a, size, __builtin_return_address(0)); }  \
  void __tsan_unaligned_write##size(void* a) {                                                                         \
    weft::access(AccessKind::write, a, size, __builtin_return_address(0));                                             \
  }                                                                                                                    \
  void __tsan_volatile_read##size(void* a) { weft::access(AccessKind::read, a, size, __builtin_return_address(0)); }   \
  void __tsan_volatile_write##size(void* a) { weft::access(AccessKind::write, a, size, __builtin_return_address(0)); } \
  void __tsan_unaligned_volatile_read##size(void* a) {                                                                 \
    weft::access(AccessKind::read, a, size, __builtin_return_address(0));                                              \
  }                                                                                                                    \
  void __tsan_unaligned_volatile_write##size(void* a) {                                                                \
    weft::access(AccessKind::write, a, size, __builtin_return_address(0));                                             \
  }                                                                                                                    \
  void __tsan_read_write##size(void* a) {                                                                              \
    weft::access(AccessKind::read, a, size, __builtin_return_address(0));                                              \
    weft::access(AccessKind::write, a, size, __builtin_return_address(0));                                             \
  }                                                                                                                    \
  void __tsan_unaligned_read_write##size(void* a) {                                                                    \
    weft::access(AccessKind::read, a, size, __builtin_return_address(0));                                              \
    weft::access(AccessKind::write, a, size, __builtin_return_address(0));                                             \
  }

extern "C" {

void __tsan_init() {}

WEFT_ACCESS_HOOKS(1)
WEFT_ACCESS_HOOKS(2)
WEFT_ACCESS_HOOKS(4)
WEFT_ACCESS_HOOKS(8)
WEFT_ACCESS_HOOKS(16)

void __tsan_read_range(void* a, unsigned long size) {
  weft::access(AccessKind::read, a, size, __builtin_return_address(0));
}
void __tsan_write_range(void* a, unsigned long size) {
  weft::access(AccessKind::write, a, size, __builtin_return_address(0));
}
void __tsan_read_range_pc(void* a, unsigned long size, void* pc) { weft::access(AccessKind::read, a, size, pc); }
void __tsan_write_range_pc(void* a, unsigned long size, void* pc) { weft::access(AccessKind::write, a, size, pc); }

void __tsan_vptr_update(void** a, void* value) { weft::change_vptr(a, value, __builtin_return_address(0)); }
void __tsan_vptr_read(void** a) { weft::access(AccessKind::read, a, sizeof(void*), __builtin_return_address(0)); }

void __tsan_func_entry(void* caller) {
  if (weft::call_watchers != 0) [[unlikely]]
    weft::enter_function(caller);
}
void __tsan_func_exit() {
  if (weft::call_watchers != 0) [[unlikely]]
    weft::leave_function();
}

// Annotations that switch race detection off for a while. Weft has no use for them: what they hide would be explored
// wrongly.
void __tsan_ignore_thread_begin() {}
void __tsan_ignore_thread_end() {}

}  // extern "C"
