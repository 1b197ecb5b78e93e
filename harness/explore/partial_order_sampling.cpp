#include "explore/partial_order_sampling.hpp"

namespace weft {

void PartialOrderSampling::run_begins() {
  HalfWeakSampler::run_begins();
  pending_.clear();
}

std::uint32_t PartialOrderSampling::decide_thread(std::span<const ReadyThread> candidates) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const std::size_t thread = index(candidates[i].thread);
    if (pending_.size() <= thread) pending_.resize(thread + 1);
    if (!pending_[thread].drawn) {
      pending_[thread] = {.drawn = true,
                          .priority = draw(),
                          .location = candidates[i].location,
                          .reads_only = candidates[i].operation->kind == OperationKind::read};
    }
    if (pending_[thread].priority > pending_[index(candidates[best].thread)].priority) best = i;
  }
  const Pending done = pending_[index(candidates[best].thread)];
  pending_[index(candidates[best].thread)].drawn = false;
  for (Pending& other : pending_) {
    if (other.location == done.location && !(other.reads_only && done.reads_only)) other.drawn = false;
  }
  return static_cast<std::uint32_t>(best);
}

}  // namespace weft
