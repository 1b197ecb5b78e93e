// Linearization: the events of an execution graph in one row, with as few switches between threads as there can be.
#pragma once

#include <cstddef>
#include <vector>

#include "graph/execution_graph.hpp"

namespace weft {

struct Linearization {
  std::vector<EventId> order;  ///< first events only: the write part of a read-modify-write goes with its read
  std::size_t switches = 0;    ///< how often one event is of another thread than the one before it
  /// No row of this execution has fewer switches. False if that was too much to find out, and for weak executions.
  bool fewest = false;
  /// The row respects coherence and from-read too, so it is an interleaving that explains every value. Executions that
  /// no interleaving explains (weak memory) have rows that respect program order and reads-from alone.
  bool sequential = false;
};

/// Which thread goes on is decided only where one cannot: going on costs nothing, and takes nothing from the others,
/// since an event that may come next may also come later. So a breadth-first search over the places where threads stop,
/// one level a switch, finds the fewest. After `most_states` such places the row is a greedy one: whoever can go on
/// longest does. Not to be called inside an execution (it allocates).
Linearization linearize(const ExecutionGraph& graph, std::size_t most_states = 20'000);

}  // namespace weft
