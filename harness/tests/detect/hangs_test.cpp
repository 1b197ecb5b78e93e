// Executions that never end: threads that wait for each other in a ring, and spins on values that nobody will change.
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "weft/weft.hpp"

namespace {

using weft::Result;
using weft::Verdict;

/// Each thread locks one mutex and then the other, in opposite orders.
Result explore_opposite_orders() {
  return weft::explore(
      [] {
        std::mutex first;
        std::mutex second;
        weft::name(first, "first");
        weft::name(second, "second");
        std::thread a([&] {
          const std::lock_guard outer(first);
          const std::lock_guard inner(second);
        });
        std::thread b([&] {
          const std::lock_guard outer(second);
          const std::lock_guard inner(first);
        });
        a.join();
        b.join();
      },
      {.keep_going = true});
}

TEST(Hangs, LocksInOppositeOrdersAreADeadlock) {
  const Result result = explore_opposite_orders();
  EXPECT_EQ(result.verdict, Verdict::bug);
  EXPECT_EQ(result.executions, 2u) << result;
  EXPECT_EQ(result.deadlocks, 1u);
  ASSERT_EQ(result.findings.size(), 1u) << result;
  EXPECT_EQ(result.findings[0].kind, "deadlock");
}

TEST(Hangs, ADeadlockNamesWhoWaitsForWhomAllAroundTheRing) {
  const Result result = explore_opposite_orders();
  ASSERT_TRUE(result.found("deadlock")) << result;
  EXPECT_TRUE(result.found("deadlock", "thread 1 waits to lock mutex second, held by thread 2")) << result;
  EXPECT_TRUE(result.found("deadlock", "thread 2 waits to lock mutex first, held by thread 1")) << result;
  EXPECT_TRUE(result.found("deadlock", "main waits to join thread 1")) << result;
}

TEST(Hangs, ASpinOnAValueThatNobodyWillChangeIsALivelock) {
  const Result result = weft::explore(
      [] {
        std::atomic<int> flag = 0;
        std::thread spinner([&flag] {
          while (flag.load() != 2) {
          }
        });
        flag = 1;
        spinner.join();
      },
      {.max_steps = 100});  // so that a spin that is not recognised is seen soon
  EXPECT_EQ(result.verdict, Verdict::bug);
  ASSERT_EQ(result.findings.size(), 1u) << result;
  EXPECT_TRUE(result.found("livelock", "thread 1 spins on a value that nobody will change")) << result;
}

TEST(Hangs, ASpinOnAValueThatIsStillToComeIsNone) {
  const Result result = weft::explore([] {
    std::atomic<int> flag = 0;
    std::thread spinner([&flag] {
      while (flag.load() != 1) {
      }
    });
    flag = 1;
    spinner.join();
  });
  EXPECT_TRUE(result.proved()) << result;
}

}  // namespace
