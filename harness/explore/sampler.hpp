// Draws schedules at random, one run after the other: what the strategies of weft::sample have in common.
//
// A run's decisions depend on the seed and the run's number alone (and on how long runs before it were, for pct), so
// the same seed draws the same schedules again, and a run that has to be made again from nothing is the same.
#pragma once

#include <cstdint>
#include <memory>
#include <random>

#include "explore/decisions.hpp"
#include "weft/weft.hpp"

namespace weft {

class Sampler : public Decisions {
 public:
  explicit Sampler(std::uint64_t seed) : seed_(seed) {}

  /// The run after this one is another.
  void next_run() {
    run_ended();
    ++run_;
  }

  void begin() final;
  std::uint32_t decide(DecisionKind kind, std::uint32_t options) final;
  std::uint32_t decide_thread(std::span<const ReadyThread> candidates) override = 0;

 protected:
  std::uint64_t draw() { return random_(); }
  std::uint64_t below(std::uint64_t n) { return random_() % n; }

 private:
  /// A run begins, maybe the same one once more: everything that it draws it draws anew.
  virtual void run_begins() = 0;
  virtual void run_ended() {}
  /// Which way a read or write of weak memory goes; 0 is the one that an interleaving has.
  virtual std::uint32_t way_of_memory(std::uint32_t options) = 0;

  std::uint64_t seed_;
  std::uint64_t run_ = 0;
  std::mt19937_64 random_;
};

/// `depth`: of pct, at least 1.
std::unique_ptr<Sampler> make_sampler(Strategy strategy, std::uint64_t seed, std::uint32_t depth);

}  // namespace weft
