// Accesses whose place in rf and co has been chosen: how the explorers that build one execution at a time add them.
#pragma once

#include <cstddef>

#include "explore/explorer.hpp"

namespace weft {

/// Adds a read, RMW, lock or send that reads the write at coherence position `position`, with its write part if it has
/// one. The location must be in use. An RMW that writes must not take a write that another RMW has taken
/// (ExecutionGraph::next_is_its_rmw).
Step add_read_of(ExecutionGraph& graph, ThreadId t, LocationId l, const Operation& operation, std::size_t position);

/// Adds a write at a coherence position.
void add_write_at(ExecutionGraph& graph, ThreadId t, LocationId l, const Operation& operation, std::size_t position);

}  // namespace weft
