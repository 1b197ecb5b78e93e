// Random numbers: fixed sequences, so that a scenario that uses them can be explored.
#include <gtest/gtest.h>
#include <sys/random.h>

#include <atomic>
#include <cstdlib>
#include <random>
#include <set>
#include <thread>

#include "explore_body.hpp"

namespace weft::test {
namespace {

using Outcomes = std::vector<std::string>;

std::uint64_t from_all_sources() {
  std::uint64_t mixed = static_cast<std::uint64_t>(std::rand());
  mixed = mixed * 31 + static_cast<std::uint64_t>(random());
  mixed = mixed * 31 + static_cast<std::uint64_t>(lrand48());
  mixed = mixed * 31 + std::random_device{}();
  std::uint64_t word = 0;
  EXPECT_EQ(getrandom(&word, sizeof word, 0), static_cast<ssize_t>(sizeof word));
  mixed = mixed * 31 + word;
  EXPECT_EQ(getentropy(&word, sizeof word), 0);
  return mixed * 31 + word;
}

TEST(Random, EachThreadDrawsTheSameInEveryExecution) {
  const Explored explored = explore_body([](Recorder& record) {
    std::atomic<std::uint64_t> first{0};
    std::uint64_t second = 0;
    std::thread a([&] { first = from_all_sources(); });
    std::thread b([&] {
      second = from_all_sources();
      first = second;
    });
    a.join();
    b.join();
    record(second);
    record(first.load() == second);
  });
  EXPECT_EQ(explored.counts.executions, 2u);
  EXPECT_TRUE(explored.kinds.empty());
  const Outcomes outcomes = explored.outcome_set();
  ASSERT_EQ(outcomes.size(), 2u);  // who was last; the numbers are the same
  EXPECT_EQ(outcomes[0].substr(0, outcomes[0].size() - 2), outcomes[1].substr(0, outcomes[1].size() - 2));
}

TEST(Random, ASeedChoosesTheSequenceAndNumbersGoOn) {
  const Explored explored = explore_body([](Recorder& record) {
    std::srand(5);
    const int first = std::rand();
    const int second = std::rand();
    std::srand(5);
    record(std::rand() == first);
    record(std::rand() == second);
    record(first == second);
    std::srand(6);
    record(std::rand() == first);
    std::random_device device;
    record(device() == device());
  });
  EXPECT_EQ(explored.outcome_set(), Outcomes{"1 1 0 0 0"});
}

TEST(Random, OutsideOfExecutionsTheRealFunctionsAnswer) {
  std::srand(1);
  EXPECT_EQ(std::rand(), 1804289383);  // glibc's first number for this seed
  std::set<unsigned> drawn;
  std::random_device device;
  for (int i = 0; i < 8; ++i) drawn.insert(device());
  EXPECT_GT(drawn.size(), 4u);
}

}  // namespace
}  // namespace weft::test
