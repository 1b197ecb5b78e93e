// NEAR: what it says was run, and depends on nothing but the execution.
#include "api/near.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <regex>
#include <string>
#include <thread>

#include "explore/nearby.hpp"
#include "runtime/exploration.hpp"
#include "weft/weft.hpp"

namespace {

using weft::FindingReport;
using weft::Result;

const weft::TraceStep& step(const FindingReport& finding, unsigned long number) {
  for (const weft::TraceStep& one : finding.steps) {
    if (one.number == number) return one;
  }
  throw std::out_of_range("no such step");
}

/// "#3 comes after #5" as the two steps.
std::pair<weft::TraceStep, weft::TraceStep> steps_of_order(const FindingReport& finding) {
  std::smatch match;
  if (!std::regex_match(finding.near, match, std::regex("passes if #(\\d+) comes after #(\\d+)")))
    throw std::runtime_error("NEAR is: " + finding.near);
  return {step(finding, std::stoul(match[1])), step(finding, std::stoul(match[2]))};
}

void increments() {
  std::atomic<int> counter = 7;
  weft::name(counter, "counter");
  const auto increment = [&counter](const char* name) {
    weft::name_thread(name);
    counter.store(counter.load() + 1);
  };
  std::thread a(increment, "A");
  std::thread b(increment, "B");
  a.join();
  b.join();
  weft::check_equal(counter.load(), 9, "nothing is lost");
}

TEST(Near, OfALostUpdateIsTheReadAfterTheWriteThatItMissed) {
  for (const weft::Model model : {weft::Model::sc, weft::Model::rc11}) {
    const Result result = weft::explore(increments, {.model = model});
    ASSERT_EQ(result.findings.size(), 1u) << result;
    const auto [read, write] = steps_of_order(result.findings[0]);
    EXPECT_EQ(read.text, "load counter -> 7") << result;
    EXPECT_EQ(write.text, "store counter = 8") << result;
    EXPECT_NE(read.column, write.column) << result;
    EXPECT_NE(result.findings[0].trace.find("\nNEAR  passes if #"), std::string::npos) << result;
  }
}

TEST(Near, IsTheSameEachTime) {
  const std::string first = weft::explore(increments).findings.at(0).near;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(weft::explore(increments).findings.at(0).near, first);
  const FindingReport found = weft::explore(increments).findings.at(0);
  EXPECT_EQ(weft::replay(increments, found.schedule).findings.at(0).near, first);
}

TEST(Near, OfAStaleReadIsTheNewestValue) {
  const Result result = weft::explore([] {
    std::atomic<int> data = 0;
    std::atomic<int> flag = 0;
    weft::name(data, "data");
    std::thread writer([&] {
      data.store(1, std::memory_order_relaxed);
      flag.store(1, std::memory_order_relaxed);
    });
    const bool announced = flag.load(std::memory_order_relaxed) == 1;
    const int read = data.load(std::memory_order_relaxed);
    writer.join();
    if (announced) weft::check_equal(read, 1, "the flag announces the data");
  });
  ASSERT_EQ(result.findings.size(), 1u) << result;
  std::smatch match;
  ASSERT_TRUE(std::regex_match(result.findings[0].near, match, std::regex("passes if #(\\d+) reads the newest value")))
      << result;
  EXPECT_EQ(step(result.findings[0], std::stoul(match[1])).text.find("load data -> 0 (stale"), 0u) << result;
}

TEST(Near, OfADeadlockIsTheOtherOrderOfItsLocks) {
  const Result result = weft::explore([] {
    std::mutex a;
    std::mutex b;
    weft::name(a, "a");
    weft::name(b, "b");
    std::thread other([&] {
      const std::lock_guard first(b);
      const std::lock_guard second(a);
    });
    {
      const std::lock_guard first(a);
      const std::lock_guard second(b);
    }
    other.join();
  });
  ASSERT_EQ(result.findings.size(), 1u) << result;
  const auto [first, second] = steps_of_order(result.findings[0]);
  EXPECT_EQ(first.object, second.object) << result;
  EXPECT_EQ(first.text.find("lock "), 0u) << result;
}

TEST(Near, OfALostWakeUpIsTheNotificationAfterTheWait) {
  const Result result = weft::explore([] {
    std::mutex mutex;
    std::condition_variable ready;
    std::atomic<bool> done = false;
    std::thread waiter([&] {
      std::unique_lock lock(mutex);
      if (!done.load()) ready.wait(lock);
    });
    done = true;
    ready.notify_one();
    waiter.join();
  });
  ASSERT_EQ(result.findings.size(), 1u) << result;
  const auto [notify, wait] = steps_of_order(result.findings[0]);
  EXPECT_EQ(notify.text.find("notify one of "), 0u) << result;
  EXPECT_EQ(wait.text.find("begin to wait on "), 0u) << result;
}

TEST(Near, OfAChoiceIsTheValueThatPasses) {
  const Result result = weft::explore([] {
    std::thread([] {}).join();
    weft::check(weft::choose(4) == 2, "two was chosen");
  });
  ASSERT_EQ(result.findings.size(), 1u) << result;
  EXPECT_TRUE(std::regex_match(result.findings[0].near, std::regex("passes if #\\d+ chooses 2"))) << result;
}

TEST(Near, OfAChoiceThatIsNotShownIsWhatComesOfIt) {
  const Result result = weft::explore([] {
    weft::name_thread("Loop");
    std::thread([] {}).join();
    weft::detail::show_steps(false);
    const std::uint32_t chosen = weft::choose(2);
    weft::detail::show_steps(true);
    weft::detail::enter_task(weft::detail::new_task("Task"));
    weft::note(chosen == 0 ? "the first comes" : "the second comes");
    weft::check(chosen == 1, "the second comes first");
  });
  ASSERT_EQ(result.findings.size(), 1u) << result;
  EXPECT_TRUE(std::regex_match(result.findings[0].near,
                               std::regex("passes if \"the second comes\" \\(Task\\) comes in place of #\\d+")))
      << result;
}

TEST(Near, SaysThatNoSingleChangePasses) {
  const Result result = weft::explore([] {
    std::atomic<int> x = 0;
    std::thread other([&] { x.store(1); });
    x.store(2);
    other.join();
    weft::check(x.load() == 0, "nobody writes");
  });
  ASSERT_EQ(result.findings.size(), 1u) << result;
  EXPECT_EQ(result.findings[0].near, "fails, too, if #2 comes after #3; no other single change is possible") << result;
}

TEST(Near, SaysThatNothingCouldGoAnotherWay) {
  const Result result = weft::explore([] {
    std::thread([] {}).join();
    weft::check(false, "always");
  });
  ASSERT_EQ(result.findings.size(), 1u) << result;
  EXPECT_EQ(result.findings[0].near, "no other order, read or choice is possible") << result;
  EXPECT_NE(result.findings[0].trace.find("\nNEAR  no other order"), std::string::npos) << result;
}

TEST(Near, SaysNothingOfADataRace) {
  const Result result = weft::explore(
      [] {
        int x = 0;
        std::thread other([&] { x = 1; });
        x = 2;
        other.join();
      },
      {.promote_races = false});
  ASSERT_TRUE(result.found("data race")) << result;
  EXPECT_EQ(result.findings[0].near, "");
}

TEST(Near, RunsTheBodyABoundedNumberOfTimes) {
  static int runs = 0;
  const auto body = [] {
    const struct CountsRuns {
      __attribute__((no_sanitize("thread"))) CountsRuns() { ++runs; }
    } count;
    std::thread([] {}).join();
    for (int i = 0; i < 100; ++i) weft::choose(8);
    weft::check(false, "always");
  };
  runs = 0;
  const Result result = weft::explore(body);
  ASSERT_EQ(result.findings.size(), 1u) << result;
  EXPECT_EQ(result.findings[0].near, "none of 200 single changes of order, read or choice passes") << result;
  EXPECT_LE(runs, static_cast<int>(weft::kMostNearRuns) + 20);
}

}  // namespace
