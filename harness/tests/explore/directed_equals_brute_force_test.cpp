// On random programs, the executions that decisions can build are exactly those that brute force finds.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>

#include "explore/every_decision.hpp"
#include "explore/explored_graphs.hpp"
#include "explore/random_program.hpp"

namespace weft::test {
namespace {

constexpr std::uint64_t kBaseSeed = 20'261'130;
constexpr std::size_t kPrograms = 1'000;
constexpr ProgramLimits kSmall{.threads = 4, .operations = 7, .per_thread = 4};
constexpr std::uint64_t kMostGraphs = 3'000;
constexpr std::uint64_t kMostRuns = 30'000;

class RandomBytes final : public Decisions {
 public:
  explicit RandomBytes(std::uint64_t seed) : random_(seed) { next_run(); }
  void next_run() {
    bytes_.resize(random_() % 24);
    for (std::uint8_t& byte : bytes_) byte = static_cast<std::uint8_t>(random_());
    decisions_ = std::make_unique<ByteDecisions>(bytes_);
  }
  void begin() override { decisions_->begin(); }
  std::uint32_t decide(DecisionKind kind, std::uint32_t options) override { return decisions_->decide(kind, options); }

 private:
  std::mt19937_64 random_;
  std::vector<std::uint8_t> bytes_;
  std::unique_ptr<ByteDecisions> decisions_;
};

class DirectedPrograms : public ::testing::TestWithParam<Model> {};

TEST_P(DirectedPrograms, HaveTheExecutionsAndDeadlocksOfBruteForceUnderAllDecisions) {
  std::size_t compared = 0;
  for (std::uint64_t seed = kBaseSeed; compared < kPrograms; ++seed) {
    std::mt19937_64 random(seed);
    const Program program = random_program(random, kSmall);
    const ProgramBody body(program);
    ExplorationMemory memory;
    const ExploredGraphs oracle = explore_by_brute_force(body, GetParam(), memory, kMostGraphs);
    if (oracle.cut) continue;
    EveryDecision decisions;
    std::uint64_t runs = 0;
    bool all = false;
    const ExploredGraphs found = explore_by_decisions(body, GetParam(), memory, decisions, [&] {
      all = !decisions.advance();
      return !all && ++runs < kMostRuns;
    });
    if (!all) continue;
    ++compared;
    ASSERT_EQ(found.fault, "") << "seed " << seed << ", program:\n" << program;
    ASSERT_TRUE(found.executions == oracle.executions)
        << found.executions.size() << " executions, brute force has " << oracle.executions.size() << ", seed " << seed
        << ", program:\n"
        << program;
    ASSERT_TRUE(found.deadlocks == oracle.deadlocks) << found.deadlocks.size() << " deadlocks, brute force has "
                                                     << oracle.deadlocks.size() << ", seed " << seed << ", program:\n"
                                                     << program;
  }
}

TEST_P(DirectedPrograms, BuildNothingElseFromAnyBytes) {
  constexpr std::uint64_t kRuns = 300;
  std::size_t compared = 0;
  for (std::uint64_t seed = kBaseSeed; compared < kPrograms / 5; ++seed) {
    std::mt19937_64 random(seed);
    const Program program = random_program(random, {});
    const ProgramBody body(program);
    ExplorationMemory memory;
    const ExploredGraphs oracle = explore_by_brute_force(body, GetParam(), memory, kMostGraphs);
    if (oracle.cut) continue;
    ++compared;
    RandomBytes bytes(seed);
    std::uint64_t runs = 0;
    const ExploredGraphs found = explore_by_decisions(body, GetParam(), memory, bytes, [&] {
      bytes.next_run();
      return ++runs < kRuns;
    });
    ASSERT_EQ(found.fault, "") << "seed " << seed << ", program:\n" << program;
    ASSERT_TRUE(std::ranges::includes(oracle.executions, found.executions)) << "seed " << seed << ", program:\n"
                                                                            << program;
    ASSERT_TRUE(std::ranges::includes(oracle.deadlocks, found.deadlocks)) << "seed " << seed << ", program:\n"
                                                                          << program;
  }
}

/// A program that turns on one rule of the model, which programs drawn at random seldom do.
struct Litmus {
  const char* name;
  const char* program;
  std::size_t executions;  ///< under rc11
  std::size_t deadlocks;
};

class DirectedLitmus : public ::testing::TestWithParam<Litmus> {};

TEST_P(DirectedLitmus, HasTheExecutionsAndDeadlocksOfBruteForceUnderAllDecisions) {
  const Program program = parse_program(GetParam().program);
  const ProgramBody body(program);
  ExplorationMemory memory;
  const ExploredGraphs oracle = explore_by_brute_force(body, Model::rc11, memory);
  EveryDecision decisions;
  const ExploredGraphs found =
      explore_by_decisions(body, Model::rc11, memory, decisions, [&] { return decisions.advance(); });
  EXPECT_EQ(found.fault, "");
  EXPECT_TRUE(found.executions == oracle.executions);
  EXPECT_TRUE(found.deadlocks == oracle.deadlocks);
  EXPECT_EQ(found.executions.size(), GetParam().executions);
  EXPECT_EQ(found.deadlocks.size(), GetParam().deadlocks);
}

INSTANTIATE_TEST_SUITE_P(EqualBruteForce, DirectedLitmus,
                         ::testing::Values(Litmus{"ReadsInTheOrderOfSeqCst", R"(
thread
  create 1
  create 2
thread
  write x 1 seq_cst
  read y seq_cst
thread
  write y 1 seq_cst
  read x seq_cst
)",
                                                  3, 0},
                                           Litmus{"WritesInTheOrderOfSeqCst", R"(
thread
  create 1
  create 2
thread
  write x 1 seq_cst
  write y 2 seq_cst
thread
  write y 1 seq_cst
  write x 2 seq_cst
)",
                                                  3, 0},
                                           Litmus{"WaitForWhatWasThere", R"(
thread
  create 1
  await x relaxed
thread
  write x 1 relaxed
  write x 0 relaxed
)",
                                                  1, 1},
                                           Litmus{"FencesDoNotActThroughTheRuntime", R"(
thread
  create 1
  create 2
thread
  write x 1 relaxed
  fence release
  add z 1 relaxed
thread
  add z 1 acquire
  read x relaxed
)",
                                                  4, 0}),
                         [](const auto& test) { return std::string(test.param.name); });

INSTANTIATE_TEST_SUITE_P(EqualBruteForce, DirectedPrograms, ::testing::Values(Model::sc, Model::rc11),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST(Decisions, AreTheSameAgainFromTheirBytes) {
  const std::vector<TakenDecision> decisions = {{DecisionKind::thread, 3, 2},
                                                {DecisionKind::choice, 300, 258},
                                                {DecisionKind::source, 2, 1},
                                                {DecisionKind::thread, 2, 0}};
  const std::vector<std::uint8_t> bytes = bytes_of(decisions);
  EXPECT_EQ(bytes, (std::vector<std::uint8_t>{2, 2, 1, 1}));
  ByteDecisions again(bytes);
  again.begin();
  for (const TakenDecision& decision : decisions)
    EXPECT_EQ(again.decide(decision.kind, decision.options), decision.taken);
  EXPECT_EQ(again.decide(DecisionKind::thread, 5), 0u);
}

}  // namespace
}  // namespace weft::test
