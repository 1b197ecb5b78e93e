// Incremental consistency: which places a new event may take in a graph that is consistent already.
//
// A new event has no happens-before successors, so coherence (RC11) leaves it all places from a floor on in its
// location's coherence order, and the newest place is always consistent, in both models. See axioms.hpp for the definitions that
// these shortcuts are tested against.
#pragma once

#include "graph/execution_graph.hpp"

namespace weft {

/// The lowest coherence position that something with the hb past `clock` may read at `l`: that of the newest write that
/// happens before it or was read by a read that happens before it. A write must go behind that position.
std::size_t coherence_floor(const ExecutionGraph& graph, LocationId l, ClockView clock);

/// The same for sequential consistency: the newest write at `l` that precedes, in sb u rf u co u fr, the next event of
/// `t` after its first `length` events. Thread-safe for distinct graphs (uses a scratch buffer per call site's `past`).
std::size_t sequential_floor(const ExecutionGraph& graph, LocationId l, ThreadId t, std::size_t length,
                             std::vector<ClockTick>& past);

/// Fills `past` with how many events of each thread precede the first `length` events of `t`, in sb u rf u co u fr.
void sequential_past(const ExecutionGraph& graph, ThreadId t, std::size_t length, std::vector<ClockTick>& past);

/// RC11's psc axiom over the whole graph: the partial order of seq_cst accesses and fences is acyclic.
bool seq_cst_order_exists(const ExecutionGraph& graph);

}  // namespace weft
