// Faults that the system reports by a signal end their thread as a finding; so do loops that never do anything visible.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "weft/weft.hpp"

namespace {

using weft::Result;
using weft::Verdict;

template <class Fail>
Result explore_failing_in_one_of_two(Fail fail) {
  return weft::explore(
      [&fail] {
        std::atomic<int> flag = 0;
        std::thread writer([&flag] { flag = 1; });
        std::thread reader([&flag, &fail] {
          if (flag == 1) fail();
        });
        writer.join();
        reader.join();
      },
      {.keep_going = true});
}

void expect_one(const Result& result, const std::string& kind, const std::string& text) {
  EXPECT_EQ(result.verdict, Verdict::bug);
  EXPECT_EQ(result.findings.size(), 1u) << result;
  EXPECT_TRUE(result.found(kind, text)) << result;
  EXPECT_EQ(result.executions, 2u) << result;
}

TEST(Signals, AStoreThroughANullPointerIsAFinding) {
  int* volatile nowhere = nullptr;
  expect_one(explore_failing_in_one_of_two([&] { *nowhere = 1; }), "signal", "null pointer");
}

TEST(Signals, AnAtomicAccessThroughANullPointerIsAFinding) {
  std::atomic<int>* volatile nowhere = nullptr;
  expect_one(explore_failing_in_one_of_two([&] { nowhere->store(1); }), "signal", "null pointer");
}

TEST(Signals, ADivisionByZeroIsAFinding) {
  volatile int zero = 0;
  expect_one(explore_failing_in_one_of_two([&] {
               volatile int result = 1 / zero;
               (void)result;
             }),
             "signal", "SIGFPE");
}

TEST(Signals, AnIllegalInstructionIsAFinding) {
  expect_one(explore_failing_in_one_of_two([] { __builtin_trap(); }), "signal", "SIGILL");
}

// Not a tail call, and every frame is used.
[[gnu::noinline]] int recurse(volatile int* depth) {
  volatile char frame[1024];
  frame[0] = static_cast<char>(*depth);
  return recurse(depth) + frame[0];
}

TEST(Signals, AStackOverflowIsAFindingOfItsOwn) {
  volatile int depth = 0;
  expect_one(explore_failing_in_one_of_two([&] { recurse(&depth); }), "signal", "stack overflow");
}

TEST(Signals, ManyFaultsInOneExplorationAreAllCaught) {
  int* volatile nowhere = nullptr;
  const Result result = weft::explore(
      [&] {
        if (weft::choose(50) != 0) *nowhere = 1;
      },
      {.keep_going = true});
  EXPECT_EQ(result.executions, 50u) << result;
  EXPECT_EQ(result.findings.size(), 1u) << result;
}

TEST(Signals, AnEndlessLoopWithoutVisibleOperationsIsAFinding) {
  volatile bool go_on = true;
  expect_one(explore_failing_in_one_of_two([&] {
               while (go_on) {
               }
             }),
             "endless loop", "without any visible operation");
}

}  // namespace
