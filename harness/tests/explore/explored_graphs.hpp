// Explores a body and keeps what every test of the explorers compares: executions and deadlocks by canonical key.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "explore/decisions.hpp"
#include "explore/exhaustive.hpp"
#include "graph/canonical_key.hpp"
#include "runtime/exploration.hpp"

namespace weft::test {

struct ExploredGraphs {
  ExplorationCounts counts;
  std::vector<CanonicalKey> executions;  ///< sorted; one for each time that an execution was met
  std::vector<CanonicalKey> deadlocks;   ///< sorted, each once
  std::string fault;                     ///< the first graph that was wrong in itself: which and why
  bool cut = false;                      ///< given up after `max_runs`
};

/// Exhaustive exploration; checks each graph against the axioms and its clocks against their definitions.
ExploredGraphs explore_exhaustively(const std::function<void()>& body, Model model, ExplorationMemory& memory,
                                    SearchPart part = {});
/// Brute force, given up when more than `max_runs` graphs were met (0: never).
ExploredGraphs explore_by_brute_force(const std::function<void()>& body, Model model, ExplorationMemory& memory,
                                      std::uint64_t max_runs = 0);
/// One run after the other with the same decisions, which `advance` changes in between, until that returns false.
/// Checks graphs as explore_exhaustively(); executions are kept once each, and a dropped run is a fault.
ExploredGraphs explore_by_decisions(const std::function<void()>& body, Model model, ExplorationMemory& memory,
                                    Decisions& decisions, const std::function<bool()>& advance);

}  // namespace weft::test
