// The sampling strategies: on random programs they meet what brute force enumerates and nothing else, and on programs
// made for the purpose they meet rare executions as often as their papers say.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "explore/directed.hpp"
#include "explore/explored_graphs.hpp"
#include "explore/random_program.hpp"
#include "explore/sampler.hpp"
#include "explore_body.hpp"

namespace weft::test {
namespace {

constexpr std::uint64_t kBaseSeed = 20'261'201;
constexpr ProgramLimits kSmall{.threads = 4, .operations = 7, .per_thread = 4};
constexpr std::uint64_t kMostGraphs = 3'000;

struct Way {
  Strategy strategy;
  Model model;
};

class SampledPrograms : public ::testing::TestWithParam<Way> {
 protected:
  static std::unique_ptr<Sampler> sampler(std::uint64_t seed, std::uint32_t depth = 3) {
    return make_sampler(GetParam().strategy, seed, depth);
  }
};

TEST_P(SampledPrograms, HaveNoOtherExecutionsAndDeadlocksThanBruteForceFinds) {
  constexpr std::size_t kPrograms = 50;
  constexpr std::uint64_t kRuns = 200;
  std::size_t compared = 0;
  for (std::uint64_t seed = kBaseSeed; compared < kPrograms; ++seed) {
    std::mt19937_64 random(seed);
    const Program program = random_program(random, {});
    const ProgramBody body(program);
    ExplorationMemory memory;
    const ExploredGraphs oracle = explore_by_brute_force(body, GetParam().model, memory, kMostGraphs);
    if (oracle.cut) continue;
    ++compared;
    const std::unique_ptr<Sampler> decisions = sampler(seed);
    std::uint64_t runs = 0;
    const ExploredGraphs found = explore_by_decisions(body, GetParam().model, memory, *decisions, [&] {
      decisions->next_run();
      return ++runs < kRuns;
    });
    ASSERT_EQ(found.fault, "") << "seed " << seed << ", program:\n" << program;
    ASSERT_TRUE(std::ranges::includes(oracle.executions, found.executions)) << "seed " << seed << ", program:\n"
                                                                            << program;
    ASSERT_TRUE(std::ranges::includes(oracle.deadlocks, found.deadlocks)) << "seed " << seed << ", program:\n"
                                                                          << program;
  }
}

/// pct with as many changes as there can be steps; with fewer it cannot meet all.
TEST_P(SampledPrograms, HaveAllExecutionsAndDeadlocksInTheEnd) {
  constexpr std::size_t kPrograms = 60;
  constexpr std::size_t kMostExecutions = 40;
  constexpr std::uint64_t kMostRuns = 60'000;
  constexpr std::uint32_t kDepth = 8;
  std::size_t compared = 0;
  for (std::uint64_t seed = kBaseSeed; compared < kPrograms; ++seed) {
    std::mt19937_64 random(seed);
    const Program program = random_program(random, kSmall);
    const ProgramBody body(program);
    ExplorationMemory memory;
    const ExploredGraphs oracle = explore_by_brute_force(body, GetParam().model, memory, kMostGraphs);
    if (oracle.cut || oracle.executions.size() + oracle.deadlocks.size() > kMostExecutions) continue;
    ++compared;
    const std::unique_ptr<Sampler> decisions = sampler(seed, kDepth);
    ExploredGraphs all;
    for (std::uint64_t runs = 0;
         runs < kMostRuns && (all.executions != oracle.executions || all.deadlocks != oracle.deadlocks);) {
      std::uint64_t batch = 0;
      const ExploredGraphs found = explore_by_decisions(body, GetParam().model, memory, *decisions, [&] {
        decisions->next_run();
        return ++batch < 500;
      });
      runs += batch;
      const auto add = [](std::vector<CanonicalKey>& to, const std::vector<CanonicalKey>& keys) {
        to.insert(to.end(), keys.begin(), keys.end());
        std::ranges::sort(to);
        to.erase(std::unique(to.begin(), to.end()), to.end());
      };
      add(all.executions, found.executions);
      add(all.deadlocks, found.deadlocks);
    }
    ASSERT_TRUE(all.executions == oracle.executions) << all.executions.size() << " executions, brute force has "
                                                     << oracle.executions.size() << ", seed " << seed << ", program:\n"
                                                     << program;
    ASSERT_TRUE(all.deadlocks == oracle.deadlocks) << all.deadlocks.size() << " deadlocks, brute force has "
                                                   << oracle.deadlocks.size() << ", seed " << seed << ", program:\n"
                                                   << program;
  }
}

std::string name_of(const ::testing::TestParamInfo<Way>& test) {
  return std::string(to_string(test.param.strategy)) + "_" + to_string(test.param.model);
}

INSTANTIATE_TEST_SUITE_P(OfEachStrategy, SampledPrograms,
                         ::testing::Values(Way{Strategy::random, Model::sc}, Way{Strategy::random, Model::rc11},
                                           Way{Strategy::pct, Model::sc}, Way{Strategy::pct, Model::rc11},
                                           Way{Strategy::pos, Model::sc}, Way{Strategy::pos, Model::rc11}),
                         name_of);

/// Passes on a sampler's decisions, and counts the steps that take one.
class CountedSteps final : public Decisions {
 public:
  explicit CountedSteps(Sampler& sampler) : sampler_(sampler) {}
  void begin() override {
    steps_ = 0;
    sampler_.begin();
  }
  std::uint32_t decide(DecisionKind kind, std::uint32_t options) override { return sampler_.decide(kind, options); }
  std::uint32_t decide_thread(std::span<const ReadyThread> candidates) override {
    most_ = std::max(most_, ++steps_);
    return sampler_.decide_thread(candidates);
  }
  std::uint64_t most() const { return most_; }

 private:
  Sampler& sampler_;
  std::uint64_t steps_ = 0;
  std::uint64_t most_ = 0;
};

struct Sampled {
  std::uint64_t hits = 0;   ///< runs in which the body recorded "1"
  std::uint64_t steps = 0;  ///< the most of a run
};

Sampled count_hits(const std::function<void(Recorder&)>& body, Strategy strategy, std::uint32_t depth,
                   std::uint64_t runs, Model model = Model::sc) {
  struct Observer : ExplorationObserver {
    Recorder recorder;
    Sampler* sampler = nullptr;
    std::uint64_t runs = 0;
    std::uint64_t hits = 0;
    bool run_ended(const Execution&, Ending, const ExplorationCounts& counts) override {
      hits += recorder.take() == "1" ? 1 : 0;
      sampler->next_run();
      return counts.runs < runs;
    }
  } observer;
  const std::unique_ptr<Sampler> sampler = make_sampler(strategy, kBaseSeed, depth);
  CountedSteps counted(*sampler);
  observer.sampler = sampler.get();
  observer.runs = runs;
  ExplorationMemory memory;
  Execution execution(memory);
  const auto make = [&](std::size_t width) {
    auto explorer = std::make_unique<DirectedExplorer>(model, width);
    explorer->follow(counted);
    return explorer;
  };
  run_exploration([&] { body(observer.recorder); }, make, execution, observer);
  return {observer.hits, counted.most()};
}

/// In `runs` tries of at least this probability, hardly ever fewer hits than this (five standard deviations).
double fewest(double probability, std::uint64_t runs) {
  const double expected = probability * static_cast<double>(runs);
  return expected - 5 * std::sqrt(expected);
}

constexpr int kLong = 24;

// One thread's only step falls between two neighbouring steps of the other, far from the begin: two constraints.
void see_the_one_between_two(Recorder& record) {
  std::atomic<int> x = 0;
  std::atomic<int> mine = 0;
  std::thread writer([&] {
    for (int i = 0; i < kLong; ++i) mine = i;
    x = 1;
    x = 2;
  });
  std::thread reader([&] {
    if (x == 1) record(1);
  });
  writer.join();
  reader.join();
}

// Three: it sees the first of two, and then the second.
void see_one_and_then_two(Recorder& record) {
  std::atomic<int> x = 0;
  std::atomic<int> mine = 0;
  std::thread writer([&] {
    for (int i = 0; i < kLong / 2; ++i) mine = i;
    x = 1;
    x = 2;
  });
  std::thread reader([&] {
    const int first = x;
    const int second = x;
    if (first == 1 && second == 2) record(1);
  });
  writer.join();
  reader.join();
}

TEST(Pct, MeetsBugsOfItsDepthAsOftenAsItsBoundSays) {
  constexpr std::uint64_t kRuns = 20'000;
  constexpr double kThreads = 3;  // the body is one
  const Sampled two = count_hits(see_the_one_between_two, Strategy::pct, 2, kRuns);
  const auto k2 = static_cast<double>(two.steps);
  EXPECT_EQ(two.steps, kLong + 3u);
  EXPECT_GE(static_cast<double>(two.hits), fewest(1 / (kThreads * k2), kRuns)) << two.hits;

  const Sampled three = count_hits(see_one_and_then_two, Strategy::pct, 3, kRuns);
  const auto k3 = static_cast<double>(three.steps);
  EXPECT_EQ(three.steps, kLong / 2 + 4u);
  EXPECT_GE(static_cast<double>(three.hits), fewest(1 / (kThreads * k3 * k3), kRuns)) << three.hits;

  // A depth that is too small cannot meet it: one thread would have to go on twice.
  EXPECT_EQ(count_hits(see_the_one_between_two, Strategy::pct, 1, kRuns).hits, 0u);
  // A random walk would have to go on with one of two threads 24 times in a row.
  EXPECT_LE(count_hits(see_the_one_between_two, Strategy::random, 1, kRuns).hits, 1u);
}

TEST(Pct, MeetsThemUnderAWeakModelAsOftenDividedByTheDepthAndOne) {
  constexpr std::uint64_t kRuns = 20'000;
  const Sampled two = count_hits(see_the_one_between_two, Strategy::pct, 2, kRuns, Model::rc11);
  EXPECT_GE(static_cast<double>(two.hits), fewest(1 / (3.0 * 3 * static_cast<double>(two.steps)), kRuns)) << two.hits;
}

// The reader's one step comes after all of the writer's. Only the last of those races with it, so it keeps its priority
// meanwhile: of kLong + 2 independent ones it must be the lowest.
void come_last(Recorder& record) {
  std::atomic<int> x = 0;
  std::atomic<int> mine = 0;
  std::thread writer([&] {
    for (int i = 0; i < kLong; ++i) mine = i;
    x = 1;
  });
  std::thread reader([&] {
    if (x == 1) record(1);
  });
  writer.join();
  reader.join();
}

TEST(Pos, MeetsWhatARandomWalkHardlyEverMeets) {
  constexpr std::uint64_t kRuns = 5'000;
  EXPECT_GE(static_cast<double>(count_hits(come_last, Strategy::pos, 1, kRuns).hits), fewest(1.0 / (kLong + 2), kRuns));
  EXPECT_LE(count_hits(come_last, Strategy::random, 1, kRuns).hits, 1u);
}

// Both orders of two accesses that race are equally likely, however long the way to one of them was: the later one
// draws again when they meet. Without that, the one that has waited would keep the low priority that made it wait.
void be_overtaken(Recorder& record) {
  std::atomic<int> x = 0;
  std::thread writer([&] {
    for (int i = 0; i < 3; ++i) x = i;
  });
  std::thread reader([&] {
    if (x == 1) record(1);
  });
  writer.join();
  reader.join();
}

TEST(Pos, DrawsAgainForOperationsThatRaceWithWhatWasDone) {
  constexpr std::uint64_t kRuns = 20'000;
  // The reader loses to two writes and wins against the third, each with one half. With a priority that it kept it
  // would be the second highest from below of four: 1/12.
  const auto hits = static_cast<double>(count_hits(be_overtaken, Strategy::pos, 1, kRuns).hits);
  EXPECT_GE(hits, fewest(1.0 / 8, kRuns)) << hits;
}

}  // namespace
}  // namespace weft::test
