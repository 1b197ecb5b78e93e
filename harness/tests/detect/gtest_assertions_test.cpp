// Failed GoogleTest assertions inside an exploration are findings, and do not fail the test that explores.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "weft/weft.hpp"

namespace {

void racing_increments() {
  std::atomic<int> counter = 0;
  const auto increment = [&counter] { counter = counter + 1; };
  std::thread a(increment);
  std::thread b(increment);
  a.join();
  b.join();
  EXPECT_EQ(counter, 2) << "an update was lost";
}

TEST(GoogleTestAssertions, AFailedExpectIsAnInvariantWithItsMessage) {
  const weft::Result result = weft::explore(racing_increments);
  EXPECT_EQ(result.verdict, weft::Verdict::bug);
  EXPECT_TRUE(result.found("invariant", "an update was lost")) << result;
}

TEST(GoogleTestAssertions, AnExpectThatHoldsInEveryExecutionIsAProof) {
  const weft::Result result = weft::explore([] {
    std::atomic<int> counter = 0;
    std::thread a([&counter] { ++counter; });
    std::thread b([&counter] { ++counter; });
    a.join();
    b.join();
    EXPECT_EQ(counter, 2);
  });
  EXPECT_TRUE(result.proved()) << result;
  EXPECT_EQ(result.executions, 2u);
}

TEST(GoogleTestAssertions, AFailedAssertInAThreadIsAnInvariantToo) {
  const weft::Result result = weft::explore([] {
    std::atomic<int> counter = 0;
    std::thread([&counter] { ASSERT_EQ(counter, 1) << "in the thread"; }).join();
  });
  EXPECT_TRUE(result.found("invariant", "in the thread")) << result;
}

TEST(GoogleTestAssertions, AfterAnExplorationAssertionsFailTestsAsEver) {
  weft::explore(racing_increments);
  EXPECT_NONFATAL_FAILURE(EXPECT_TRUE(false) << "seen by the test", "seen by the test");
}

TEST(GoogleTestAssertions, ManyFailuresLeaveGoogleTestWhole) {
  const weft::Result result = weft::explore([] { EXPECT_EQ(weft::choose(20), 0u); }, {.keep_going = true});
  EXPECT_EQ(result.executions, 20u);
  EXPECT_EQ(result.findings.size(), 19u);  // their messages differ
}

}  // namespace
