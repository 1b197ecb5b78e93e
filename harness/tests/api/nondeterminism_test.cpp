// A body that does not do the same when it is run again is a finding, and the finding says what was different.
#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>

#include "weft/weft.hpp"

namespace {

using weft::Result;
using weft::Verdict;

// What instrumented code writes is undone after each execution; this is not seen, as if it were a file or a clock.
__attribute__((noinline, no_sanitize("thread"))) int count_runs() {
  static volatile int runs = 0;
  const int run = runs;
  runs = run + 1;
  return run;
}

/// The operation of `thread 1` depends on how often the body has run.
template <class First, class Later>
Result explore_changing(First first, Later later) {
  const int before = count_runs() + 1;
  return weft::explore([=] {
    std::atomic<int> x = 0;
    std::atomic<int> y = 0;
    weft::name(x, "x");
    weft::name(y, "y");
    const bool is_first = count_runs() == before;
    std::thread other([&] {
      if (is_first) {
        first(x, y);
      } else {
        later(x, y);
      }
    });
    x = 1;
    x.load();
    other.join();
  });
}

void expect_nondeterminism(const Result& result, const std::string& sentence) {
  EXPECT_EQ(result.verdict, Verdict::bug) << result;
  EXPECT_TRUE(result.found("nondeterminism", sentence)) << result;
}

TEST(Nondeterminism, AnotherOperationIsNamed) {
  const Result result = explore_changing([](auto& x, auto&) { x.load(); }, [](auto& x, auto&) { x = 7; });
  expect_nondeterminism(result, "operation 1 of thread 1 was a load of x, now it is a store to x");
}

TEST(Nondeterminism, AnotherObjectIsNamed) {
  const Result result = explore_changing([](auto& x, auto&) { x.load(); }, [](auto&, auto& y) { y.load(); });
  expect_nondeterminism(result, "operation 1 of thread 1 was a load of x, now it is one of y");
}

TEST(Nondeterminism, AMissingOperationIsNamed) {
  const Result result = explore_changing([](auto& x, auto&) { x.load(); }, [](auto&, auto&) {});
  expect_nondeterminism(result, "operation 1 of thread 1 was a load of x, now it is its end");
}

TEST(Nondeterminism, AnotherValueIsNamed) {
  const Result result = explore_changing([](auto& x, auto& y) { y = 1, x.load(); }, [](auto& x, auto& y) { y = 2, x.load(); });
  expect_nondeterminism(result, "operation 1 of thread 1 was a store to y, now it has another value");
}

TEST(Nondeterminism, OperationsAreCountedAndNotTheirParts) {
  const Result result = explore_changing([](auto& x, auto& y) { ++y, ++y, x.load(); }, [](auto& x, auto& y) { ++y, ++y, x = 7; });
  expect_nondeterminism(result, "operation 3 of thread 1 was a load of x, now it is a store to x");
}

TEST(Nondeterminism, RandomNumbersAreTheSameInEachExecution) {
  const Result result = weft::explore([] {
    std::atomic<unsigned> x = 0;
    std::random_device device;
    std::thread other([&] { x = device(); });
    x.load();
    other.join();
  });
  EXPECT_EQ(result.verdict, Verdict::proved) << result;
  EXPECT_EQ(result.executions, 2u);
}

TEST(Nondeterminism, AFindingThatItsOwnScheduleDoesNotRepeatIsNoProof) {
  const int before = count_runs() + 1;
  const Result result = weft::explore([=] {
    std::thread([] {}).join();
    weft::check(count_runs() != before, "not the first");
  });
  EXPECT_EQ(result.verdict, Verdict::bug) << result;
  EXPECT_FALSE(result.found("invariant")) << result;
  EXPECT_TRUE(result.found("nondeterminism", "invariant (`not the first') was found in execution 1, but not when")) << result;
}

}  // namespace
