// Calls of a scenario that reports name the place of. Explored and on real threads they do different things; what
// scenarios call, in C++ and in C, is the same in both (scenario_calls.cpp).
#pragma once

#include <cstdint>

#include "weft/weft.hpp"

namespace weft::detail {

void check_at(bool holds, const char* sentence, const void* place);
void check_equal_at(std::int64_t actual, std::int64_t expected, const char* sentence, const void* place);
std::uint32_t choose_at(std::uint32_t n, const void* place);
void note_at(const Note& note, const void* place);

}  // namespace weft::detail
