#include "explore/random_walk.hpp"

namespace weft {

void HalfWeakSampler::run_begins() { weak_ = below(2) == 0; }

std::uint32_t HalfWeakSampler::way_of_memory(std::uint32_t options) {
  return weak_ ? static_cast<std::uint32_t>(below(options)) : 0;
}

std::uint32_t RandomWalk::decide_thread(std::span<const ReadyThread> candidates) {
  return static_cast<std::uint32_t>(below(candidates.size()));
}

}  // namespace weft
