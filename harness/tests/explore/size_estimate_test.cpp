// How many executions there are, told before all have been explored.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "explore/benchmark_programs.hpp"
#include "explore/directed.hpp"
#include "explore/every_decision.hpp"
#include "explore/explored_graphs.hpp"
#include "explore/oracle_table.hpp"
#include "explore/random_descent.hpp"
#include "explore/random_program.hpp"
#include "explore/size_estimate.hpp"
#include "explore/weighted_walk.hpp"
#include "graph/canonical_key.hpp"

namespace weft::test {
namespace {

constexpr std::uint64_t kBaseSeed = 20'261'201;
constexpr ProgramLimits kSmall{.threads = 4, .operations = 7, .per_thread = 4};
constexpr std::size_t kWidth = 8;
constexpr std::uint64_t kMostGraphs = 3'000;


/// For each run of the program under all decisions that there are: how it ended, and its explorer.
void under_every_decision(const ProgramBody& body, Model model,
                          const std::function<void(Ending, const DirectedExplorer&)>& look) {
  ExplorationMemory memory;
  Execution execution(memory);
  EveryDecision decisions;
  DirectedExplorer explorer(model, kWidth, DirectedExplorer::Spinning::stays);
  explorer.follow(decisions);
  do {
    explorer.next_execution();
    const Ending ending = execution.run(explorer, body);
    ASSERT_FALSE(execution.has_restart_request());
    look(ending, explorer);
  } while (decisions.advance());
}

class EstimatedPrograms : public ::testing::TestWithParam<Model> {
 protected:
  /// Calls `test` with small programs and their executions.
  static void for_programs(std::size_t wanted,
                           const std::function<void(const ProgramBody&, const ExploredGraphs&)>& test) {
    std::size_t tested = 0;
    for (std::uint64_t seed = kBaseSeed; tested < wanted; ++seed) {
      std::mt19937_64 random(seed);
      const Program program = random_program(random, kSmall);
      const ProgramBody body(program);
      ExplorationMemory memory;
      const ExploredGraphs all = explore_by_brute_force(body, GetParam(), memory, kMostGraphs);
      if (all.cut) continue;
      ++tested;
      std::ostringstream text;
      text << "seed " << seed << ", program:\n" << program;
      SCOPED_TRACE(text.str());
      test(body, all);
      if (::testing::Test::HasFailure()) return;
    }
  }
};

/// That is what makes a walk's weight unbiased.
void expect_ways_back_that_add_up_to_one(const ProgramBody& body, Model model, std::size_t executions) {
  std::map<CanonicalKey, double> ways_back;
  under_every_decision(body, model, [&](Ending ending, const DirectedExplorer& explorer) {
    if (is_execution(ending) && !explorer.overruled())
      ways_back[canonical_key(explorer.graph())] += std::exp(way_back_log_probability(explorer.graph(), model));
  });
  ASSERT_EQ(ways_back.size(), executions);
  for (const auto& [key, sum] : ways_back) ASSERT_NEAR(sum, 1, 1e-9);
}

TEST_P(EstimatedPrograms, HaveWaysBackThatAddUpToOneForEachExecution) {
  for_programs(300, [](const ProgramBody& body, const ExploredGraphs& all) {
    expect_ways_back_that_add_up_to_one(body, GetParam(), all.executions.size());
  });
}

/// Where the order of seq_cst operations forbids ways, which programs drawn at random seldom show.
TEST(EstimatedLitmus, HasWaysBackThatAddUpToOneForEachExecution) {
  for (const char* const text : {R"(
thread
  create 1
  create 2
thread
  write x 1 seq_cst
  read y seq_cst
thread
  write y 1 seq_cst
  read x seq_cst
)",
                                 R"(
thread
  create 1
  create 2
thread
  write x 1 seq_cst
  write y 2 seq_cst
thread
  write y 1 seq_cst
  write x 2 seq_cst
)"}) {
    const Program program = parse_program(text);
    expect_ways_back_that_add_up_to_one(ProgramBody(program), Model::rc11, 3);
  }
}

/// Means of estimates of a number, by both methods. `error` is how far off they may be.
void expect_mean(const EstimateSample& sample, std::size_t number, const char* method) {
  const double mean = sample.mean();
  const double error = number == 0 ? 0 : 6 * sample.standard_error() * mean + 1e-9 * mean;
  EXPECT_NEAR(mean, static_cast<double>(number), error) << "by " << method;
}

TEST_P(EstimatedPrograms, AreEstimatedWithoutBias) {
  constexpr int kSamples = 1'500;
  for_programs(100, [](const ProgramBody& body, const ExploredGraphs& all) {
    ExplorationMemory memory;
    Execution execution(memory);
    RandomDescent descent(GetParam(), kWidth, 1);
    EstimateSample descents;
    for (int i = 0; i < kSamples; ++i) {
      Ending ending = Ending::inconsistent;
      descent.begin();
      while (descent.next_execution()) ending = execution.run(descent, body);
      descents.add(is_execution(ending) ? descent.weight() : 0);
    }
    expect_mean(descents, all.executions.size(), "descents");

    DirectedExplorer explorer(GetParam(), kWidth, DirectedExplorer::Spinning::stays);
    WeightedWalk walk(1);
    explorer.follow(walk);
    EstimateSample walks;
    for (int i = 0; i < kSamples; ++i) {
      walk.next_walk();
      explorer.next_execution();
      const Ending ending = execution.run(explorer, body);
      const bool counts = is_execution(ending) && !explorer.overruled();
      walks.add(counts ? walk.weight(explorer.graph(), GetParam()) : 0);
      walk.learn_lengths(explorer.graph());
    }
    expect_mean(walks, all.executions.size(), "walks");
  });
}

INSTANTIATE_TEST_SUITE_P(SizeEstimate, EstimatedPrograms, ::testing::Values(Model::sc, Model::rc11),
                         [](const auto& test) { return std::string(to_string(test.param)); });

Result cut_after(std::uint64_t executions, const OracleRow& row) {
  return explore(benchmark_by_operations(row.text("name"), static_cast<int>(row.number("N"))),
                 {.model = row.model(), .max_executions = executions, .estimate_total = true});
}

/// All rows of the table, and not a choice of them: 36 programs, under both models.
TEST(SizeEstimate, HoldsTheTrueNumberInNineOfTenReferenceModelsAfter300Executions) {
  const std::vector<OracleRow> rows = oracle_table("benchmarks.tsv");
  std::size_t held = 0;
  std::string missed;
  for (const OracleRow& row : rows) {
    const Result result = cut_after(300, row);
    ASSERT_EQ(result.verdict, Verdict::truncated);
    ASSERT_TRUE(result.total) << test_name(row);
    const auto truth = static_cast<double>(row.number("executions"));
    EXPECT_LE(result.total->low, result.total->likely);
    EXPECT_LE(result.total->likely, result.total->high);
    if (result.total->low <= truth && truth <= result.total->high) {
      ++held;
    } else {
      missed += "\n" + test_name(row) + ": " + std::to_string(result.total->low) + " to " +
                std::to_string(result.total->high) + ", truly " + row.text("executions");
    }
  }
  EXPECT_GE(held * 10, rows.size() * 9) << missed;
  std::cout << held << " of " << rows.size() << " intervals hold the true number; not:" << missed << "\n";
}

TEST(SizeEstimate, SaysAtLeastHowMuchIsDoneAndNeverFalls) {
  for (const OracleRow& row : oracle_table("benchmarks.tsv")) {
    double before = 0;
    for (const std::uint64_t cut : {100u, 300u, 1'000u, 6'000u}) {
      const Result result = cut_after(cut, row);
      const double truth = static_cast<double>(result.executions) / static_cast<double>(row.number("executions"));
      EXPECT_LE(result.at_least_done, truth) << test_name(row) << " after " << cut;
      EXPECT_GE(result.at_least_done, before) << test_name(row) << " after " << cut;
      before = result.at_least_done;
    }
  }
}

TEST(SizeEstimate, IsTheSameEachTime) {
  const OracleRow row = oracle_table("benchmarks.tsv").front();
  const Result first = cut_after(500, row);
  const Result second = cut_after(500, row);
  ASSERT_TRUE(first.total && second.total);
  EXPECT_EQ(first.total->likely, second.total->likely);
  EXPECT_EQ(first.at_least_done, second.at_least_done);
}

TEST(SizeEstimate, ChangesNothingInWhatIsExplored) {
  for (const OracleRow& row : oracle_table("benchmarks.tsv")) {
    if (row.number("executions") > 35'000) continue;
    const auto body = benchmark_in_standard_cpp(row.text("name"), static_cast<int>(row.number("N")));
    const Result result = explore(body, {.model = row.model(), .count_duplicates = true, .estimate_total = true});
    EXPECT_EQ(result.verdict, Verdict::proved) << test_name(row) << result;
    EXPECT_EQ(result.executions, row.number("executions")) << test_name(row);
    EXPECT_EQ(result.duplicates, 0u) << test_name(row);
    EXPECT_LE(result.blocked, row.number("blocked")) << test_name(row);
  }
}

}  // namespace
}  // namespace weft::test
