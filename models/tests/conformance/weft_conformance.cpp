// weft_conformance list          the names of all twins
// weft_conformance logs NAME     explores a twin and prints its logs: a JSON array, one array of lines for each
// different log
//
// The logs are those of all executions: the exit code is 0 only if the exploration is a proof.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>
#include <weft/shared.hpp>
#include <weft/weft.hpp>

#include "conformance.hpp"
#include "explore/exhaustive.hpp"
#include "runtime/exploration.hpp"

namespace conformance {
namespace {

using Log = std::vector<std::string>;

/// What one execution has logged so far; its memory belongs to the execution.
struct Run {
  Log log;
  std::function<void(int)> exit_listener;
};
Run* current_run = nullptr;

/// The logs of all complete executions. What it keeps is in memory that no execution puts back.
class Collector final : public weft::ExplorationObserver {
 public:
  /// Called at the end of an execution, inside it.
  void ends_with(const Log& log) {
    const weft::detail::OutsideScope outside;
    last_.clear();
    for (const std::string& line : log) last_.emplace_back(line.data(), line.size());
  }

  void started() override { logs.clear(); }
  bool run_ended(const weft::Execution&, weft::Ending ending, const weft::ExplorationCounts&) override {
    if (ending == weft::Ending::complete) logs.insert(last_);
    return true;
  }

  std::set<Log> logs;

 private:
  Log last_;
};

void run(const Program& program, Collector& collector) {
  Run run;
  current_run = &run;
  // On a thread of its own, so that the exploration counts as one of more than one thread: a program may have no choice
  // at all, and that is no fault here.
  std::thread([&program] {
    js::EventLoop loop(program.time);
    loop.run(program.module);
    if (current_run->exit_listener) current_run->exit_listener(loop.exit_code().value_or(0));
  }).join();
  current_run = nullptr;
  collector.ends_with(run.log);
}

int list() {
  for (const Program& program : programs()) std::printf("%s\n", program.name);
  return 0;
}

int logs(const Program& program) {
  Collector collector;
  const std::function<void()> body = [&] { run(program, collector); };
  weft::Options options;
  options.name = program.name;
  options.model = weft::Model::sc;
  const weft::Result result = weft::explore(body, options);
  if (!result.proved()) {
    std::cerr << result << '\n';
    return 1;
  }
  // Once more, to see each execution end.
  weft::ExplorationMemory memory;
  weft::Execution execution(memory);
  const weft::ExplorationCounts counts = weft::run_exploration(
      body, [](std::size_t width) { return std::make_unique<weft::ExhaustiveExplorer>(weft::Model::sc, width); },
      execution, collector);
  if (counts.executions != result.executions) {
    std::cerr << program.name << ": " << result.executions << " executions, then " << counts.executions << '\n';
    return 1;
  }
  std::cerr << program.name << ": " << result.executions << " executions in " << result.seconds << " s\n";
  std::cout << nlohmann::json(collector.logs).dump() << '\n';
  return 0;
}

}  // namespace

void log(const std::string& line) { current_run->log.push_back(line); }
void on_exit(std::function<void(int)> listener) { current_run->exit_listener = std::move(listener); }

}  // namespace conformance

int main(int count, char** arguments) {
  using namespace conformance;
  std::vector<Program>& all = programs();
  std::sort(all.begin(), all.end(), [](const Program& a, const Program& b) { return std::string(a.name) < b.name; });
  const std::vector<std::string> words(arguments + 1, arguments + count);
  if (words == std::vector<std::string>{"list"}) return list();
  if (words.size() == 2 && words[0] == "logs") {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Program& program) { return program.name == words[1]; });
    if (found != all.end()) return logs(*found);
    std::fprintf(stderr, "there is no twin %s\n", words[1].c_str());
    return 2;
  }
  std::fprintf(stderr, "usage: weft_conformance list | logs NAME\n");
  return 2;
}
