#include "rows.hpp"

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "explore/benchmark_programs.hpp"
#include "explore/exhaustive.hpp"
#include "runtime/exploration.hpp"

namespace weft::bench {
namespace {

class StopAfter final : public ExplorationObserver {
 public:
  explicit StopAfter(std::uint64_t most) : most_(most) {}
  bool run_ended(const Execution&, Ending, const ExplorationCounts& counts) override {
    return counts.executions + counts.failed < most_;
  }

 private:
  std::uint64_t most_;
};

std::uint64_t explore_operations(const std::function<void()>& body, Model model, std::uint64_t most) {
  ExplorationMemory memory;
  Execution execution(memory);
  StopAfter observer(most);
  const auto make = [model](std::size_t width) { return std::make_unique<ExhaustiveExplorer>(model, width); };
  const ExplorationCounts counts = run_exploration(body, make, execution, observer);
  if (counts.failed != 0) throw std::runtime_error("an execution failed");
  return counts.executions;
}

std::uint64_t explore_program(const std::function<void()>& body, Model model, std::uint64_t most) {
  const Result result = explore(body, {.name = "benchmark", .model = model, .max_executions = most});
  if (result.verdict != Verdict::proved && result.verdict != Verdict::truncated) {
    throw std::runtime_error(std::string("the verdict is ") + to_string(result.verdict) + " " + result.reason +
                             (result.findings.empty() ? "" : ": " + result.findings.front().message));
  }
  return result.executions;
}

}  // namespace

RowRun explore_row(const test::OracleRow& row, Form form, std::uint64_t most) {
  const std::string& name = row.text("name");
  const int n = static_cast<int>(row.number("N"));
  const std::function<void()> body = form == Form::operations ? test::benchmark_by_operations(name, n)
                                     : form == Form::posix_c  ? test::benchmark_in_posix_c(name, n)
                                                              : test::benchmark_in_standard_cpp(name, n);
  if (!body) throw std::runtime_error("benchmarks.tsv: no program is called " + name);
  RowRun run;
  run.executions = form == Form::operations ? explore_operations(body, row.model(), most)
                                            : explore_program(body, row.model(), most);
  run.cut = run.executions >= most && run.executions != row.number("executions");
  if (!run.cut && run.executions != row.number("executions")) {
    throw std::runtime_error(name + ": " + std::to_string(run.executions) + " executions, the table says " +
                             row.text("executions"));
  }
  return run;
}

}  // namespace weft::bench
