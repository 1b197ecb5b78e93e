// Virtual time: sleeping costs nothing, each thread has its own clock, joining brings it up to date.
#include <gtest/gtest.h>
#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "explore_body.hpp"

namespace weft::test {
namespace {

using Outcomes = std::vector<std::string>;
using std::chrono::steady_clock;

std::uint64_t milliseconds_since(steady_clock::time_point start) {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(steady_clock::now() - start).count());
}

TEST(VirtualTime, SleepingAnHourTakesNoTimeAndShowsOnTheClock) {
  const auto real_start = steady_clock::now();
  const Explored explored = explore_body([](Recorder& record) {
    const auto start = steady_clock::now();
    std::this_thread::sleep_for(std::chrono::hours(1));
    usleep(2000);
    sleep(1);
    record(milliseconds_since(start));
  });
  EXPECT_EQ(explored.counts.executions, 1u);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"3601002"}));
  EXPECT_LT(steady_clock::now() - real_start, std::chrono::minutes(1));
}

TEST(VirtualTime, AThreadStartsAtItsCreatorsTimeAndJoiningCatchesUp) {
  const Explored explored = explore_body([](Recorder& record) {
    const auto start = steady_clock::now();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::uint64_t at_start = 0;
    std::thread sleeper([&] {
      at_start = milliseconds_since(start);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    });
    record(milliseconds_since(start));
    sleeper.join();
    record(at_start);
    record(milliseconds_since(start));
  });
  EXPECT_EQ(explored.counts.executions, 1u);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"10 10 30"}));
}

TEST(VirtualTime, AllClocksAgreeAndBeginAtAFixedTime) {
  const Explored explored = explore_body([](Recorder& record) {
    timeval now{};
    gettimeofday(&now, nullptr);
    record(static_cast<std::uint64_t>(now.tv_sec));
    record(static_cast<std::uint64_t>(time(nullptr)));
    record(static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::seconds>(
                                          std::chrono::system_clock::now().time_since_epoch())
                                          .count()));
  });
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"1704067200 1704067200 1704067200"}));
}

TEST(VirtualTime, OutsideOfAnExecutionClocksAreReal) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  EXPECT_GT(now.tv_sec, 1'704'067'200 + 86'400);
}

}  // namespace
}  // namespace weft::test
