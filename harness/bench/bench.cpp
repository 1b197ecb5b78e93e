// weft_bench: executions per second of the oracle's benchmark programs, and what single steps cost.
//
// Programs report `items_per_second` (executions a second) and steps report `ns`, both of CPU time.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <ctime>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench_programs.hpp"
#include "rows.hpp"
#include "runtime/fiber.hpp"
#include "runtime/thread_context.hpp"
#include "weft/weft.hpp"

namespace weft::bench {
namespace {

constexpr std::uint64_t kMostExecutions = 20'000;

void explore_program(benchmark::State& state, const test::OracleRow& row, Form form) {
  std::uint64_t executions = 0;
  for (auto _ : state) executions += explore_row(row, form, kMostExecutions).executions;
  state.SetItemsProcessed(static_cast<std::int64_t>(executions));
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double seconds_to_explore(const std::function<void()>& body) {
  const double start = cpu_seconds();
  const Result result = explore(body, {.name = "bench"});
  const double seconds = cpu_seconds() - start;
  if (!result.findings.empty()) throw std::runtime_error(result.findings.front().message);
  return seconds;
}

// What is more work, less what is less: what both have in common falls away.
void report_difference(benchmark::State& state, const std::function<void()>& less, const std::function<void()>& more,
                       double steps) {
  double difference = 0;
  for (auto _ : state) difference += seconds_to_explore(more) - seconds_to_explore(less);
  state.counters["ns"] = difference / (steps * static_cast<double>(state.iterations())) * 1e9;
}

void plain_read_again(benchmark::State& state) {
  constexpr std::size_t kReads = 10'000'000;
  report_difference(
      state, [] { read_again(1); }, [] { read_again(kReads); }, kReads);
}

// An exploration of one execution leaves nothing to compare with but an empty one.
void plain_read_first(benchmark::State& state) {
  constexpr std::uint32_t kRuns = 100;
  report_difference(
      state, [] { choose(kRuns); },
      [] {
        choose(kRuns);
        read_first();
      },
      double{kRuns} * kCells);
}

void plain_write_first(benchmark::State& state) {
  constexpr std::uint32_t kRuns = 100;
  report_difference(
      state, [] { choose(kRuns); },
      [] {
        choose(kRuns);
        write_first();
      },
      double{kRuns} * kCells);
}

constexpr std::size_t kRuns = 10'000;

void visible_operation_again(benchmark::State& state) {
  report_difference(
      state, [] { choice(kRuns); }, [] { loads_then_choice(kRuns); }, double{kLoads} * kRuns);
}

void new_visible_operation(benchmark::State& state) {
  report_difference(
      state, [] { choice(kRuns); }, [] { choice_then_loads(kRuns); }, double{kLoads} * kRuns);
}

// Two fibers that do nothing but hand over to each other, as Execution does it: with what is a thread's own.
class PingPong {
 public:
  explicit PingPong(bool with_context) : with_context_(with_context), stack_(1 << 16) {
    current_ = this;
    context_.reset();
    main_context_.reset();
    fiber_.prepare(stack_.data() + stack_.size(), stack_.size(), [] {
      for (;;) current_->switch_context(current_->context_, current_->fiber_, current_->main_context_, current_->main_);
    });
  }
  void there_and_back() { switch_context(main_context_, main_, context_, fiber_); }

 private:
  void switch_context(ThreadContext& from_context, Fiber& from, ThreadContext& to_context, Fiber& to) {
    if (with_context_) {
      from_context.save();
      to_context.load();
    }
    Fiber::switch_context(from, to);
  }

  static inline PingPong* current_ = nullptr;
  bool with_context_;
  std::vector<char> stack_;
  Fiber main_;
  Fiber fiber_;
  ThreadContext main_context_;
  ThreadContext context_;
};

void fiber_switch(benchmark::State& state, bool with_context) {
  PingPong fibers(with_context);
  const double start = cpu_seconds();
  for (auto _ : state) fibers.there_and_back();
  state.counters["ns"] = (cpu_seconds() - start) / (2 * static_cast<double>(state.iterations())) * 1e9;
}

void register_programs() {
  for (const test::OracleRow& row : test::oracle_table("benchmarks.tsv")) {
    for (const Form form : {Form::standard_cpp, Form::operations}) {
      const std::string name = (form == Form::standard_cpp ? "standard_cpp/" : "operations/") + row.text("name") + "/" +
                               row.text("N") + "/" + row.text("model");
      benchmark::RegisterBenchmark(name.c_str(), [row, form](benchmark::State& state) {
        explore_program(state, row, form);
      })->Unit(benchmark::kMillisecond);
    }
  }
}

void register_steps() {
  benchmark::RegisterBenchmark("step/plain_read_again", plain_read_again)->Iterations(5);
  benchmark::RegisterBenchmark("step/plain_read_first", plain_read_first)->Iterations(5);
  benchmark::RegisterBenchmark("step/plain_write_first", plain_write_first)->Iterations(5);
  benchmark::RegisterBenchmark("step/visible_operation_again", visible_operation_again)->Iterations(5);
  benchmark::RegisterBenchmark("step/new_visible_operation", new_visible_operation)->Iterations(5);
  benchmark::RegisterBenchmark("step/fiber_switch_alone", [](benchmark::State& s) { fiber_switch(s, false); });
  benchmark::RegisterBenchmark("step/fiber_switch_with_thread_context",
                               [](benchmark::State& s) { fiber_switch(s, true); });
}

}  // namespace
}  // namespace weft::bench

int main(int count, char** arguments) {
  weft::bench::register_steps();
  weft::bench::register_programs();
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 64;
  benchmark::RunSpecifiedBenchmarks();
}
