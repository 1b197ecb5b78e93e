// Threads that spin on an atomic object in a directed execution go on when it changes: no run is lost to them.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "explore/explored_graphs.hpp"
#include "weft/weft.hpp"

namespace weft::test {
namespace {

constexpr std::size_t kRuns = 300;  // those before the spin was recognised included, which are not counted

class DirectedSpins : public testing::TestWithParam<Model> {
 protected:
  static ExploredGraphs walk_at_random(const std::function<void()>& body) {
    ExplorationMemory memory;
    RandomDecisions walk(7);
    std::size_t runs = 0;
    return explore_by_decisions(body, GetParam(), memory, walk, [&] {
      walk.next_run();
      return ++runs < kRuns;
    });
  }
};
INSTANTIATE_TEST_SUITE_P(Models, DirectedSpins, testing::Values(Model::sc, Model::rc11),
                         [](const auto& model) { return std::string(to_string(model.param)); });

TEST_P(DirectedSpins, EndWhenTheFlagIsSet) {
  const ExploredGraphs found = walk_at_random([] {
    std::atomic<int> flag = 0;
    std::thread setter([&] { flag = 1; });
    while (flag != 1) {
    }
    setter.join();
  });
  EXPECT_EQ(found.fault, "");
  EXPECT_EQ(found.counts.blocked, 0u);
  EXPECT_EQ(found.counts.executions, found.counts.runs);
  EXPECT_GT(found.counts.runs, kRuns / 2);
}

TEST_P(DirectedSpins, EndWhenALockIsReleased) {
  const ExploredGraphs found = walk_at_random([] {
    std::atomic_flag taken = ATOMIC_FLAG_INIT;
    const auto section = [&] {
      while (taken.test_and_set(std::memory_order_acquire)) {
      }
      taken.clear(std::memory_order_release);
    };
    std::thread one(section);
    std::thread other(section);
    one.join();
    other.join();
  });
  EXPECT_EQ(found.fault, "");
  EXPECT_EQ(found.counts.blocked, 0u);
  EXPECT_EQ(found.counts.executions, found.counts.runs);
  EXPECT_GT(found.counts.runs, kRuns / 2);
}

TEST_P(DirectedSpins, AreALivelockIfNobodyEndsThem) {
  const ExploredGraphs found = walk_at_random([] {
    std::atomic<int> flag = 0;
    std::thread setter([&] { flag = 2; });
    while (flag != 1) {
    }
    setter.join();
  });
  EXPECT_EQ(found.fault, "");
  EXPECT_EQ(found.counts.deadlocks, found.counts.runs);
  EXPECT_GT(found.counts.runs, kRuns / 2);
}

}  // namespace
}  // namespace weft::test
