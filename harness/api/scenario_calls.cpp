// What a scenario calls, in C++ where the caller's place matters and in C; part of the engine and of the stress
// runtime.
#include "api/calls.hpp"
#include "weft/weft.h"
#include "weft/weft.hpp"

namespace weft {

void check(bool holds, const char* sentence) { detail::check_at(holds, sentence, __builtin_return_address(0)); }
void check_equal(std::int64_t actual, std::int64_t expected, const char* sentence) {
  detail::check_equal_at(actual, expected, sentence, __builtin_return_address(0));
}
std::uint32_t choose(std::uint32_t n) { return detail::choose_at(n, __builtin_return_address(0)); }
void note(const char* text) { detail::note_at({.text = text}, __builtin_return_address(0)); }
void detail::note(const Note& note) { note_at(note, __builtin_return_address(0)); }

}  // namespace weft

extern "C" {

void weft_check(int holds, const char* sentence) {
  weft::detail::check_at(holds != 0, sentence, __builtin_return_address(0));
}
void weft_assume(int holds) { weft::assume(holds != 0); }
std::uint32_t weft_choose(std::uint32_t n) { return weft::detail::choose_at(n, __builtin_return_address(0)); }
void weft_sometimes(int holds, const char* name) { weft::sometimes(holds != 0, name); }
void weft_note(const char* text) { weft::detail::note_at({.text = text}, __builtin_return_address(0)); }
void weft_name_thread(const char* name) { weft::name_thread(name); }
void weft_name(const volatile void* address, std::size_t size, const char* name) {
  weft::detail::name_object(address, size, name);
}
void weft_watch(const char* name, const volatile void* address, std::size_t size, int is_signed) {
  weft::detail::watch_object(name, address, size, is_signed != 0);
}
void weft_racy(const volatile void* address, std::size_t size) { weft::detail::mark_racy(address, size); }

}  // extern "C"
