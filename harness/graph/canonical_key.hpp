// One name for each execution graph, whatever the order in which its events were added.
//
// Two graphs are the same execution if their threads have the same events with the same sources and choices, and their
// locations the same coherence order. Values need no place in the name: they follow from these.
#pragma once

#include <compare>
#include <string>

#include "graph/execution_graph.hpp"

namespace weft {

/// Equal exactly for equal executions of one exploration (thread and location numbers must come from the same names).
using CanonicalKey = std::u32string;

/// A lock that still waits at its gate has not happened yet: it is left out, so that all orders in which threads queue
/// for a mutex that is never unlocked are one deadlock.
CanonicalKey canonical_key(const ExecutionGraph& graph);

/// 128 bits that stand for a canonical key where millions must be remembered. Two executions collide with a chance of
/// about n * n / 2^129 among n.
struct GraphDigest {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend constexpr auto operator<=>(const GraphDigest&, const GraphDigest&) = default;
};
GraphDigest digest(const ExecutionGraph& graph);

}  // namespace weft
