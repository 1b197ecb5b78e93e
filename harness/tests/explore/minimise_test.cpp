// Schedules that are made smaller: on random programs they still show what they showed, are no larger in any respect,
// and stay as they are when they are made smaller again.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>

#include "explore/directed.hpp"
#include "explore/minimise.hpp"
#include "explore/random_program.hpp"
#include "runtime/exploration.hpp"

namespace weft::test {
namespace {

constexpr std::uint64_t kBaseSeed = 20'261'202;
constexpr std::uint64_t kMuch = 50'000'000;

/// What stands for a finding: a read of some thread sees a certain value, and so many threads wait for ever at the end.
struct Shown {
  ThreadId thread{};
  std::uint32_t index = 0;
  Value value = 0;
  Ending ending = Ending::complete;
};

std::size_t weak_ways(const std::vector<TakenDecision>& taken) {
  return static_cast<std::size_t>(std::ranges::count_if(taken, [](const TakenDecision& d) {
    return d.taken != 0 && (d.kind == DecisionKind::source || d.kind == DecisionKind::position);
  }));
}

class Runs {
 public:
  Runs(const Program& program, Model model) : body_(program), execution_(memory_), explorer_(model, 8) {}

  Ending run(Decisions& decisions) {
    explorer_.follow(decisions);
    for (;;) {
      explorer_.next_execution();
      const Ending ending = execution_.run(explorer_, body_);
      if (!execution_.take_restart_request()) return ending;
    }
  }
  const ExecutionGraph& graph() const { return explorer_.graph(); }

  /// The last read of the run that took another value than zero.
  std::optional<Shown> something(Ending ending) const {
    for (std::size_t i = graph().size(); i-- > 0;) {
      const Event& e = graph()[EventId{static_cast<std::uint32_t>(i)}];
      if (e.kind != EventKind::read || graph().value_of_write(e.source) == 0) continue;
      return Shown{e.thread, e.index, graph().value_of_write(e.source), ending};
    }
    return std::nullopt;
  }
  bool shows(const Shown& shown, Ending ending) const {
    const auto events = graph().thread(shown.thread);
    if (ending != shown.ending || events.size() <= shown.index) return false;
    const Event& e = graph()[events[shown.index]];
    return e.kind == EventKind::read && graph().value_of_write(e.source) == shown.value;
  }

  Attempt attempt(std::span<const TakenDecision> decisions, const Shown& shown) {
    const std::vector<std::uint8_t> bytes = bytes_of(decisions);
    ByteDecisions again(bytes);
    FailingRun run;
    again.record(&run.taken);
    const Ending ending = this->run(again);
    ++tried;
    if (!shows(shown, ending)) return {};
    measure(graph(), run);
    return {.shown = run};
  }

  std::uint64_t tried = 0;

 private:
  ProgramBody body_;
  ExplorationMemory memory_;
  Execution execution_;
  DirectedExplorer explorer_;
};

class MinimisedPrograms : public ::testing::TestWithParam<Model> {};

TEST_P(MinimisedPrograms, ShowTheSameAreNoLargerAndStayAsTheyAre) {
  constexpr std::size_t kPrograms = 300;
  constexpr ProgramLimits kLimits{.threads = 4, .operations = 20, .per_thread = 8};
  std::size_t smaller = 0;
  std::size_t done = 0;
  for (std::uint64_t seed = kBaseSeed; done < kPrograms; ++seed) {
    std::mt19937_64 random(seed);
    const Program program = random_program(random, kLimits);
    Runs runs(program, GetParam());
    RandomDecisions walk(seed);
    const std::optional<Shown> shown = [&] {
      const Ending ending = runs.run(walk);
      return runs.something(ending);
    }();
    if (!shown) continue;
    ++done;
    RecordedDecisions recorded(walk);
    runs.run(recorded);
    const Attempt start = runs.attempt(recorded.taken(), *shown);
    ASSERT_TRUE(start.shown) << "what was recorded is not the same run, seed " << seed << '\n' << program;
    ASSERT_EQ(start.shown->taken, recorded.taken());
    const TryDecisions attempt = [&](std::span<const TakenDecision> decisions) {
      return runs.attempt(decisions, *shown);
    };

    const MinimisedRun once = minimise(*start.shown, attempt, kMuch);
    ASSERT_TRUE(once.complete);
    EXPECT_LE(once.run.steps, start.shown->steps) << "seed " << seed << '\n' << program;
    EXPECT_LE(once.run.switches, start.shown->switches) << "seed " << seed << '\n' << program;
    EXPECT_LE(weak_ways(once.run.taken), weak_ways(start.shown->taken)) << "seed " << seed << '\n' << program;
    const Attempt again = runs.attempt(once.run.taken, *shown);
    ASSERT_TRUE(again.shown) << "the smaller one does not show it, seed " << seed << '\n' << program;
    EXPECT_EQ(again.shown->taken, once.run.taken);
    EXPECT_EQ(again.shown->steps, once.run.steps);
    EXPECT_EQ(again.shown->switches, once.run.switches);

    const MinimisedRun twice = minimise(*again.shown, attempt, kMuch);
    EXPECT_EQ(bytes_of(twice.run.taken), bytes_of(once.run.taken)) << "seed " << seed << '\n' << program;
    smaller += bytes_of(once.run.taken) != bytes_of(start.shown->taken) ? 1 : 0;
  }
  EXPECT_GE(smaller, kPrograms / 2);
}

INSTANTIATE_TEST_SUITE_P(OfEachModel, MinimisedPrograms, ::testing::Values(Model::sc, Model::rc11),
                         [](const auto& test) { return std::string(to_string(test.param)); });

/// Decisions between ten options each, of which the sum must be at least 3: no program is needed for that.
Attempt sum_of_three(std::span<const TakenDecision> decisions) {
  constexpr std::size_t kDecisions = 20;
  std::vector<TakenDecision> taken(decisions.begin(), decisions.end());
  taken.resize(kDecisions, {DecisionKind::choice, 10, 0});
  std::size_t sum = 0;
  for (const TakenDecision& decision : taken) sum += decision.taken;
  if (sum < 3) return {};
  return {.shown = FailingRun{.taken = taken, .steps = kDecisions, .switches = 0}};
}

TEST(Minimise, LeavesOneDecisionWhereOneIsEnough) {
  std::vector<TakenDecision> all(20, {DecisionKind::choice, 10, 9});
  const MinimisedRun smallest = minimise(*sum_of_three(all).shown, sum_of_three, kMuch);
  EXPECT_TRUE(smallest.complete);
  EXPECT_EQ(bytes_of(smallest.run.taken).size(), 1u);
}

/// Shown if two decisions, far from each other, are both usual, or both not; and two more steps are done in between.
Attempt two_or_none(std::span<const TakenDecision> decisions) {
  std::vector<TakenDecision> taken(decisions.begin(), decisions.end());
  taken.resize(20, {DecisionKind::thread, 3, 0});
  if (taken[3].taken != taken[17].taken || taken[10].taken != 2) return {};
  return {.shown = FailingRun{.taken = taken, .steps = 20u + 2 * taken[3].taken, .switches = 0}};
}

TEST(Minimise, MakesTwoDecisionsUsualWhereOneAloneIsOfNoUse) {
  std::vector<TakenDecision> all(20, {DecisionKind::thread, 3, 0});
  all[3].taken = all[17].taken = 1;
  all[10].taken = 2;
  const MinimisedRun smallest = minimise(*two_or_none(all).shown, two_or_none, kMuch);
  EXPECT_EQ(smallest.run.steps, 20u);
  EXPECT_EQ(smallest.run.taken[3].taken + smallest.run.taken[17].taken, 0u);
}

TEST(Minimise, GivesNothingForSomethingElse) {
  // More switches for fewer steps, or fewer switches for more steps.
  const TryDecisions attempt = [](std::span<const TakenDecision> decisions) -> Attempt {
    const TakenDecision first = decisions.empty() ? TakenDecision{DecisionKind::thread, 3, 0} : decisions.front();
    return {.shown = FailingRun{.taken = {first}, .steps = 30 - 10u * first.taken, .switches = 4u * first.taken}};
  };
  for (std::uint32_t taken : {0u, 1u, 2u}) {
    const FailingRun start = *attempt(std::vector<TakenDecision>{{DecisionKind::thread, 3, taken}}).shown;
    EXPECT_EQ(minimise(start, attempt, kMuch).run.taken, start.taken);
  }
}

TEST(Minimise, SaysIfItWasCutShort) {
  std::vector<TakenDecision> all(20, {DecisionKind::choice, 10, 9});
  const MinimisedRun cut = minimise(*sum_of_three(all).shown, sum_of_three, 3);
  EXPECT_FALSE(cut.complete);
  EXPECT_TRUE(sum_of_three(cut.run.taken).shown);
}

TEST(Minimise, TriesNothingTwice) {
  std::vector<std::vector<std::uint8_t>> tried;
  const TryDecisions attempt = [&](std::span<const TakenDecision> decisions) {
    tried.push_back(bytes_of(decisions));
    return sum_of_three(decisions);
  };
  std::vector<TakenDecision> all(20, {DecisionKind::choice, 10, 9});
  minimise(*sum_of_three(all).shown, attempt, kMuch);
  const std::size_t count = tried.size();
  std::ranges::sort(tried);
  EXPECT_EQ(static_cast<std::size_t>(std::unique(tried.begin(), tried.end()) - tried.begin()), count);
}

}  // namespace
}  // namespace weft::test
