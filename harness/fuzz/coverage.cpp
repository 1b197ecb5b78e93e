#include "fuzz/coverage.hpp"

#include <cstdint>

// Set by the linker. Where the program was loaded, so that counters do not depend on it.
extern "C" {
extern const char __executable_start[];
}

namespace weft::fuzz {
namespace {

constexpr std::size_t kCounters = std::size_t{1} << 12;  // each is looked at after each run

// libFuzzer finds them by the section's name, clears them before each run and takes each that is not zero for a
// feature.
__attribute__((section("__libfuzzer_extra_counters"))) std::uint8_t counters[kCounters];

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = (a ^ b * 0x9e37'79b9'7f4a'7c15u) * 0xff51'afd7'ed55'8ccdu;
  return x ^ x >> 32;
}

void count(std::uint64_t what) {
  std::uint8_t& counter = counters[what % kCounters];
  if (counter != 0xff) ++counter;
}

/// An event by what the program did there: the code that did it, and the thread.
std::uint64_t name_of(const DirectedExplorer& explorer, EventId e) {
  if (e == kNoEvent || is_initial_write(e)) return 1;
  const auto place = reinterpret_cast<std::uintptr_t>(explorer.places()[index(e)]);
  const auto start = reinterpret_cast<std::uintptr_t>(__executable_start);
  return mix(place - start, index(explorer.graph()[e].thread) + 2);
}

}  // namespace

void count_coverage(const DirectedExplorer& explorer) {
  const ExecutionGraph& graph = explorer.graph();
  std::uint64_t chosen_before = 0;
  count(0);  // an input that shows nothing else is still worth to begin with
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const EventId e{static_cast<std::uint32_t>(i)};
    const Event& event = graph[e];
    if (event.kind == EventKind::read || event.kind == EventKind::receive) {
      count(mix(name_of(explorer, e), name_of(explorer, event.source)));
    } else if (event.kind == EventKind::choose) {
      const std::uint64_t chosen = mix(name_of(explorer, e), event.value + 1);
      count(chosen);
      count(mix(chosen, chosen_before));
      chosen_before = chosen;
    }
  }
}

}  // namespace weft::fuzz
