// weft_bench_relacy: the same litmus programs under Relacy's full search and under Weft, side by side.
//
// Relacy enumerates interleavings, Weft executions, so the rates compare unlike things; what compares is the time to a
// complete answer. usage: weft_bench_relacy PEER [MOST]
#include <cstdio>
#include <exception>
#include <map>
#include <stdexcept>
#include <string>

#include "cpu_time.hpp"
#include "relacy_litmus.hpp"
#include "relacy_programs.hpp"
#include "runtime/execution.hpp"
#include "weft/weft.hpp"

namespace weft::bench {
namespace {

struct Search {
  unsigned long long executions = 0;
  double seconds = 0;
  unsigned long outcomes = 0;
  bool complete = false;
};

Outcomes outcomes;

std::map<std::string, Search> run_peer(const std::string& command) {
  std::map<std::string, Search> searches;
  std::FILE* const peer = popen(command.c_str(), "r");
  char name[32];
  Search s;
  int complete = 0;
  while (peer != nullptr &&
         std::fscanf(peer, "%31s %llu %lf %lu %d", name, &s.executions, &s.seconds, &s.outcomes, &complete) == 5) {
    s.complete = complete != 0;
    searches[name] = s;
  }
  if (peer == nullptr || pclose(peer) != 0) throw std::runtime_error("the peer failed: " + command);
  return searches;
}

// Short searches are repeated: user time is counted in ticks of some milliseconds.
constexpr double kLeastSeconds = 0.1;

Search explore_ours(const LitmusProgram& program) {
  outcomes.met.reset();
  const auto body = [&program] {
    {
      const Execution::Outside outside;
      outcomes.clear_reads();
    }
    program.body();
    const Execution::Outside outside;
    outcomes.add();
  };
  Search search;
  const double start = user_seconds();
  double spent = 0;
  int times = 0;
  for (; spent < kLeastSeconds; ++times, spent = user_seconds() - start) {
    const Result result = explore(body, {.name = "litmus"});
    if (!result.proved()) throw std::runtime_error(std::string(program.name) + ": " + to_string(result.verdict));
    search.executions = result.executions;
  }
  search.seconds = spent / times;
  search.outcomes = outcomes.met.count();
  search.complete = true;
  return search;
}

int run(const std::string& command) {
  const std::map<std::string, Search> peer = run_peer(command);
  std::printf("%-15s | %37s | %37s | %s\n", "", "Relacy, full search", "Weft", "Relacy's time");
  std::printf("%-15s | %10s %8s %8s %8s | %10s %8s %8s %8s | %s\n", "program", "executions", "ms", "k per s",
              "outcomes", "executions", "ms", "k per s", "outcomes", "over Weft's");
  for (const LitmusProgram& program : kLitmus) {
    const auto found = peer.find(program.name);
    if (found == peer.end()) throw std::runtime_error(std::string("the peer has no program ") + program.name);
    const Search& theirs = found->second;
    const Search ours = explore_ours(program);
    const auto rate = [](const Search& s) { return static_cast<double>(s.executions) / s.seconds / 1000; };
    std::printf("%-15s | %9llu%c %8.3f %8.0f %8lu | %10llu %8.3f %8.0f %8lu | %s%.1f\n", program.name,
                theirs.executions, theirs.complete ? ' ' : '+', theirs.seconds * 1000, rate(theirs), theirs.outcomes,
                ours.executions, ours.seconds * 1000, rate(ours), ours.outcomes, theirs.complete ? "" : "over ",
                theirs.seconds / ours.seconds);
  }
  std::printf("\n+ the search was given up there, without an answer\n");
  return 0;
}

}  // namespace

void take_read(int number, int value) {
  const Execution::Outside outside;
  outcomes.reads[number] = value;
}

}  // namespace weft::bench

int main(int count, char** arguments) try {
  if (count > 2) {
    std::fprintf(stderr, "usage: weft_bench_relacy [MOST]\n");
    return 64;
  }
  return weft::bench::run("'" WEFT_RELACY_PEER "' " + std::string(count == 2 ? arguments[1] : ""));
} catch (const std::exception& fault) {
  std::fprintf(stderr, "weft_bench_relacy: %s\n", fault.what());
  return 2;
}
