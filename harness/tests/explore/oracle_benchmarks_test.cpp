// Every row of oracle/benchmarks.tsv: executions equal, none twice, blocked not higher than the peer's.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "explore/benchmark_programs.hpp"
#include "explore/exhaustive.hpp"
#include "explore/oracle_table.hpp"
#include "graph/canonical_key.hpp"
#include "runtime/exploration.hpp"

namespace weft::test {
namespace {

class DigestObserver final : public ExplorationObserver {
 public:
  void started() override { digests_.clear(); }
  bool run_ended(const Execution& execution, Ending ending, const ExplorationCounts&) override {
    if (ending == Ending::complete) digests_.push_back(digest(execution.graph()));
    return true;
  }
  std::size_t duplicates() {
    std::ranges::sort(digests_);
    return static_cast<std::size_t>(digests_.end() - std::unique(digests_.begin(), digests_.end()));
  }

 private:
  std::vector<GraphDigest> digests_;
};

class Benchmark : public ::testing::TestWithParam<OracleRow> {
 protected:
  const OracleRow& row() const { return GetParam(); }
  int n() const { return static_cast<int>(row().number("N")); }
};

TEST_P(Benchmark, HasTheExecutionsOfTheTableAsOperations) {
  const std::function<void()> body = benchmark_by_operations(row().text("name"), n());
  ASSERT_TRUE(body) << "no program is called " << row().text("name");
  ExplorationMemory memory;
  Execution execution(memory);
  DigestObserver observer;
  const ExplorationCounts counts = run_exploration(
      body, [&](std::size_t width) { return std::make_unique<ExhaustiveExplorer>(row().model(), width); }, execution,
      observer);
  EXPECT_EQ(counts.executions, row().number("executions"));
  EXPECT_EQ(observer.duplicates(), 0u);
  EXPECT_LE(counts.blocked, row().number("blocked"));
  EXPECT_EQ(counts.failed, 0u);
}

TEST_P(Benchmark, HasTheExecutionsOfTheTableAsStandardCpp) {
  const std::function<void()> body = benchmark_in_standard_cpp(row().text("name"), n());
  ASSERT_TRUE(body) << "no program is called " << row().text("name");
  Options options;
  options.model = row().model();
  options.count_duplicates = true;
  const Result result = explore(body, options);
  EXPECT_EQ(result.verdict, Verdict::proved) << result;
  EXPECT_EQ(result.executions, row().number("executions"));
  EXPECT_EQ(result.duplicates, 0u);
  EXPECT_LE(result.blocked, row().number("blocked"));
}

TEST_P(Benchmark, HasTheExecutionsOfTheTableAsPosixC) {
  const std::function<void()> body = benchmark_in_posix_c(row().text("name"), n());
  ASSERT_TRUE(body) << "no program is called " << row().text("name");
  Options options;
  options.model = row().model();
  const Result result = explore(body, options);
  EXPECT_EQ(result.verdict, Verdict::proved) << result;
  EXPECT_EQ(result.executions, row().number("executions"));
  EXPECT_LE(result.blocked, row().number("blocked"));
}

INSTANTIATE_TEST_SUITE_P(Oracle, Benchmark, ::testing::ValuesIn(oracle_table("benchmarks.tsv")),
                         [](const auto& row) { return test_name(row.param); });

}  // namespace
}  // namespace weft::test
