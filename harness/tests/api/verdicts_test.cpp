// How explorations end when nothing is found: each verdict is reached, and says why.
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "weft/weft.hpp"

namespace {

using weft::Result;
using weft::Verdict;

/// 2 executions.
void two_increments() {
  std::atomic<int> counter = 0;
  std::thread other([&counter] { ++counter; });
  ++counter;
  other.join();
}

/// Very many.
void many_increments() {
  std::atomic<int> counter = 0;
  const auto increment = [&counter] {
    for (int i = 0; i < 20; ++i) ++counter;
  };
  std::thread other(increment);
  increment();
  other.join();
}

/// A waiter that trusts its wake-up, or looks again.
void hand_over(bool looks_again) {
  std::mutex mutex;
  std::condition_variable condition;
  bool ready = false;
  std::thread giver([&] {
    const std::lock_guard lock(mutex);
    ready = true;
    condition.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    if (looks_again) {
      while (!ready) condition.wait(lock);
    } else if (!ready) {
      condition.wait(lock);
    }
    weft::check(ready, "what was waited for is there");
  }
  giver.join();
}

TEST(Verdicts, AllExecutionsExploredIsProved) {
  const Result result = weft::explore(two_increments);
  EXPECT_EQ(result.verdict, Verdict::proved);
  EXPECT_EQ(result.executions, 2u);
  EXPECT_EQ(result.reason, "");
}

TEST(Verdicts, TheLimitOnExecutionsTruncates) {
  const Result result = weft::explore(many_increments, {.max_executions = 10});
  EXPECT_EQ(result.verdict, Verdict::truncated);
  EXPECT_EQ(result.executions + result.blocked, 10u);
  EXPECT_NE(result.reason.find("--max-executions"), std::string::npos) << result;
  EXPECT_LT(result.fraction_done, 1.0);
}

TEST(Verdicts, TheLimitOnTimeTruncates) {
  const Result result = weft::explore(many_increments, {.max_seconds = 0.2});
  EXPECT_EQ(result.verdict, Verdict::truncated);
  EXPECT_NE(result.reason.find("--max-time"), std::string::npos) << result;
  EXPECT_GE(result.seconds, 0.2);
  EXPECT_LT(result.seconds, 2.0);
}

TEST(Verdicts, TheLimitOnTimeHoldsWhenEachRunIsSlow) {
  const auto slow = [] {
    weft::choose(1000);
    volatile int steps = 0;
    while (steps < 20'000'000) steps = steps + 1;
  };
  const Result result = weft::explore(slow, {.max_seconds = 0.1});
  EXPECT_EQ(result.verdict, Verdict::truncated);
  EXPECT_LT(result.executions, 30u) << result;
}

TEST(Verdicts, TheLimitOnStepsIsAFinding) {
  const Result result = weft::explore(many_increments, {.max_steps = 20});
  EXPECT_EQ(result.verdict, Verdict::bug);
  EXPECT_TRUE(result.found("limit", "20 visible operations")) << result;
}

TEST(Verdicts, WithoutSpuriousWakeUpsAWaiterMayTrustItsWakeUp) {
  const Result result = weft::explore([] { hand_over(false); });
  EXPECT_EQ(result.verdict, Verdict::proved) << result;
}

TEST(Verdicts, ASpuriousWakeUpBreaksAWaiterThatTrustsIt) {
  const Result result = weft::explore([] { hand_over(false); }, {.spurious_wakeups = 1});
  EXPECT_TRUE(result.found("invariant", "what was waited for is there")) << result;
}

TEST(Verdicts, AnyNumberOfSpuriousWakeUpsWasCutSoTheVerdictIsBounded) {
  const Result result = weft::explore([] { hand_over(true); }, {.spurious_wakeups = 2});
  EXPECT_EQ(result.verdict, Verdict::bounded) << result;
  EXPECT_NE(result.reason.find("--spurious"), std::string::npos) << result;
  EXPECT_TRUE(result.findings.empty()) << result;
}

TEST(Verdicts, MoreSpuriousWakeUpsThanThereAreWaitsAreNoBound) {
  const Result result = weft::explore([] { hand_over(false); }, {.keep_going = true, .spurious_wakeups = 5});
  EXPECT_EQ(result.verdict, Verdict::bug);
  const Result none = weft::explore(two_increments, {.spurious_wakeups = 5});
  EXPECT_EQ(none.verdict, Verdict::proved) << none;
}

TEST(Verdicts, AConditionThatNeverHeldIsVacuous) {
  const auto with_condition = [](int sum) {
    return [sum] {
      std::atomic<int> counter = 0;
      std::thread other([&counter] { ++counter; });
      weft::sometimes(counter == sum, "the counter was seen");
      other.join();
    };
  };
  EXPECT_EQ(weft::explore(with_condition(1)).verdict, Verdict::proved);
  const Result never = weft::explore(with_condition(2));
  EXPECT_EQ(never.verdict, Verdict::vacuous);
  EXPECT_EQ(never.reason, "`the counter was seen` never held");
}

TEST(Verdicts, NoExecutionAtAllIsVacuous) {
  const Result result = weft::explore([] {
    std::thread other([] {});
    other.join();
    weft::assume(false);
    weft::check(false, "never reached");
  });
  EXPECT_EQ(result.verdict, weft::Verdict::vacuous);
  EXPECT_EQ(result.executions, 0u);
  EXPECT_NE(result.reason.find("no execution came to its end"), std::string::npos) << result.reason;
}

TEST(Verdicts, ABodyWithOneThreadIsVacuous) {
  const Result result = weft::explore([] { weft::choose(3); });
  EXPECT_EQ(result.verdict, Verdict::vacuous);
  EXPECT_EQ(result.executions, 3u);
  EXPECT_EQ(result.reason, "the body never ran two threads, or two tasks of an event loop");
}

TEST(Verdicts, TooManyThreadsAreALimit) {
  const Result result = weft::explore([] {
    std::vector<std::thread> threads;
    for (int i = 0; i < 64; ++i) threads.emplace_back([] {});
    for (std::thread& thread : threads) thread.join();
  });
  EXPECT_EQ(result.verdict, Verdict::bug);
  EXPECT_TRUE(result.found("limit", "more than 64 threads")) << result;
}

TEST(Verdicts, SixtyFourThreadsAreNone) {
  const Result result = weft::explore([] {
    std::vector<std::thread> threads;
    for (int i = 0; i < 63; ++i) threads.emplace_back([] {});
    for (std::thread& thread : threads) thread.join();
  });
  EXPECT_EQ(result.verdict, Verdict::proved) << result;
  EXPECT_EQ(result.executions, 1u);
}

TEST(Verdicts, MoreMemoryThanThereIsIsALimit) {
  const Result result = weft::explore([] {
    for (int i = 0; i < 100; ++i) {
      char* volatile block = new char[std::size_t{64} << 20];
      delete[] block;
    }
  });
  EXPECT_EQ(result.verdict, Verdict::bug);
  EXPECT_TRUE(result.found("limit", "MiB of heap")) << result;
}

}  // namespace
