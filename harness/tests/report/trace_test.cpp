// Traces: what a person reads when something was found. Each is the record of a replay.
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "weft/weft.hpp"

namespace {

using weft::FindingReport;
using weft::Result;

std::string texts(const FindingReport& finding) {
  std::string all;
  for (const weft::TraceStep& step : finding.steps) {
    all += finding.columns[step.column].name + ": " + step.text + (step.changes.empty() ? "" : " {" + step.state() + "}") +
           (step.failing() ? " !!" : "") + "\n";
  }
  return all;
}

TEST(Trace, ShowsThreadsNamesValuesNotesAndTheFailingStep) {
  const Result result = weft::explore([] {
    std::atomic<int> counter = 7;
    weft::name(counter, "counter");
    weft::watch("counter", reinterpret_cast<int&>(counter));
    const auto increment = [&counter](const char* name) {
      weft::name_thread(name);
      const int loaded = counter.load();
      weft::note("compute + 1");
      counter.store(loaded + 1);
    };
    std::thread a(increment, "A");
    std::thread b(increment, "B");
    a.join();
    b.join();
    weft::check(counter.load() == 9, "nothing is lost");
  });
  ASSERT_EQ(result.findings.size(), 1u) << result;
  const std::string all = texts(result.findings[0]);
  for (const char* line :
       {"A: load counter -> 7", "B: load counter -> 7", "A: compute + 1", "B: compute + 1", "A: store counter = 8",
        "B: store counter = 8", "{counter=8}", "main: load counter -> 8", "main: invariant !!"}) {
    EXPECT_NE(all.find(line), std::string::npos) << line << " is missing in\n" << all;
  }
  EXPECT_NE(result.findings[0].trace.find("trace_test.cpp:"), std::string::npos) << result;
}

TEST(Trace, MarksAReadOfAnOverwrittenValue) {
  const Result result = weft::explore([] {
    std::atomic<int> x = 0;
    std::atomic<int> y = 0;
    weft::name(x, "x");
    std::thread writer([&] {
      x.store(1, std::memory_order_relaxed);
      y.store(1, std::memory_order_relaxed);
    });
    const bool flag = y.load(std::memory_order_relaxed) == 1;
    const bool data = x.load(std::memory_order_relaxed) == 1;
    writer.join();
    weft::check(!flag || data, "the flag announces the data");
  });
  ASSERT_TRUE(result.found("invariant")) << result;
  EXPECT_NE(result.findings[0].trace.find("load x -> 0 (stale: overwritten at #"), std::string::npos) << result;
}

TEST(Trace, ADeadlockSaysWhoWaitsForWhat) {
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
  ASSERT_TRUE(result.found("deadlock", "main waits to lock mutex b")) << result;
  EXPECT_TRUE(result.found("deadlock", "thread 1 waits to lock mutex a, held by main")) << result;
}

TEST(Trace, EveryFindingReplaysFromItsTokenAlone) {
  const auto body = [] {
    std::atomic<int> counter = 0;
    std::thread a([&] { counter = counter + 1; });
    std::thread b([&] { counter = counter + 1; });
    std::thread c([&] { counter = counter + 1; });
    a.join();
    b.join();
    c.join();
    weft::check(counter == 3, "nothing is lost");
  };
  const weft::Options options{.name = "three/increments"};
  const Result result = weft::explore(body, options);
  ASSERT_EQ(result.findings.size(), 1u) << result;
  const weft::Replay replay = weft::replay(body, result.findings[0].schedule, options);
  EXPECT_EQ(replay.status, weft::Replay::Status::done) << replay.problem;
  ASSERT_EQ(replay.findings.size(), 1u) << replay.trace;
  EXPECT_EQ(replay.findings[0].message, "nothing is lost");
  EXPECT_EQ(weft::replay(body, result.findings[0].schedule, {.name = "other/name"}).status,
            weft::Replay::Status::foreign);
  EXPECT_EQ(weft::replay(body, "w1:" + result.findings[0].schedule.substr(3, 8) + ":0nnne", options).status,
            weft::Replay::Status::diverged);
}

TEST(Trace, ADataRaceShowsBothAccessesAndThenWhatItDoes) {
  const Result result = weft::explore([] {
    int counter = 7;
    weft::name(counter, "counter");
    std::thread a([&] { counter += 1; });
    std::thread b([&] { counter += 1; });
    a.join();
    b.join();
    weft::check(counter == 9, "nothing is lost");
  });
  ASSERT_EQ(result.findings.size(), 2u) << result;
  EXPECT_TRUE(result.found("data race", "counter")) << result;
  EXPECT_TRUE(result.found("invariant", "nothing is lost")) << result;
  EXPECT_NE(result.findings[0].trace.find("nothing orders them"), std::string::npos) << result;
  EXPECT_NE(texts(result.findings[1]).find("load counter -> 7"), std::string::npos) << result;
}

}  // namespace
