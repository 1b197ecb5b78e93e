#include "explore/priority_changes.hpp"

#include <algorithm>

namespace weft {

void PriorityChanges::run_begins() {
  steps_ = places_ = 0;
  priorities_.clear();
  changes_.clear();
  weak_.clear();
  for (std::uint32_t i = 1; i < depth_ && most_steps_ != 0; ++i) changes_.push_back(1 + below(most_steps_));
  const std::uint64_t weak = below(std::uint64_t{depth_} + 1);
  for (std::uint64_t i = 0; i < weak && most_places_ != 0; ++i) weak_.push_back(1 + below(most_places_));
}

void PriorityChanges::run_ended() {
  most_steps_ = std::max(most_steps_, steps_);
  most_places_ = std::max(most_places_, places_);
}

std::uint64_t& PriorityChanges::priority_of(ThreadId t) {
  if (priorities_.size() <= index(t)) priorities_.resize(index(t) + 1, 0);
  std::uint64_t& priority = priorities_[index(t)];
  // Above all to which threads fall, which are the numbers from 1 to depth - 1.
  if (priority == 0) priority = std::uint64_t{1} << 63 | draw();
  return priority;
}

std::size_t PriorityChanges::highest(std::span<const ReadyThread> candidates) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    if (priority_of(candidates[i].thread) > priority_of(candidates[best].thread)) best = i;
  }
  return best;
}

std::uint32_t PriorityChanges::decide_thread(std::span<const ReadyThread> candidates) {
  for (const ReadyThread& candidate : candidates) priority_of(candidate.thread);  // those that are new draw theirs
  ++steps_;
  std::size_t best = highest(candidates);
  for (std::size_t i = 0; i < changes_.size(); ++i) {
    if (changes_[i] != steps_) continue;
    priority_of(candidates[best].thread) = i + 1;
    best = highest(candidates);
  }
  return static_cast<std::uint32_t>(best);
}

std::uint32_t PriorityChanges::way_of_memory(std::uint32_t options) {
  ++places_;
  if (std::ranges::find(weak_, places_) == weak_.end()) return 0;
  return 1 + static_cast<std::uint32_t>(below(options - 1));
}

}  // namespace weft
