// Counts that depend on the compiler: which plain accesses of a racing object are left, how many reads a spin loop
// comes to, and what registers hold at its start.
#pragma once

#include <cstdint>

namespace weft::test {

constexpr std::uint64_t by_compiler([[maybe_unused]] std::uint64_t gcc, [[maybe_unused]] std::uint64_t clang) {
#ifdef __clang__
  return clang;
#else
  return gcc;
#endif
}

}  // namespace weft::test
