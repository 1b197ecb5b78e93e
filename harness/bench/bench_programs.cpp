#include "bench_programs.hpp"

#include <atomic>
#include <cstdint>
#include <utility>

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

void choice(std::size_t executions) { choose(static_cast<std::uint32_t>(executions)); }

namespace {

// Each at a place of its own: the same load again and again looks like a spin loop, and costs more.
template <std::size_t... i>
void load(std::index_sequence<i...>) {
  std::atomic<int> x = 0;
  ((keep(static_cast<std::int64_t>(i)), keep(x.load(std::memory_order_relaxed))), ...);
}

}  // namespace

void loads_then_choice(std::size_t executions) {
  load(std::make_index_sequence<kLoads>());
  choice(executions);
}

void choice_then_loads(std::size_t executions) {
  choice(executions);
  load(std::make_index_sequence<kLoads>());
}

}  // namespace weft::bench
