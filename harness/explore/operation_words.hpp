// What operations are called in sentences.
#pragma once

#include <string>

#include "explore/operation.hpp"
#include "graph/execution_graph.hpp"

namespace weft {

/// What an operation does, in two words or three ("a load of", "a store to"), to be followed by its location if it has one.
const char* operation_phrase(OperationKind kind);

/// True for operations on a location; a fence, a choice, the start, end and join of a thread have none.
bool has_location(OperationKind kind);

/// The same with the location's name, "a load of x"; without one, "a load".
std::string operation_text(OperationKind kind, const std::string& location);

/// The operation whose first event is `first`.
OperationKind operation_of(const ExecutionGraph& graph, EventId first);

}  // namespace weft
