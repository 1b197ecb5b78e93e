// On random programs, exhaustive exploration finds exactly the executions and deadlocks that brute force finds, none
// twice.
//
// WEFT_RANDOM_SEED=n starts from another base seed, WEFT_RANDOM_PROGRAMS=n draws another number of programs per test.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <sstream>

#include "explore/explored_graphs.hpp"
#include "explore/random_program.hpp"

namespace weft::test {
namespace {

constexpr std::uint64_t kBaseSeed = 20'260'101;
constexpr std::size_t kShards = 10;
constexpr std::size_t kProgramsPerShard = 500;
/// Programs with more graphs than this are drawn again: brute force would spend its whole time on a few of them.
constexpr std::uint64_t kMostGraphs = 3'000;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// What is wrong with the exploration of `program`, or nothing; false in `compared` if it is too large.
std::string disagreement(const Program& program, Model model, bool& compared) {
  const ProgramBody body(program);
  ExplorationMemory memory;
  const ExploredGraphs oracle = explore_by_brute_force(body, model, memory, kMostGraphs);
  compared = !oracle.cut;
  if (!compared) return "";
  const ExploredGraphs found = explore_exhaustively(body, model, memory);
  std::ostringstream wrong;
  if (!found.fault.empty()) wrong << found.fault << "; ";
  if (!oracle.fault.empty()) wrong << "brute force: " << oracle.fault << "; ";
  std::vector<CanonicalKey> distinct = found.executions;
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  if (distinct.size() != found.executions.size()) wrong << found.executions.size() - distinct.size() << " duplicates; ";
  if (distinct != oracle.executions) {
    wrong << distinct.size() << " executions, brute force has " << oracle.executions.size() << "; ";
  }
  if (found.deadlocks != oracle.deadlocks) {
    wrong << found.deadlocks.size() << " deadlocks, brute force has " << oracle.deadlocks.size() << "; ";
  }
  return wrong.str();
}

class RandomPrograms : public ::testing::TestWithParam<std::tuple<Model, std::size_t>> {};

TEST_P(RandomPrograms, HaveTheSameExecutionsAndDeadlocksAsByBruteForce) {
  const auto [model, shard] = GetParam();
  const std::uint64_t base = from_environment("WEFT_RANDOM_SEED", kBaseSeed);
  const std::uint64_t wanted = from_environment("WEFT_RANDOM_PROGRAMS", kProgramsPerShard);
  std::uint64_t compared = 0;
  std::uint64_t drawn = 0;
  for (; compared < wanted; ++drawn) {
    const std::uint64_t seed = base + shard * 1'000'000'000 + drawn;
    std::mt19937_64 random(seed);
    const Program program = random_program(random, {});
    bool within_limit = false;
    const std::string wrong = disagreement(program, model, within_limit);
    compared += within_limit;
    ASSERT_EQ(wrong, "") << "seed " << seed << ", program:\n" << program;
  }
  std::cout << "base seed " << base << ", shard " << shard << ": " << compared << " programs compared, "
            << drawn - compared << " drawn again as too large\n";
}

INSTANTIATE_TEST_SUITE_P(EqualBruteForce, RandomPrograms,
                         ::testing::Combine(::testing::Values(Model::sc, Model::rc11),
                                            ::testing::Range(std::size_t{0}, kShards)),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param) == Model::sc ? "sc" : "rc11") + "_shard_" +
                                  std::to_string(std::get<1>(test.param));
                         });

}  // namespace
}  // namespace weft::test
