// Code that is left without being unwound, as a terminated worker is.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "weft/shared.hpp"
#include "weft/weft.hpp"

namespace {

using weft::Result;

struct Guard {
  int& ended;
  ~Guard() { ++ended; }
};

void stop_inside(int& ended) {
  const Guard guard{ended};
  const auto memory = std::make_unique<std::string>("never given back, as its thread could not");
  try {
    weft::detail::stop_running();
  } catch (...) {
    ++ended;
    throw;
  }
}

TEST(Stoppable, RunsNoDestructorAndNoHandlerAndReportsNoLeak) {
  const Result result = weft::explore([] {
    int ended = 0;
    bool went_on = false;
    std::thread stopped([&] {
      weft::detail::run_stoppable([&] { stop_inside(ended); });
      went_on = true;
    });
    stopped.join();
    weft::check(ended == 0, "nothing was unwound");
    weft::check(went_on, "the thread goes on after what was stopped");
  });
  EXPECT_TRUE(result.proved()) << result;
}

TEST(Stoppable, TheSameThreadMayStopAgain) {
  const Result result = weft::explore([] {
    std::thread other([] {});
    int ended = 0;
    for (int i = 0; i < 3; ++i) weft::detail::run_stoppable([&] { stop_inside(ended); });
    other.join();
    weft::check(ended == 0, "nothing was unwound");
  });
  EXPECT_TRUE(result.proved()) << result;
}

TEST(Stoppable, ALockStaysHeld) {
  const Result result = weft::explore([] {
    std::mutex mutex;
    weft::name(mutex, "m");
    std::thread stopped([&] {
      weft::detail::run_stoppable([&] {
        const std::lock_guard lock(mutex);
        weft::detail::stop_running();
      });
    });
    stopped.join();
    mutex.lock();
  });
  EXPECT_TRUE(result.found("deadlock", "main waits to lock mutex m")) << result;
}

TEST(Stoppable, OthersOfTheSameExecutionAreStillCheckedForLeaks) {
  const Result result = weft::explore([] {
    std::thread stopped([] { weft::detail::run_stoppable([] { weft::detail::stop_running(); }); });
    stopped.join();
    int* volatile kept = new int(1);
    kept = kept + 100;  // nothing points to it any more
  });
  EXPECT_TRUE(result.found("leak", "4 bytes")) << result;
}

TEST(Stoppable, ThereMustBeSomethingToLeave) {
  const Result result = weft::explore([] {
    std::thread other([] { weft::detail::stop_running(); });
    other.join();
  });
  EXPECT_TRUE(result.found("unsupported", "stop_running() outside of run_stoppable()")) << result;
}

TEST(Stoppable, RunsThroughOutsideOfAnExecution) {
  bool ran = false;
  weft::detail::run_stoppable([&] { ran = true; });
  EXPECT_TRUE(ran);
  EXPECT_DEATH(weft::detail::stop_running(), "outside of an execution");
}

}  // namespace
