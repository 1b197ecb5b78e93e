// Pseudo-random numbers that are the same everywhere (splitmix64).
#pragma once

#include <cstdint>

namespace weft::stress {

constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58'476d'1ce4'e5b9u;
  x = (x ^ x >> 27) * 0x94d0'49bb'1331'11ebu;
  return x ^ x >> 31;
}

class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) : state_(seed) {}
  constexpr std::uint64_t next() { return mixed(state_ += 0x9e37'79b9'7f4a'7c15u); }
  /// One of 0 .. n-1. `n` must be at least 1.
  constexpr std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>((next() >> 32) * n >> 32); }

 private:
  std::uint64_t state_;
};

}  // namespace weft::stress
