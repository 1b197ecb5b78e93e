// Parts of an exploration: together they are the whole, and no execution is in two of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>
#include <stdexcept>

#include "explore/benchmark_programs.hpp"
#include "explore/explored_graphs.hpp"
#include "explore/oracle_table.hpp"
#include "explore/random_program.hpp"

namespace weft::test {
namespace {

constexpr std::uint64_t kBaseSeed = 20'261'202;

class ShardedPrograms : public ::testing::TestWithParam<Model> {};

TEST_P(ShardedPrograms, HaveEachExecutionInOnePart) {
  constexpr std::size_t kLarge = 6;
  std::size_t divided = 0;  // programs that are large enough; of the others nearly all runs are made for all parts
  for (std::uint64_t seed = kBaseSeed; divided < kLarge; ++seed) {
    std::mt19937_64 random(seed);
    const Program program = random_program(random, {.threads = 5, .operations = 13, .per_thread = 4});
    const ProgramBody body(program);
    ExplorationMemory memory;
    const ExploredGraphs whole = explore_exhaustively(body, GetParam(), memory);
    if (whole.executions.size() > 5'000) continue;
    std::ostringstream text;
    text << "seed " << seed << ", program:\n" << program;
    SCOPED_TRACE(text.str());
    for (const std::uint32_t shards : {2u, 3u, 8u}) {
      std::vector<CanonicalKey> executions;
      std::vector<CanonicalKey> deadlocks;
      std::uint64_t blocked = 0;
      for (std::uint32_t shard = 1; shard <= shards; ++shard) {
        ExplorationMemory own_memory;  // of another process
        const ExploredGraphs part = explore_exhaustively(body, GetParam(), own_memory, {shard, shards});
        ASSERT_EQ(part.fault, "");
        executions.insert(executions.end(), part.executions.begin(), part.executions.end());
        deadlocks.insert(deadlocks.end(), part.deadlocks.begin(), part.deadlocks.end());
        blocked += part.counts.blocked;
      }
      std::ranges::sort(executions);
      std::ranges::sort(deadlocks);
      ASSERT_TRUE(executions == whole.executions) << executions.size() << " of " << whole.executions.size();
      deadlocks.erase(std::unique(deadlocks.begin(), deadlocks.end()), deadlocks.end());
      ASSERT_TRUE(deadlocks == whole.deadlocks);
      ASSERT_EQ(blocked, whole.counts.blocked);
    }
    divided += whole.executions.size() > 200 ? 1 : 0;
  }
}

INSTANTIATE_TEST_SUITE_P(Shards, ShardedPrograms, ::testing::Values(Model::sc, Model::rc11),
                         [](const auto& test) { return std::string(to_string(test.param)); });

std::vector<Result> parts_of(const OracleRow& row, std::uint32_t shards) {
  const auto body = benchmark_in_standard_cpp(row.text("name"), static_cast<int>(row.number("N")));
  std::vector<Result> parts;
  for (std::uint32_t shard = 1; shard <= shards; ++shard)
    parts.push_back(explore(body, {.model = row.model(), .count_duplicates = true, .shard = shard, .shards = shards}));
  return parts;
}

TEST(Shards, AddUpToTheCountsOfTheTable) {
  for (const OracleRow& row : oracle_table("benchmarks.tsv")) {
    if (row.number("executions") > 41'000) continue;
    const std::vector<Result> parts = parts_of(row, 4);
    std::uint64_t most = 0;
    for (const Result& part : parts) {
      EXPECT_EQ(part.verdict, Verdict::bounded) << part;
      most = std::max(most, part.executions);
    }
    const Result whole = merge(parts);
    EXPECT_EQ(whole.verdict, Verdict::proved) << test_name(row) << whole;
    EXPECT_EQ(whole.executions, row.number("executions")) << test_name(row);
    EXPECT_EQ(whole.duplicates, 0u) << test_name(row);
    EXPECT_LE(whole.blocked, row.number("blocked")) << test_name(row);
    EXPECT_LE(most * 2, row.number("executions")) << test_name(row) << ": one of four parts has more than half";
  }
}

Result a_part(std::uint32_t shard, std::uint32_t shards) {
  Result result;
  result.verdict = Verdict::bounded;
  result.executions = 10;
  result.part = SearchPartReport{.shard = shard, .shards = shards, .is_concurrent = true};
  return result;
}

std::string refusal(const std::vector<Result>& parts) {
  try {
    return std::string("none: ") + to_string(merge(parts).verdict);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(Merge, RefusesWhatIsNoWhole) {
  EXPECT_EQ(refusal({}), "there are no parts to merge");
  EXPECT_EQ(refusal({a_part(1, 2)}), "shard 2 of 2 is missing");
  EXPECT_EQ(refusal({a_part(1, 2), a_part(1, 2)}), "shard 1 of 2 is there twice");
  EXPECT_EQ(refusal({a_part(1, 2), a_part(2, 3)}),
            "shard 1 of 2 (rc11) and shard 2 of 3 (rc11) are of different explorations");
  EXPECT_EQ(refusal({a_part(1, 2), a_part(3, 2)}), "there is no shard 3 of 2");
  EXPECT_EQ(refusal({Result{}}), "a result is of a whole exploration, not of a part of one");
  EXPECT_EQ(refusal({a_part(1, 2), a_part(2, 2)}), "none: proved");
}

TEST(Merge, RefusesPartsOfDifferentWholes) {
  std::vector<Result> parts = {a_part(1, 2), a_part(2, 2)};
  parts[1].part->learned = "s1234";
  EXPECT_EQ(refusal(parts),
            "shards 2 and 1 have learned different things, so that they are no parts of one whole: explore all of them "
            "again, with --learned s1234");
  parts[0].verdict = Verdict::truncated;
  EXPECT_EQ(refusal(parts), "none: truncated");
  parts[0] = a_part(1, 2);
  parts[0].part->learned = "s1234";
  EXPECT_EQ(refusal(parts), "none: proved");
  parts[0].part->threads = "0>1";
  EXPECT_NE(refusal(parts).find("in different orders"), std::string::npos);
}

TEST(Merge, HasTheVerdictOfAllParts) {
  std::vector<Result> parts = {a_part(1, 2), a_part(2, 2)};
  parts[0].part->conditions = {{"it was full", false}, {"it was empty", true}};
  parts[1].part->conditions = {{"it was full", false}};
  EXPECT_EQ(merge(parts).verdict, Verdict::vacuous);
  EXPECT_EQ(merge(parts).reason, "`it was full` never held");
  parts[1].part->conditions[0].held = true;
  EXPECT_EQ(merge(parts).verdict, Verdict::proved);
  parts[1].part->bound = "some were left out";
  EXPECT_EQ(merge(parts).verdict, Verdict::bounded);
  EXPECT_EQ(merge(parts).reason, "some were left out");
  parts[0].verdict = Verdict::bug;
  parts[0].findings = {{.kind = "deadlock", .message = "a"}, {.kind = "invariant", .message = "b"}};
  parts[1].findings = {{.kind = "invariant", .message = "b"}};
  EXPECT_EQ(merge(parts).verdict, Verdict::bug);
  EXPECT_EQ(merge(parts).findings.size(), 2u);
  parts[0].part->is_concurrent = parts[1].part->is_concurrent = false;
  parts[0].verdict = Verdict::bounded;
  EXPECT_EQ(merge(parts).verdict, Verdict::vacuous);
}

}  // namespace
}  // namespace weft::test
