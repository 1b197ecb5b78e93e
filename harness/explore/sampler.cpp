#include "explore/sampler.hpp"

#include "explore/partial_order_sampling.hpp"
#include "explore/priority_changes.hpp"
#include "explore/random_walk.hpp"

namespace weft {
namespace {

/// Spreads what differs in a few bits over all of them (the finalizer of SplitMix64, Steele, Lea, Flood, OOPSLA 2014).
constexpr std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e37'79b9'7f4a'7c15u;
  x = (x ^ x >> 30) * 0xbf58'476d'1ce4'e5b9u;
  x = (x ^ x >> 27) * 0x94d0'49bb'1331'11ebu;
  return x ^ x >> 31;
}

}  // namespace

void Sampler::begin() {
  random_.seed(mixed(mixed(seed_) + run_));  // a run of one seed is none of another
  run_begins();
}

std::uint32_t Sampler::decide(DecisionKind kind, std::uint32_t options) {
  switch (kind) {
    case DecisionKind::source:
    case DecisionKind::position:
      return way_of_memory(options);
    case DecisionKind::thread:  // comes through decide_thread()
    case DecisionKind::choice:
      break;
  }
  return static_cast<std::uint32_t>(below(options));
}

std::unique_ptr<Sampler> make_sampler(Strategy strategy, std::uint64_t seed, std::uint32_t depth) {
  switch (strategy) {
    case Strategy::random:
      break;
    case Strategy::pct:
      return std::make_unique<PriorityChanges>(seed, depth);
    case Strategy::pos:
      return std::make_unique<PartialOrderSampling>(seed);
  }
  return std::make_unique<RandomWalk>(seed);
}

}  // namespace weft
