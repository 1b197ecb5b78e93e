// Makes the schedule of a failing execution smaller: by changing what was decided, and running it again to see whether
// it still fails in the same way.
//
// Delta debugging (Zeller, Hildebrandt, "Simplifying and isolating failure-inducing input", IEEE TSE 2002) over the
// decisions of a run: stretches of them, long ones first, are replaced by the usual way (whoever went last goes on, the
// newest write is read, the first choice is taken) or left out, so that all that follows comes earlier; then single
// decisions take smaller values, or come one later, and pairs of unusual ones become usual. A change is kept if the run
// shows the same, is no larger in any respect, and smaller in one. At the end no such change is left; so what is made
// smaller again stays as it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "explore/decisions.hpp"
#include "graph/execution_graph.hpp"

namespace weft {

/// A run that shows what is wanted.
struct FailingRun {
  std::vector<TakenDecision> taken;  ///< all that was decided
  std::size_t steps = 0;
  std::size_t switches = 0;  ///< in an order of the execution that has the fewest, or, if it is long, few
};

/// Steps and switches of an execution as a schedule shows it.
void measure(const ExecutionGraph& graph, FailingRun& run);

/// The outcome of one try.
struct Attempt {
  std::optional<FailingRun> shown;  ///< nothing: the run does not show it
  std::uint64_t work = 1;           ///< steps that it took to find out
};

/// Makes the run of these decisions; with the usual ones when they have run out.
using TryDecisions = std::function<Attempt(std::span<const TakenDecision>)>;

struct MinimisedRun {
  FailingRun run;
  bool complete = false;  ///< no such change is left that would make it smaller; else `most_work` was used up
};

/// `start` shows it: it is what a try of its own decisions comes to. The same for the same arguments.
MinimisedRun minimise(FailingRun start, const TryDecisions& attempt, std::uint64_t most_work);

}  // namespace weft
