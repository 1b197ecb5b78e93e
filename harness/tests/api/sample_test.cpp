// weft::sample: verdicts, the same again from the same seed, and findings whose schedules were made smaller.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "weft/weft.hpp"

namespace {

using weft::FindingReport;
using weft::Result;
using weft::SampleOptions;
using weft::Strategy;
using weft::Verdict;

constexpr Strategy kStrategies[] = {Strategy::random, Strategy::pct, Strategy::pos};

void lose_an_update() {
  std::atomic<int> counter = 0;
  std::atomic<int> other = 0;
  const auto increment = [&] {
    for (int i = 0; i < 4; ++i) other.store(i, std::memory_order_relaxed);
    counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    for (int i = 0; i < 4; ++i) other.load(std::memory_order_relaxed);
  };
  std::thread a(increment);
  std::thread b(increment);
  a.join();
  b.join();
  weft::check(counter == 2, "nothing is lost");
}

void count_safely() {
  std::atomic<int> counter = 0;
  std::thread a([&] { ++counter; });
  std::thread b([&] { ++counter; });
  a.join();
  b.join();
  weft::check(counter == 2, "nothing is lost");
}

void race_and_lose_an_update() {
  int counter = 0;
  std::thread a([&] { ++counter; });
  ++counter;
  a.join();
  weft::check(counter == 2, "nothing is lost");
}

void lock_in_both_orders() {
  std::mutex a;
  std::mutex b;
  std::atomic<int> work = 0;
  std::thread other([&] {
    for (int i = 0; i < 3; ++i) work = i;
    const std::scoped_lock first(b);
    const std::lock_guard second(a);
  });
  {
    const std::lock_guard first(a);
    for (int i = 0; i < 3; ++i) work = i;
    const std::lock_guard second(b);
  }
  other.join();
}

void use_what_was_freed() {
  std::atomic<int*> shared = new int(1);
  std::thread other([&] { delete shared.exchange(nullptr); });
  int* const mine = shared.load();
  if (mine != nullptr) weft::check(*mine == 1, "it is there");
  other.join();
}

void choose_the_seventh() {
  std::atomic<int> sum = 0;
  std::thread other([&] { sum += static_cast<int>(weft::choose(10)); });
  sum += static_cast<int>(weft::choose(10));
  other.join();
  weft::check(sum != 7, "it is not seven");
}

struct Broken {
  const char* name;
  void (*body)();
  const char* kind;
};
constexpr Broken kBroken[] = {{"lost update", lose_an_update, "invariant"},
                              {"race", race_and_lose_an_update, "data race"},
                              {"lost by a race", race_and_lose_an_update, "invariant"},
                              {"locks", lock_in_both_orders, "deadlock"},
                              {"freed", use_what_was_freed, "use after free"},
                              {"choice", choose_the_seventh, "invariant"}};

const FindingReport* of_kind(const std::vector<FindingReport>& findings, const std::string& kind) {
  for (const FindingReport& finding : findings) {
    if (finding.kind == kind) return &finding;
  }
  return nullptr;
}

std::size_t steps_of(const FindingReport& finding) {
  std::size_t steps = 0;
  for (const weft::TraceStep& step : finding.steps) steps += step.number != 0 ? 1 : 0;
  return steps;
}

/// All that a result says, times apart.
std::string text_of(Result result) {
  result.seconds = 0;
  std::ostringstream text;
  text << result;
  return text.str();
}

constexpr std::uint64_t kRuns = 2000;

/// Each of the broken bodies, sampled by each strategy. The debug information is read for each finding, so this is done
/// once.
const Result& sampled(const Broken& broken, Strategy strategy) {
  static std::map<std::pair<const Broken*, Strategy>, Result> results;
  const auto [at, is_new] = results.try_emplace({&broken, strategy});
  if (is_new) at->second = weft::sample(broken.body, {.strategy = strategy, .runs = kRuns});
  return at->second;
}

TEST(Sample, FindsWhatIsBrokenWithEachStrategyAndItIsReplayed) {
  for (const Broken& broken : kBroken) {
    for (const Strategy strategy : kStrategies) {
      const Result& result = sampled(broken, strategy);
      EXPECT_EQ(result.verdict, Verdict::bug) << broken.name << ", " << to_string(strategy);
      const FindingReport* const finding = of_kind(result.findings, broken.kind);
      ASSERT_NE(finding, nullptr) << broken.name << ", " << to_string(strategy) << '\n' << result;
      if (strategy != Strategy::random) continue;
      const weft::Replay again = weft::replay(broken.body, finding->schedule);
      EXPECT_EQ(again.problem, "") << finding->trace;
      const FindingReport* const same = of_kind(again.findings, finding->kind);
      ASSERT_NE(same, nullptr) << finding->trace;
      EXPECT_EQ(same->message, finding->message);
      EXPECT_EQ(same->switches, finding->switches);
    }
  }
}

TEST(Sample, MakesFindingsNoLargerThanTheyWereAndSaysSo) {
  std::size_t smaller = 0;
  for (const Broken& broken : kBroken) {
    const Result before = weft::sample(broken.body, {.runs = kRuns, .minimise = false});
    const FindingReport* const larger = of_kind(before.findings, broken.kind);
    const FindingReport* const finding = of_kind(sampled(broken, Strategy::random).findings, broken.kind);
    ASSERT_NE(larger, nullptr) << before;
    ASSERT_NE(finding, nullptr) << broken.name;
    EXPECT_FALSE(larger->minimised);
    ASSERT_TRUE(finding->minimised) << finding->trace;
    EXPECT_TRUE(finding->minimised->complete);
    EXPECT_LE(steps_of(*finding), finding->minimised->steps_before);
    EXPECT_LE(finding->switches, finding->minimised->switches_before);
    EXPECT_EQ(finding->minimised->steps_before, steps_of(*larger));
    EXPECT_EQ(finding->minimised->switches_before, larger->switches);
    EXPECT_EQ(finding->message, larger->message);
    EXPECT_EQ(finding->execution, larger->execution);
    smaller += steps_of(*finding) < steps_of(*larger) || finding->switches < larger->switches ? 1 : 0;
  }
  EXPECT_GE(smaller, 2u);  // some are small as they are drawn
}

TEST(Sample, SaysHowMuchSmallerAFindingBecame) {
  const Result result = weft::sample(lose_an_update, {.runs = kRuns}, {.model = weft::Model::sc});
  ASSERT_EQ(result.findings.size(), 1u) << result;
  const FindingReport& finding = result.findings[0];
  // main, one, the other between its read and its write, the first again, main.
  EXPECT_EQ(finding.switches, 4u) << result;
  ASSERT_TRUE(finding.minimised);
  ASSERT_GT(finding.minimised->switches_before, 4u) << "the seed draws one that is small already" << result;
  EXPECT_NE(finding.trace.find("MIN   27 steps, 4 switches from one thread to another (no order of this execution has fewer), made"),
            std::string::npos)
      << finding.trace;
}

TEST(Sample, ProvesNothing) {
  for (const Strategy strategy : kStrategies) {
    const Result result = weft::sample(count_safely, {.strategy = strategy, .runs = 100});
    EXPECT_EQ(result.verdict, Verdict::sampled);
    EXPECT_FALSE(result.proved());
    EXPECT_EQ(result.executions + result.blocked + result.deadlocks, 100u);
    EXPECT_EQ(result.reason, std::string("100 schedules were tried (") + to_string(strategy) + "), none failed");
  }
}

TEST(Sample, SaysWhatItNeverMet) {
  const Result alone = weft::sample([] { weft::sometimes(true, "always"); }, {.runs = 1});
  EXPECT_EQ(
      alone.reason,
      "1 schedule was tried (random), none failed; the body never ran two threads, or two tasks of an event loop");
  const Result never = weft::sample(
      [] {
        count_safely();
        weft::sometimes(false, "three");
      },
      {.runs = 10});
  EXPECT_EQ(never.reason, "10 schedules were tried (random), none failed; `three` never held");
  const Result nothing = weft::sample([] { weft::assume(false); }, {.runs = 10});
  EXPECT_EQ(nothing.reason, "10 schedules were tried (random), none failed; none came to its end");
  // What holds in one run of many has held.
  const Result once = weft::sample(
      [] {
        count_safely();
        weft::sometimes(weft::choose(20) == 3, "three");
      },
      {.runs = 1000});
  EXPECT_EQ(once.reason, "1000 schedules were tried (random), none failed");
}

TEST(Sample, EndsAtItsLimits) {
  const std::atomic<bool> now = true;
  weft::Options options;
  options.interrupted = &now;
  const Result interrupted = weft::sample(count_safely, {.runs = 100}, options);
  EXPECT_EQ(interrupted.verdict, Verdict::truncated);
  EXPECT_EQ(interrupted.reason, "interrupted, 0 of 100 schedules were tried");
  options = {};
  options.max_seconds = 0.2;
  const Result late = weft::sample(count_safely, {.runs = 1'000'000'000}, options);
  EXPECT_EQ(late.verdict, Verdict::truncated);
  EXPECT_NE(late.reason.find("--max-time"), std::string::npos) << late.reason;
}

TEST(Sample, RefusesWhatHasNoMeaning) {
  EXPECT_THROW(weft::sample(count_safely, {.runs = 0}), std::invalid_argument);
  EXPECT_THROW(weft::sample(count_safely, {.strategy = Strategy::pct, .depth = 0}), std::invalid_argument);
}

TEST(Sample, IsTheSameAgainFromTheSameSeed) {
  for (const Strategy strategy : kStrategies) {
    const Broken& broken = kBroken[static_cast<std::size_t>(strategy) + 2];
    EXPECT_EQ(text_of(weft::sample(broken.body, {.strategy = strategy, .runs = kRuns})),
              text_of(sampled(broken, strategy)))
        << broken.name << ", " << to_string(strategy);
  }
  weft::Options all;
  all.keep_going = true;
  EXPECT_EQ(text_of(weft::sample(race_and_lose_an_update, {.runs = 100}, all)),
            text_of(weft::sample(race_and_lose_an_update, {.runs = 100}, all)));
}

TEST(Sample, IsAnotherFromAnotherSeed) {
  std::set<std::uint64_t> found_in;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Result result = weft::sample(choose_the_seventh, {.runs = kRuns, .seed = seed, .minimise = false});
    ASSERT_EQ(result.findings.size(), 1u) << result;
    found_in.insert(result.findings[0].execution);
  }
  EXPECT_GE(found_in.size(), 3u);
}

TEST(Sample, FindsWhatWeakMemoryAloneAllows) {
  // Store buffering: no interleaving shows it.
  const auto body = [] {
    std::atomic<int> x = 0;
    std::atomic<int> y = 0;
    int seen = 0;
    std::thread other([&] {
      x.store(1, std::memory_order_relaxed);
      seen = y.load(std::memory_order_relaxed);
    });
    y.store(1, std::memory_order_relaxed);
    const int mine = x.load(std::memory_order_relaxed);
    other.join();
    weft::check(mine + seen != 0, "one sees the other");
  };
  for (const Strategy strategy : kStrategies) {
    const SampleOptions how{.strategy = strategy, .runs = 500};
    EXPECT_EQ(weft::sample(body, how).verdict, Verdict::bug) << to_string(strategy);
    EXPECT_EQ(weft::sample(body, how, {.model = weft::Model::sc}).verdict, Verdict::sampled) << to_string(strategy);
  }
}

}  // namespace
