#include "bench_programs.hpp"

#include <atomic>
#include <cstdint>

#include "weft/weft.hpp"

namespace weft::bench {
namespace {

std::int64_t cells[kCells];
// The optimizer must not take accesses away.
void keep(std::int64_t value) { asm volatile("" : : "r"(value)); }

}  // namespace

void read_again(std::size_t times) {
  int variable = 0;
  int* pointer = &variable;
  asm volatile("" : "+r"(pointer));
  for (std::size_t i = 0; i < times; ++i) {
    asm volatile("" : : : "memory");
    keep(*pointer);
  }
}

void read_first() {
  for (std::int64_t& cell : cells) keep(cell);
}

void write_first() {
  for (std::int64_t& cell : cells) cell = 1;
}

void loads_and_choice(std::size_t loads, std::size_t executions) {
  std::atomic<int> x = 0;
  for (std::size_t i = 0; i < loads; ++i) keep(x.load(std::memory_order_relaxed));
  choose(static_cast<std::uint32_t>(executions));
}

}  // namespace weft::bench
