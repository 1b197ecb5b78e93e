// A schedule: one execution as a list of steps, the form in which executions are shown, printed as tokens and run
// again.
//
// A graph has no order but its own; schedule_of() puts its events in a row with the fewest switches between threads, see
// linearize().
#pragma once

#include <cstdint>
#include <vector>

#include "explore/operation.hpp"
#include "graph/execution_graph.hpp"

namespace weft {

/// One visible operation. The read and write parts of a read-modify-write are one step.
struct ScheduleStep {
  ThreadId thread{};
  OperationKind kind = OperationKind::fence;
  /// Where the model leaves a choice, which way was taken; 0 is the usual one. Reads and read-modify-writes: how many
  /// writes of the location that are newer in coherence order had run already. Writes: how many such writes it went
  /// before. Choose: what was chosen.
  std::uint32_t choice = 0;

  friend bool operator==(const ScheduleStep&, const ScheduleStep&) = default;
};

struct Schedule {
  std::vector<ScheduleStep> steps;
  /// The same execution in another process names its operations alike: a hash of kinds, threads, orders and of which
  /// operations share a location.
  std::uint16_t operations_hash = 0;
};

inline constexpr ThreadId kNoThread{0xffff};

/// Linearizes a graph. Threads are renumbered in the order in which the schedule creates them; `renamed[t]`, if given,
/// becomes the new number of thread t, or kNoThread if the schedule does not create it.
Schedule schedule_of(const ExecutionGraph& graph, std::vector<ThreadId>* renamed = nullptr);

/// The hash of a graph whose threads and order of events are those of a schedule already, as after a replay.
std::uint16_t operations_hash(const ExecutionGraph& graph);

}  // namespace weft
