// weft_bench_memory: the resident size must not grow with the number of executions.
//
// Each program below runs many executions and samples the resident size early and late. What may differ between the two
// is a fixed slack; a leak of one byte an execution would be ten times that.
#include <unistd.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include "memory_programs.hpp"
#include "runtime/execution.hpp"
#include "weft/weft.hpp"

namespace weft::bench {
namespace {

constexpr std::int64_t kSlackBytes = 1 << 20;

std::int64_t resident_bytes() {
  long all = 0;
  long resident = 0;
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  const bool ok = file != nullptr && std::fscanf(file, "%ld %ld", &all, &resident) == 2;
  if (file != nullptr) std::fclose(file);
  if (!ok) {
    std::fprintf(stderr, "weft_bench_memory: /proc/self/statm cannot be read\n");
    std::exit(2);
  }
  return resident * sysconf(_SC_PAGESIZE);
}

struct Case {
  const char* name;
  void (*body)();
  std::uint64_t early;
  std::uint64_t late;
  Options options;
};

/// True if the size stayed.
bool measure(const Case& c) {
  std::uint64_t runs = 0;
  std::int64_t early = 0;
  std::int64_t late = 0;
  Options options = c.options;
  options.max_executions = c.late + 1;
  const Result result = explore(
      [&] {
        {
          const Execution::Outside outside;
          ++runs;
          if (runs == c.early) early = resident_bytes();
          if (runs == c.late) late = resident_bytes();
        }
        c.body();
      },
      options);
  const bool explored = late != 0 && result.findings.empty();
  const bool flat = late - early <= kSlackBytes;
  std::printf("%-28s %9llu executions %8lld KiB   %9llu executions %8lld KiB   %s\n", c.name,
              static_cast<unsigned long long>(c.early), static_cast<long long>(early / 1024),
              static_cast<unsigned long long>(c.late), static_cast<long long>(late / 1024),
              !explored ? "FAILED: too few executions, or a finding"
              : !flat   ? "FAILED: it grows"
                        : "flat");
  if (!explored) {
    for (const FindingReport& finding : result.findings) std::printf("  %s\n", finding.message.c_str());
    std::printf("  %llu executions, %s %s\n", static_cast<unsigned long long>(result.executions),
                to_string(result.verdict), result.reason.c_str());
  }
  std::fflush(stdout);
  return explored && flat;
}

int run() {
  const Case cases[] = {
      {"choices", choose_seven_digits, 100'000, 10'000'000, {.name = "choices"}},
      {"revisits", stores_and_loads, 100'000, 1'000'000, {.name = "revisits"}},
      {"threads, heap, mutex", threads_with_heap_and_mutex, 20'000, 200'000, {.name = "heap"}},
      {"the same, no leak detection",
       threads_with_heap_and_mutex,
       20'000,
       200'000,
       {.name = "heap", .detect_leaks = false}},
  };
  bool ok = true;
  for (const Case& c : cases) ok = measure(c) && ok;
  return ok ? 0 : 1;
}

}  // namespace
}  // namespace weft::bench

int main() { return weft::bench::run(); }
