#include "runtime/exploration.hpp"

#include <algorithm>

namespace weft {
namespace {

void count(Ending ending, ExplorationCounts& counts) {
  switch (ending) {
    case Ending::complete: ++counts.executions; break;
    case Ending::deadlock:
      ++counts.deadlocks;
      ++counts.blocked;
      break;
    case Ending::blocked: ++counts.blocked; break;
    case Ending::failed: ++counts.failed; break;
    case Ending::inconsistent: break;
  }
}

}  // namespace

ExplorationCounts run_exploration(const std::function<void()>& body, const MakeExplorer& make, Execution& execution,
                                  ExplorationObserver& observer) {
  std::size_t clock_width = 8;
  for (;;) {
    const std::unique_ptr<Explorer> explorer = make(clock_width);
    ExplorationCounts counts;
    observer.started();
    execution.take_restart_request();
    bool restart = false;
    bool stopped = false;
    while (!restart && !stopped) {
      counts.nothing_left = !explorer->next_execution();
      if (counts.nothing_left) break;
      const Ending ending = execution.run(*explorer, body);
      restart = execution.take_restart_request();
      if (restart) break;
      explorer->execution_ended(ending);
      ++counts.runs;
      counts.last_run_counts = explorer->run_counts();
      if (counts.last_run_counts) count(ending, counts);
      stopped = !observer.run_ended(execution, ending, counts);
      restart = execution.take_restart_request();
    }
    if (!restart) return counts;
    while (clock_width < execution.memory().threads.count()) clock_width *= 2;
    clock_width = std::min(clock_width, kMaxThreads);
  }
}

}  // namespace weft
