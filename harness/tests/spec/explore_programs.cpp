// Explores programs given as text on standard input and prints their execution graphs, for compare_with_reference.py.
//
// Input: for each program a line `program`, then its text form (tests/explore/random_program.hpp). Thread 0 must only
// create the others. Output, for each program and model:
//
//   result sc executions 3 blocked 0 deadlocks 0
//   execution 0.0 0.1 1.0=1 | 0.1<1.0 | x:0.0
//   deadlock ...
//
// A graph is its events (thread.index, =choice), its reads-from and its coherence orders. Threads are numbered from 0
// without the first one, and creations, ends and gates are left out, since the specification has none.
#include <iostream>
#include <map>
#include <sstream>

#include "explore/exhaustive.hpp"
#include "explore/random_program.hpp"
#include "graph/canonical_key.hpp"
#include "runtime/exploration.hpp"

namespace weft::test {
namespace {

class Printer final : public ExplorationObserver {
 public:
  Printer(const ExplorationMemory& memory, Model model) : memory_(memory), model_(model) {}

  void started() override { text_.str(""); }
  bool run_ended(const Execution& execution, Ending ending, const ExplorationCounts&) override {
    if (ending == Ending::complete) print("execution", execution.graph());
    if (ending == Ending::deadlock) print("deadlock", execution.graph());
    return true;
  }
  void print_result(const ExplorationCounts& counts) {
    std::cout << "result " << (model_ == Model::sc ? "sc" : "rc11") << " executions " << counts.executions
              << " blocked " << counts.blocked << " deadlocks " << counts.deadlocks << '\n'
              << text_.str();
  }

 private:
  std::string location_name(LocationId l) const {
    const LocationKey key = memory_.locations.key(l);
    const char object = static_cast<char>('x' + key.address() - 1);
    switch (key.space()) {
      case LocationKey::Space::mutex:
        return std::string("m") + object;
      case LocationKey::Space::channel:
        return std::string("c") + object;
      default:
        return std::string(1, object);
    }
  }

  void print(const char* what, const ExecutionGraph& graph) {
    std::map<EventId, std::string> names;
    std::ostringstream events;
    std::ostringstream sources;
    for (std::size_t t = 1; t < graph.thread_count(); ++t) {
      std::span<const EventId> line = graph.thread(ThreadId{static_cast<std::uint16_t>(t)});
      const bool gated = !line.empty() && graph[line.back()].kind == EventKind::write &&
                         graph[line.back()].role == WriteRole::lock && !graph.grant_of(line.back()).granted;
      if (gated) line = line.first(line.size() - 2);
      std::size_t place = 0;
      for (EventId e : line) {
        const Event& event = graph[e];
        if (event.kind == EventKind::gate || event.kind == EventKind::end) continue;
        const std::string name = std::to_string(t - 1) + '.' + std::to_string(place++);
        names[e] = name;
        events << name;
        if (event.kind == EventKind::choose) events << '=' << event.value;
        events << ' ';
      }
    }
    for (const auto& [e, name] : names) {
      const Event& event = graph[e];
      if (event.kind != EventKind::read) continue;
      sources_[name] = is_initial_write(event.source) ? "init" : names.at(event.source);
    }
    for (const auto& [read, source] : sources_) sources << read << '<' << source << ' ';
    sources_.clear();
    std::map<std::string, std::string> orders;
    for (LocationId l : graph.locations_in_use()) {
      std::string order;
      for (EventId w : graph.location(l).writes) {
        if (names.contains(w)) order += (order.empty() ? "" : ",") + names[w];
      }
      if (!order.empty()) orders[location_name(l)] = order;
    }
    text_ << what << ' ' << events.str() << "| " << sources.str() << '|';
    for (const auto& [location, order] : orders) text_ << ' ' << location << ':' << order;
    text_ << '\n';
  }

  const ExplorationMemory& memory_;
  Model model_;
  std::ostringstream text_;
  std::map<std::string, std::string> sources_;
};

void explore_and_print(const std::string& text) {
  const Program program = parse_program(text);
  const ProgramBody body(program);
  for (const Model model : {Model::sc, Model::rc11}) {
    ExplorationMemory memory;
    Execution execution(memory);
    Printer printer(memory, model);
    printer.print_result(run_exploration(
        body, [&](std::size_t width) { return std::make_unique<ExhaustiveExplorer>(model, width); }, execution,
        printer));
  }
}

int explore_all() {
  std::string program;
  bool any = false;
  for (std::string line; std::getline(std::cin, line);) {
    if (line != "program") {
      program += line + '\n';
      continue;
    }
    if (any) explore_and_print(program);
    any = true;
    program.clear();
  }
  if (any) explore_and_print(program);
  return 0;
}

}  // namespace
}  // namespace weft::test

int main() {
  try {
    return weft::test::explore_all();
  } catch (const std::exception& error) {
    std::cerr << "explore_programs: " << error.what() << '\n';
    return 2;
  }
}
