// PCT, probabilistic concurrency testing: Burckhardt, Kothari, Musuvathi, Nagarakatte, "A randomized scheduler with
// probabilistic guarantees of finding bugs", ASPLOS 2010.
//
// Threads have random priorities, and the highest goes on. At d-1 steps, drawn among the k that a run has, the thread
// that was to take the step falls below all others. A bug that takes d ordering constraints between steps is met with
// probability 1/(n * k^(d-1)) at least, n being the number of threads.
//
// Steps that commute with all others are taken at once and count for nothing (DirectedExplorer): no constraint needs
// them elsewhere. k is the most that a run so far has had, so the first run has no change. The paper's model is
// interleaving. Here, of weak memory a run takes 0 to d ways that no interleaving has, as many as are drawn, at places
// drawn among as many as there were in a run; so one run in d+1 is one of the paper's.
#pragma once

#include <vector>

#include "explore/sampler.hpp"

namespace weft {

class PriorityChanges final : public Sampler {
 public:
  PriorityChanges(std::uint64_t seed, std::uint32_t depth) : Sampler(seed), depth_(depth) {}
  std::uint32_t decide_thread(std::span<const ReadyThread> candidates) override;

 private:
  void run_begins() override;
  void run_ended() override;
  std::uint32_t way_of_memory(std::uint32_t options) override;
  std::uint64_t& priority_of(ThreadId t);
  std::size_t highest(std::span<const ReadyThread> candidates);

  std::uint32_t depth_;
  std::uint64_t most_steps_ = 0;   // of a run so far
  std::uint64_t most_places_ = 0;  // of weak memory
  std::uint64_t steps_ = 0;        // of this run
  std::uint64_t places_ = 0;
  std::vector<std::uint64_t> changes_;     // number of the step at which a thread falls to this index, from 1
  std::vector<std::uint64_t> weak_;        // numbers of places that take a way of weak memory, from 1
  std::vector<std::uint64_t> priorities_;  // by thread; 0: not met yet
};

}  // namespace weft
