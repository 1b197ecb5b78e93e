// POS, partial order sampling: Yuan, Yang, Gu, "Partial order aware concurrency sampling", CAV 2018.
//
// The next operation of each thread has a random priority of its own, and the highest is done. Operations that race
// with it (on the same object, one of the two writes) draw again: that makes the orders of racing operations
// independent, and no partial order of a program is as unlikely as a random walk makes those in which one thread is far
// ahead.
#pragma once

#include <vector>

#include "explore/random_walk.hpp"

namespace weft {

class PartialOrderSampling final : public HalfWeakSampler {
 public:
  using HalfWeakSampler::HalfWeakSampler;
  std::uint32_t decide_thread(std::span<const ReadyThread> candidates) override;

 private:
  struct Pending {
    bool drawn = false;
    std::uint64_t priority = 0;
    LocationId location = kNoLocation;
    bool reads_only = false;
  };
  void run_begins() override;

  std::vector<Pending> pending_;  // by thread
};

}  // namespace weft
