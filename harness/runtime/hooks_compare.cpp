// memcmp, strlen and their like: each call is a read of the scenario's memory.
//
// The instrumentation does not see what the C library reads. As ThreadSanitizer does, memcmp counts as a read of all its
// bytes ([string.h] leaves open how many it looks at); searches in strings count up to where they end.
//
// Calls that compilers expand in place are seen too if the scenario is compiled with -fno-builtin-memcmp and so on
// (weft_instrument does that). Wide strings and the _l functions are not covered.
#include <strings.h>

#include <cstddef>

#include "runtime/execution.hpp"
#include "runtime/memory_access.hpp"
#include "runtime/real_functions.hpp"

namespace weft {
namespace {

constinit RealFunction<int(const void*, const void*, std::size_t)> real_memcmp{nullptr, "memcmp"};
constinit RealFunction<int(const void*, const void*, std::size_t)> real_bcmp{nullptr, "bcmp"};
constinit RealFunction<void*(const void*, int, std::size_t)> real_memchr{nullptr, "memchr"};
constinit RealFunction<std::size_t(const char*)> real_strlen{nullptr, "strlen"};
constinit RealFunction<std::size_t(const char*, std::size_t)> real_strnlen{nullptr, "strnlen"};
constinit RealFunction<int(const char*, const char*)> real_strcmp{nullptr, "strcmp"};
constinit RealFunction<int(const char*, const char*, std::size_t)> real_strncmp{nullptr, "strncmp"};
constinit RealFunction<int(const char*, const char*)> real_strcasecmp{nullptr, "strcasecmp"};
constinit RealFunction<char*(const char*, int)> real_strchr{nullptr, "strchr"};
constinit RealFunction<char*(const char*, int)> real_strrchr{nullptr, "strrchr"};
constinit RealFunction<char*(const char*, const char*)> real_strstr{nullptr, "strstr"};

void reads(Execution& execution, const void* from, std::size_t size, const void* place) {
  if (size != 0) plain_access(execution, AccessKind::read, from, size, place);
}

// Announces what a search reads. Where the memory is racy, announcing chooses what the bytes hold, and the search may
// then go farther than it seemed: `extent` is asked again until it has been announced as a whole.
template <class Extent>
void searches(Execution& execution, const char* text, const void* place, Extent extent) {
  for (std::size_t announced = 0;;) {
    const std::size_t size = extent();
    if (size <= announced) return;
    reads(execution, text + announced, size - announced, place);
    announced = size;
  }
}

// Loops of our own: the C library's functions are the ones that are interposed here. Compilers know such loops, too, and
// would turn them into calls.
std::size_t next(std::size_t n) {
  __asm__("" : "+r"(n));
  return n + 1;
}

std::size_t string_extent(const char* text, std::size_t most) {
  std::size_t n = 0;
  while (n < most && text[n] != '\0') n = next(n);
  return n < most ? n + 1 : most;
}

std::size_t search_extent(const char* text, char wanted, bool ends_at_zero, std::size_t most) {
  std::size_t n = 0;
  while (n < most && text[n] != wanted && !(ends_at_zero && text[n] == '\0')) n = next(n);
  return n < most ? n + 1 : most;
}

std::size_t comparison_extent(const char* a, const char* b, std::size_t most) {
  std::size_t n = 0;
  while (n < most && a[n] == b[n] && a[n] != '\0') n = next(n);
  return n < most ? n + 1 : most;
}

void compares(Execution& execution, const char* a, const char* b, std::size_t most, const void* place) {
  const auto extent = [=] { return comparison_extent(a, b, most); };
  searches(execution, a, place, extent);
  searches(execution, b, place, extent);
}

constexpr std::size_t kAnySize = SIZE_MAX;

}  // namespace
}  // namespace weft

// Under other names in C++: compilers know these functions, and their headers declare some of them twice.
extern "C" {
int weft_memcmp(const void* a, const void* b, std::size_t size) __asm__("memcmp");
int weft_bcmp(const void* a, const void* b, std::size_t size) __asm__("bcmp");
void* weft_memchr(const void* from, int byte, std::size_t size) __asm__("memchr");
std::size_t weft_strlen(const char* text) __asm__("strlen");
std::size_t weft_strnlen(const char* text, std::size_t most) __asm__("strnlen");
int weft_strcmp(const char* a, const char* b) __asm__("strcmp");
int weft_strncmp(const char* a, const char* b, std::size_t most) __asm__("strncmp");
int weft_strcasecmp(const char* a, const char* b) __asm__("strcasecmp");
char* weft_strchr(const char* text, int wanted) __asm__("strchr");
char* weft_strrchr(const char* text, int wanted) __asm__("strrchr");
char* weft_strstr(const char* text, const char* wanted) __asm__("strstr");

using weft::Execution;

#define WEFT_PLACE __builtin_return_address(0)

int weft_memcmp(const void* a, const void* b, std::size_t size) {
  if (Execution* const execution = Execution::current()) {
    weft::reads(*execution, a, size, WEFT_PLACE);
    weft::reads(*execution, b, size, WEFT_PLACE);
  }
  return weft::real_memcmp(a, b, size);
}
int weft_bcmp(const void* a, const void* b, std::size_t size) {
  if (Execution* const execution = Execution::current()) {
    weft::reads(*execution, a, size, WEFT_PLACE);
    weft::reads(*execution, b, size, WEFT_PLACE);
  }
  return weft::real_bcmp(a, b, size);
}
void* weft_memchr(const void* from, int byte, std::size_t size) {
  if (Execution* const execution = Execution::current()) {
    const char* const bytes = static_cast<const char*>(from);
    weft::searches(*execution, bytes, WEFT_PLACE,
                   [=] { return weft::search_extent(bytes, static_cast<char>(byte), false, size); });
  }
  return weft::real_memchr(from, byte, size);
}
std::size_t weft_strlen(const char* text) {
  if (Execution* const execution = Execution::current())
    weft::searches(*execution, text, WEFT_PLACE, [=] { return weft::string_extent(text, weft::kAnySize); });
  return weft::real_strlen(text);
}
std::size_t weft_strnlen(const char* text, std::size_t most) {
  if (Execution* const execution = Execution::current())
    weft::searches(*execution, text, WEFT_PLACE, [=] { return weft::string_extent(text, most); });
  return weft::real_strnlen(text, most);
}
int weft_strcmp(const char* a, const char* b) {
  if (Execution* const execution = Execution::current())
    weft::compares(*execution, a, b, weft::kAnySize, WEFT_PLACE);
  return weft::real_strcmp(a, b);
}
int weft_strncmp(const char* a, const char* b, std::size_t most) {
  if (Execution* const execution = Execution::current()) weft::compares(*execution, a, b, most, WEFT_PLACE);
  return weft::real_strncmp(a, b, most);
}
int weft_strcasecmp(const char* a, const char* b) {
  if (Execution* const execution = Execution::current())
    weft::compares(*execution, a, b, weft::kAnySize, WEFT_PLACE);  // at least these bytes
  return weft::real_strcasecmp(a, b);
}
char* weft_strchr(const char* text, int wanted) {
  if (Execution* const execution = Execution::current()) {
    weft::searches(*execution, text, WEFT_PLACE,
                   [=] { return weft::search_extent(text, static_cast<char>(wanted), true, weft::kAnySize); });
  }
  return weft::real_strchr(text, wanted);
}
char* weft_strrchr(const char* text, int wanted) {
  if (Execution* const execution = Execution::current())
    weft::searches(*execution, text, WEFT_PLACE, [=] { return weft::string_extent(text, weft::kAnySize); });
  return weft::real_strrchr(text, wanted);
}
char* weft_strstr(const char* text, const char* wanted) {
  if (Execution* const execution = Execution::current()) {
    weft::searches(*execution, text, WEFT_PLACE, [=] { return weft::string_extent(text, weft::kAnySize); });
    weft::searches(*execution, wanted, WEFT_PLACE, [=] { return weft::string_extent(wanted, weft::kAnySize); });
  }
  return weft::real_strstr(text, wanted);
}

}  // extern "C"
