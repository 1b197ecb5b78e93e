// memcpy and its family: each call is a read and a write of the scenario's memory.
//
// Compilers turn struct copies and small loops into these calls, clang always, gcc where the size is not constant; the
// instrumentation does not see them. Interposing them also covers calls from libraries without instrumentation, such as
// libstdc++'s std::string. The real functions are reached through the names that _FORTIFY_SOURCE uses: glibc exports
// them, they do the same after a check of the destination's size that cannot fail here, and unlike a loop of our own
// they are as fast as the original.
//
// A scenario built with _FORTIFY_SOURCE calls those names itself, and such copies are not seen.
#include <cstddef>
#include <cstdint>

#include "runtime/execution.hpp"
#include "runtime/memory_access.hpp"

// Under other names in C++: compilers know these functions and would turn calls of them back into memcpy; see any_size.
extern "C" {
void* real_memcpy(void* to, const void* from, std::size_t size, std::size_t to_size) __asm__("__memcpy_chk");
void* real_memmove(void* to, const void* from, std::size_t size, std::size_t to_size) __asm__("__memmove_chk");
void* real_memset(void* to, int byte, std::size_t size, std::size_t to_size) __asm__("__memset_chk");
char* real_strcpy(char* to, const char* from, std::size_t to_size) __asm__("__strcpy_chk");
char* real_stpcpy(char* to, const char* from, std::size_t to_size) __asm__("__stpcpy_chk");
char* real_strncpy(char* to, const char* from, std::size_t size, std::size_t to_size) __asm__("__strncpy_chk");
char* real_strcat(char* to, const char* from, std::size_t to_size) __asm__("__strcat_chk");
}

namespace weft {
namespace {

// The size that means "not known". Clang must not see that: it would turn the checking functions back into those
// that are interposed here, which would then call themselves for ever.
inline std::size_t any_size() {
  std::size_t size = SIZE_MAX;
  __asm__("" : "+r"(size));
  return size;
}

inline void copies(void* to, const void* from, std::size_t size, const void* place) {
  Execution* const execution = Execution::current();
  if (execution == nullptr || size == 0) return;
  plain_access(*execution, AccessKind::read, from, size, place);
  plain_access(*execution, AccessKind::write, to, size, place);
}

inline void fills(void* to, std::size_t size, const void* place) {
  Execution* const execution = Execution::current();
  if (execution != nullptr && size != 0) plain_access(*execution, AccessKind::write, to, size, place);
}

// Loops and not strlen, which is interposed. Compilers know such loops, too, and would turn them into calls.
std::size_t length(const char* text, std::size_t most = SIZE_MAX) {
  std::size_t n = 0;
  while (n < most && text[n] != '\0') {
    __asm__("" : "+r"(n));
    ++n;
  }
  return n;
}

inline bool inside() { return Execution::current() != nullptr; }

}  // namespace
}  // namespace weft

using weft::any_size;

#define WEFT_PLACE __builtin_return_address(0)

extern "C" {

void* memcpy(void* to, const void* from, std::size_t size) {
  weft::copies(to, from, size, WEFT_PLACE);
  return real_memcpy(to, from, size, any_size());
}
void* memmove(void* to, const void* from, std::size_t size) {
  weft::copies(to, from, size, WEFT_PLACE);
  return real_memmove(to, from, size, any_size());
}
void* memset(void* to, int byte, std::size_t size) {
  weft::fills(to, size, WEFT_PLACE);
  return real_memset(to, byte, size, any_size());
}
// Clang's names for the same, from version 15 on.
void* __tsan_memcpy(void* to, const void* from, std::size_t size) {
  weft::copies(to, from, size, WEFT_PLACE);
  return real_memcpy(to, from, size, any_size());
}
void* __tsan_memmove(void* to, const void* from, std::size_t size) {
  weft::copies(to, from, size, WEFT_PLACE);
  return real_memmove(to, from, size, any_size());
}
void* __tsan_memset(void* to, int byte, std::size_t size) {
  weft::fills(to, size, WEFT_PLACE);
  return real_memset(to, byte, size, any_size());
}

char* strcpy(char* to, const char* from) {
  if (weft::inside()) weft::copies(to, from, weft::length(from) + 1, WEFT_PLACE);
  return real_strcpy(to, from, any_size());
}
char* stpcpy(char* to, const char* from) {
  if (weft::inside()) weft::copies(to, from, weft::length(from) + 1, WEFT_PLACE);
  return real_stpcpy(to, from, any_size());
}
char* strncpy(char* to, const char* from, std::size_t size) {
  if (weft::inside()) {
    const std::size_t used = weft::length(from, size);
    weft::copies(to, from, used, WEFT_PLACE);
    weft::fills(to, size, WEFT_PLACE);
  }
  return real_strncpy(to, from, size, any_size());
}
char* strcat(char* to, const char* from) {
  if (weft::inside()) weft::copies(to + weft::length(to), from, weft::length(from) + 1, WEFT_PLACE);
  return real_strcat(to, from, any_size());
}

}  // extern "C"
