// The memory models by their definitions: the independent oracle for everything that is computed incrementally.
//
// Works on sb, rf, co and the sources of gates, receives and joins alone, by closures over all events. Never looks at a
// clock, a coherence floor or a sequential past. Definitions: RC11 as in "Repairing sequential consistency in C/C++11"
// (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017) with the release sequences of C++20 (RMW chains, [intro.races]) and
// no cycles in sb u rf; sequential consistency as acyclicity of sb u rf u co u fr (Shasha and Snir 1988).
//
// An unlock happens before the gate that it opens, a send before the receive that takes it (unless that says
// otherwise), the creation of a thread before its first event, its end before a join.
#pragma once

#include "graph/execution_graph.hpp"

namespace weft {

/// True if the graph is well-formed (coherence orders are total, gates and receives have the sources that their chains
/// give them) and consistent in `model`. Slow: cubic in the number of events.
bool satisfies_axioms(const ExecutionGraph& graph, Model model);

/// True if the porf and hb clocks of every event are what the definitions say.
bool clocks_are_exact(const ExecutionGraph& graph);

}  // namespace weft
