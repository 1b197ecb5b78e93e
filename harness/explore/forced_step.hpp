// Steps that leave nothing to choose: every explorer adds them in the same way.
#pragma once

#include "explore/explorer.hpp"

namespace weft {

/// True if the operation can be added now; false while it waits for an unlock, a message or the end of a thread.
inline bool is_enabled(const ExecutionGraph& graph, ThreadId t, LocationId l, const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::gate: return graph.grant_of(graph.thread(t).back()).granted;
    case OperationKind::receive: return graph.next_message(t, l) != kNoEvent;
    case OperationKind::join: return graph.end_of(ThreadId{static_cast<std::uint16_t>(operation.operand)}) != kNoEvent;
    default: return true;
  }
}

/// Adds a fence, gate, unlock, receive, create, end or join that is enabled.
Step add_forced_step(ExecutionGraph& graph, ThreadId t, LocationId l, const Operation& operation);

}  // namespace weft
