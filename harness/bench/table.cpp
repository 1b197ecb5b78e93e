// weft_bench_table: executions per user CPU second on each row of the oracle's benchmark table, beside those of the
// peer in the same table.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "cpu_time.hpp"
#include "rows.hpp"

namespace weft::bench {
namespace {

struct Settings {
  double check = 0;  ///< the geometric mean must not be below
  std::uint64_t most = 100'000;
  Form form = Form::posix_c;
};

constexpr const char* kUsage =
    "usage: weft_bench_table [--check RATIO] [--most EXECUTIONS] [--standard-cpp | --operations]\n"
    "  --check RATIO      exit 1 if the geometric mean of the ratios to the peer is below RATIO\n"
    "  --most EXECUTIONS  cut each row there (default 100000; 0: explore all of it)\n"
    "  --standard-cpp     run the programs on std::thread, std::atomic and std::mutex (default: C on POSIX threads)\n"
    "  --operations       run the programs as operations of the engine, without hooks\n";

double positive_number(const char* option, const char* text) {
  char* end = nullptr;
  const double number = text == nullptr ? -1 : std::strtod(text, &end);
  if (text == nullptr || end == text || *end != '\0' || !(number >= 0)) {
    std::fprintf(stderr, "weft_bench_table: %s takes a number that is not negative\n%s", option, kUsage);
    std::exit(64);
  }
  return number;
}

Settings parse(int count, char** arguments) {
  Settings settings;
  for (int i = 1; i < count; ++i) {
    const std::string option = arguments[i];
    const char* const value = i + 1 < count ? arguments[i + 1] : nullptr;
    if (option == "--check") {
      settings.check = positive_number("--check", value);
      ++i;
    } else if (option == "--most") {
      settings.most = static_cast<std::uint64_t>(positive_number("--most", value));
      ++i;
    } else if (option == "--operations") {
      settings.form = Form::operations;
    } else if (option == "--standard-cpp") {
      settings.form = Form::standard_cpp;
    } else {
      std::fprintf(stderr, "weft_bench_table: unknown option %s\n%s", option.c_str(), kUsage);
      std::exit(64);
    }
  }
  if (settings.most == 0) settings.most = UINT64_MAX;
  return settings;
}

// Other work on the machine makes a search slower, never faster: each row is searched for so long, again and again, and
// its best search counts; if the mean is too low, all rows are measured again.
constexpr double kSecondsPerRow = 0.2;
constexpr int kMostAttempts = 8;
// Shorter ones are too short to be measured, and are taken together.
constexpr double kLeastSeconds = 0.01;

/// Measures and prints all rows; returns the geometric mean of the ratios. `best` holds the best rate of each row so far.
double measure(const Settings& settings, std::vector<double>& best) {
  std::printf("%-15s %3s %-5s %10s %8s %12s %12s %7s\n", "program", "N", "model", "executions", "user s", "per s",
              "peer per s", "ratio");
  double log_sum = 0;
  std::size_t rows = 0;
  std::size_t cut = 0;
  for (const test::OracleRow& row : test::oracle_table("benchmarks.tsv")) {
    if (rows == best.size()) best.push_back(0);
    double& rate = best[rows];
    RowRun last;
    double all_seconds = 0;
    while (all_seconds < kSecondsPerRow) {
      const double start = user_seconds();
      std::uint64_t executions = 0;
      double seconds = 0;
      while (seconds < kLeastSeconds) {
        last = explore_row(row, settings.form, settings.most);
        executions += last.executions;
        seconds = user_seconds() - start;
      }
      rate = std::max(rate, static_cast<double>(executions) / seconds);
      all_seconds += seconds;
    }
    const auto peer = static_cast<double>(row.number("peer_executions_per_s"));
    std::printf("%-15s %3s %-5s %9llu%c %8.2f %12.0f %12.0f %7.2f\n", row.text("name").c_str(), row.text("N").c_str(),
                row.text("model").c_str(), static_cast<unsigned long long>(last.executions), last.cut ? '+' : ' ',
                all_seconds, rate, peer, rate / peer);
    std::fflush(stdout);
    log_sum += std::log(rate / peer);
    ++rows;
    cut += last.cut ? 1 : 0;
  }
  const double mean = std::exp(log_sum / static_cast<double>(rows));
  std::printf("\ngeometric mean of the ratios over %zu rows: %.2f\n", rows, mean);
  if (cut != 0) {
    std::printf("+ there are more: %zu rows were cut after %llu executions, and their rate is of those\n", cut,
                static_cast<unsigned long long>(settings.most));
  }
  return mean;
}

int run(const Settings& settings) {
  std::vector<double> best;
  for (int attempt = 1; measure(settings, best) < settings.check; ++attempt) {
    if (attempt == kMostAttempts) {
      std::printf("FAILED: the geometric mean must be at least %.2f, and was not in %d attempts\n", settings.check,
                  attempt);
      return 1;
    }
    std::printf("below %.2f: measured again; each row counts with its best search\n\n", settings.check);
  }
  return 0;
}

}  // namespace
}  // namespace weft::bench

int main(int count, char** arguments) try {
  return weft::bench::run(weft::bench::parse(count, arguments));
} catch (const std::exception& fault) {
  std::fprintf(stderr, "weft_bench_table: %s\n", fault.what());
  return 2;
}
