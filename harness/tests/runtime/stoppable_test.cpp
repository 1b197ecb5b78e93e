// Code that is left without being unwound, as a terminated worker is.
#include <gtest/gtest.h>

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

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

TEST(Stoppable, WhatAnotherThreadHandedItIsNoLeakEither) {
  const Result result = weft::explore([] {
    std::thread stopped([handed = std::make_unique<int>(1)]() mutable {
      weft::detail::run_stoppable([&] {
        const std::unique_ptr<int> taken = std::move(handed);
        weft::detail::stop_running();
      });
    });
    stopped.join();
  });
  EXPECT_TRUE(result.proved()) << result;
}

TEST(Stoppable, InsideAHandlerLeavesNoExceptionBehind) {
  const Result result = weft::explore([] {
    std::thread([] {
      weft::detail::run_stoppable([] {
        try {
          throw std::runtime_error("handled by nobody");
        } catch (const std::exception&) {
          weft::detail::stop_running();
        }
      });
      weft::check(std::current_exception() == nullptr, "no exception is being handled");
      weft::check(std::uncaught_exceptions() == 0, "none is on its way");
    }).join();
  });
  EXPECT_TRUE(result.proved()) << result;
}

TEST(Stoppable, ByADestructorThatAnExceptionRunsLeavesNoneOnItsWay) {
  struct Stopper {
    ~Stopper() { weft::detail::stop_running(); }
  };
  const Result result = weft::explore([] {
    std::thread([] {
      try {
        weft::detail::run_stoppable([] {
          const Stopper stopper;
          throw std::runtime_error("comes to nobody");
        });
      } catch (const std::exception&) {
        weft::check(false, "the thread goes on after what was stopped");
      }
      weft::check(std::uncaught_exceptions() == 0, "none is on its way");
    }).join();
  });
  EXPECT_TRUE(result.proved()) << result;
}

TEST(Stoppable, InsideAnotherOneTheInnermostIsLeft) {
  const Result result = weft::explore([] {
    std::string order;
    std::thread([&] {
      weft::detail::run_stoppable([&] {
        weft::detail::run_stoppable([] { weft::detail::stop_running(); });
        order += "inner ";
        weft::detail::run_stoppable([] {});
        weft::detail::stop_running();
      });
      order += "outer";
    }).join();
    weft::check(order == "inner outer", "one after the other");
  });
  EXPECT_TRUE(result.proved()) << result;
}

TEST(Stoppable, ThereMustBeSomethingToLeave) {
  const Result result = weft::explore([] {
    std::thread other([] { weft::detail::stop_running(); });
    other.join();
  });
  EXPECT_TRUE(result.found("unsupported", "stop_running() outside of run_stoppable()")) << result;
  const Result after = weft::explore([] {
    std::thread([] {
      weft::detail::run_stoppable([] {});
      weft::detail::stop_running();
    }).join();
  });
  EXPECT_TRUE(after.found("unsupported", "stop_running() outside of run_stoppable()")) << after;
}

TEST(Stoppable, RunsThroughOutsideOfAnExecution) {
  bool ran = false;
  weft::detail::run_stoppable([&] { ran = true; });
  EXPECT_TRUE(ran);
  EXPECT_DEATH(weft::detail::stop_running(), "outside of an execution");
}

}  // namespace
