// Traces: what a person reads when something was found. Each is the record of a replay.
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "weft/weft.hpp"

namespace {

using weft::FindingReport;
using weft::Result;

std::string texts(const FindingReport& finding) {
  std::string all;
  for (const weft::TraceStep& step : finding.steps) {
    all += finding.columns[step.column].name + ": " + step.text +
           (step.changes.empty() ? "" : " {" + step.state() + "}") + (step.failing() ? " !!" : "") + "\n";
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

/// As if the code, the globals and the variables of calls were elsewhere.
std::string token_of_another_build(const std::string& token) {
  const std::size_t learned = token.find(':', token.find(':') + 1);
  const std::size_t steps_end = token.find(':', learned + 1);
  EXPECT_NE(steps_end, std::string::npos) << token << " says nothing of what was learned";
  return token.substr(0, steps_end) + ":p@0.10.4,s1";
}

int total = 0;

TEST(Trace, ATokenReplaysWhereWhatItHadLearnedIsElsewhere) {
  const auto livelock = [] {
    std::atomic<int> turn = 0;
    std::thread other([&] {
      while (turn.load() != 1) {
      }
    });
    other.join();
  };
  const auto race = [] {
    int counter = 7;
    weft::name(counter, "counter");
    std::thread a([&] { counter += 1; });
    std::thread b([&] { counter += 1; });
    a.join();
    b.join();
    weft::check(counter == 9, "nothing is lost");
  };
  const auto race_from_the_first_step_on = [] {
    std::thread a([] { total += 1; });
    std::thread b([] { total += 1; });
    a.join();
    b.join();
    weft::check(total == 2, "nothing is lost");
  };
  const std::vector<std::function<void()>> bodies{livelock, race, race_from_the_first_step_on};
  for (const std::function<void()>& body : bodies) {
    const Result result = weft::explore(body);
    ASSERT_FALSE(result.findings.empty()) << result;
    const FindingReport& finding = result.findings.back();
    const weft::Replay replay = weft::replay(body, token_of_another_build(finding.schedule), {});
    EXPECT_EQ(replay.status, weft::Replay::Status::done) << replay.problem;
    ASSERT_EQ(replay.findings.size(), 1u) << replay.trace;
    EXPECT_EQ(replay.findings[0].message, finding.message);
    EXPECT_EQ(replay.findings[0].schedule, finding.schedule) << "as this build makes it";
  }
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

TEST(Trace, ADataRaceShowsAllPlainAccessesOfWhatRacesWithTheirValues) {
  const Result result = weft::explore(
      [] {
        int counter = 7;
        weft::name(counter, "counter");
        std::thread a([&] {
          weft::name_thread("A");
          counter += 1;
          asm volatile("" ::: "memory");
          counter = 20;  // between the same two operations as the one before
        });
        std::thread b([&] {
          weft::name_thread("B");
          counter += 1;
        });
        a.join();
        b.join();
      },
      {.promote_races = false});
  ASSERT_EQ(result.findings.size(), 1u) << result;
  const std::string all = texts(result.findings[0]);
  EXPECT_NE(all.find("A: read counter -> 7\nA: write counter = 8\nA: write counter = 20\n"), std::string::npos) << all;
  EXPECT_NE(all.find("B: data race: read counter -> 20 !!\n"), std::string::npos) << all;
  EXPECT_EQ(all.find("main: write counter"), std::string::npos) << all;  // before there was anybody to race with
}

TEST(Trace, AFailedComparisonShowsBothNumbers) {
  const Result result = weft::explore([] {
    std::thread([] {}).join();
    weft::check_equal(3, 3, "three is three");
    weft::check_equal(-3, 4, "minus three is four");
  });
  ASSERT_TRUE(result.found("invariant", "minus three is four")) << result;
  EXPECT_EQ(result.findings[0].message, "minus three is four");
  EXPECT_EQ(result.findings[0].places.at(0).what, "failed here: is -3, should be 4");
  EXPECT_NE(texts(result.findings[0]).find("main: invariant: is -3, should be 4 !!"), std::string::npos) << result;
}

TEST(Trace, ShowsNoPlaceWhereItIsOnlyThatOfTheLoop) {
  const Result result = weft::explore([] {
    std::thread([] {}).join();
    const auto loop = [] { (weft::detail::runs_callbacks(true), weft::note("of the loop")); };
    loop();
    weft::note("of a callback");
    weft::detail::runs_callbacks(false);
    weft::check(false, "always");
  });
  ASSERT_EQ(result.findings.size(), 1u) << result;
  const auto place_of = [&](const std::string& text) {
    for (const weft::TraceStep& step : result.findings[0].steps) {
      if (step.text == text) return step.place;
    }
    return std::string("no such step");
  };
  EXPECT_EQ(place_of("of the loop"), "") << result;
  EXPECT_EQ(place_of("of a callback").find("trace_test.cpp:"), 0u) << result;
}

TEST(Trace, LeavesOutStepsThatNotesExplain) {
  const Result result = weft::explore([] {
    std::thread([] {}).join();
    weft::detail::show_steps(false);
    weft::choose(2);
    weft::detail::show_steps(true);
    weft::choose(1);
    weft::check(false, "always");
  });
  ASSERT_EQ(result.findings.size(), 1u) << result;
  EXPECT_EQ(texts(result.findings[0]).find("choose 0..1"), std::string::npos) << result;
  EXPECT_NE(texts(result.findings[0]).find("choose 0..0 -> 0"), std::string::npos) << result;
}

TEST(Trace, SaysWhoPreemptsAndHowOftenTheThreadsTakeTurns) {
  const Result result = weft::explore([] {
    std::atomic<int> x = 0;
    weft::name_thread("One");
    std::thread other([&] {
      weft::name_thread("Two");
      x.store(2);
    });
    x.store(1);
    const int read = x.load();
    other.join();
    weft::check(read == 1, "nobody gets in between");
  });
  ASSERT_EQ(result.findings.size(), 1u) << result;
  const std::string& trace = result.findings[0].trace;
  EXPECT_NE(trace.find("~~~ preempted by Two ~~~>"), std::string::npos) << trace;
  EXPECT_NE(trace.find(" 2 switches from one thread to another (no order of this execution has fewer)"),
            std::string::npos)
      << trace;
}

}  // namespace
