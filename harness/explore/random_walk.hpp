// Random walk: at each step any thread that can go on, equally likely.
#pragma once

#include "explore/sampler.hpp"

namespace weft {

/// Of weak memory, half of the runs, drawn by lot, take nothing: were every read of an old value as likely as one of
/// the newest, long runs that some interleaving explains would hardly be met.
class HalfWeakSampler : public Sampler {
 public:
  using Sampler::Sampler;

 protected:
  void run_begins() override;

 private:
  std::uint32_t way_of_memory(std::uint32_t options) final;

  bool weak_ = false;
};

class RandomWalk final : public HalfWeakSampler {
 public:
  using HalfWeakSampler::HalfWeakSampler;
  std::uint32_t decide_thread(std::span<const ReadyThread> candidates) override;
};

}  // namespace weft
