// Failures that a program announces itself: each ends its thread as a finding, and the exploration goes on.
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "failing_body.hpp"
#include "weft/weft.hpp"

namespace {

using weft::Result;
using weft::Verdict;

TEST(Failures, AFalseCheckIsAnInvariantWithItsSentence) {
  expect_one(explore_failing_in_one_of_two([] { weft::check(false, "the flag stays down"); }), "invariant",
             "the flag stays down");
}

TEST(Failures, AFailureBeforeAnyVisibleOperationHasATraceToo) {
  const Result result = weft::explore([] { weft::check(false, "at once"); });
  ASSERT_TRUE(result.found("invariant", "at once")) << result;
  EXPECT_EQ(result.executions, 1u);
  EXPECT_NE(result.findings[0].trace.find("!! invariant"), std::string::npos) << result;
}

TEST(Failures, AnAssertIsAnInvariantWithItsExpression) {
  expect_one(explore_failing_in_one_of_two([] {
               const int flag = 1;
               assert(flag == 0);
             }),
             "invariant", "assertion `flag == 0' failed");
}

TEST(Failures, AbortIsAFinding) {
  expect_one(explore_failing_in_one_of_two([] { std::abort(); }), "abort", "abort()");
}

TEST(Failures, ExitWithAFailureCodeIsAFinding) {
  expect_one(explore_failing_in_one_of_two([] { std::exit(3); }), "abort", "exit(3)");
}

TEST(Failures, ExitWithSuccessFromTheBodyEndsIt) {
  const Result result = weft::explore([] {
    std::atomic<int> flag = 0;
    std::thread([&flag] { flag = 1; }).join();
    std::exit(0);
  });
  EXPECT_TRUE(result.proved()) << result;
}

TEST(Failures, ExitWithSuccessFromAThreadThatIsNotMainIsRefused) {
  expect_one(explore_failing_in_one_of_two([] { std::exit(0); }), "unsupported", "exit(0)");
}

TEST(Failures, AnUncaughtExceptionIsAFindingWithTypeAndMessage) {
  const Result result = explore_failing_in_one_of_two([] { throw std::runtime_error("disk full"); });
  expect_one(result, "uncaught exception", "std::runtime_error: disk full");
}

TEST(Failures, AnUncaughtExceptionOfAnyTypeIsAFinding) {
  expect_one(explore_failing_in_one_of_two([] { throw 42; }), "uncaught exception", "int");
}

TEST(Failures, AnUncaughtExceptionInTheBodyIsAFinding) {
  const Result result = weft::explore([] {
    std::thread([] {}).join();
    throw std::logic_error("never mind");
  });
  EXPECT_EQ(result.verdict, Verdict::bug);
  EXPECT_TRUE(result.found("uncaught exception", "std::logic_error: never mind")) << result;
}

TEST(Failures, AThreadThatIsDestroyedWhileJoinableIsAFinding) {
  const Result result = weft::explore([] { std::thread([] {}); });
  EXPECT_TRUE(result.found("abort", "without an exception")) << result;
}

TEST(Failures, TerminateWithoutAnExceptionIsAFinding) {
  expect_one(explore_failing_in_one_of_two([] { std::terminate(); }), "abort", "without an exception");
}

TEST(Failures, AnExceptionThatIsCaughtIsNone) {
  const Result result = explore_failing_in_one_of_two([] {
    try {
      throw std::runtime_error("handled");
    } catch (const std::exception&) {
    }
  });
  EXPECT_TRUE(result.proved()) << result;
}

TEST(Failures, TheSameFindingIsReportedOnce) {
  const Result result = weft::explore(
      [] {
        const auto a = weft::choose(5);
        weft::check(a < 2, "a is small");
      },
      {.keep_going = true});
  EXPECT_EQ(result.executions, 5u);
  EXPECT_EQ(result.findings.size(), 1u) << result;
}

TEST(Failures, WithoutKeepGoingTheFirstFindingEndsTheExploration) {
  const Result result = weft::explore([] { weft::check(weft::choose(100) == 0, "zero"); });
  EXPECT_EQ(result.verdict, Verdict::bug);
  EXPECT_EQ(result.executions, 2u);
}

TEST(Failures, AThreadThatNobodyJoinsIsAWarningAndNoBug) {
  const Result result = weft::explore([] {
    pthread_t thread;
    pthread_create(
        &thread, nullptr, [](void*) -> void* { return nullptr; }, nullptr);
  });
  EXPECT_TRUE(result.proved()) << result;
  ASSERT_EQ(result.findings.size(), 1u) << result;
  EXPECT_TRUE(result.findings[0].is_warning);
  EXPECT_TRUE(result.found("warning", "neither joined nor detached"));
}

}  // namespace
