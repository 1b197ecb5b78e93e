// A GoogleTest file that explores.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include <weft/weft.hpp>

namespace {

TEST(Counter, LosesNothing) {
  const weft::Result result = weft::explore([] {
    std::atomic<int> counter{0};
    std::thread other([&] { ++counter; });
    ++counter;
    other.join();
    EXPECT_EQ(counter, 2);
  });
  EXPECT_TRUE(result.proved()) << result;
}

TEST(Counter, ShowsAFailedAssertionAsAFinding) {
  const weft::Result result = weft::explore([] {
    std::atomic<int> counter{0};
    std::thread other([&] { counter = counter + 1; });
    counter = counter + 1;
    other.join();
    EXPECT_EQ(counter, 2);
  });
  ASSERT_EQ(result.verdict, weft::Verdict::bug);
}

}  // namespace
