// What operations are called in sentences.
#pragma once

#include <string>

#include <iterator>

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

/// By operation. Not inside of first_event(), where each call would make it anew.
inline constexpr EventKind kFirstEvents[] = {
    EventKind::read, EventKind::write,  EventKind::read, EventKind::fence,   EventKind::choose, EventKind::read, EventKind::gate,
    EventKind::unlock, EventKind::read, EventKind::receive, EventKind::create, EventKind::end,  EventKind::join};
static_assert(std::size(kFirstEvents) == static_cast<std::size_t>(OperationKind::join) + 1);

/// The kind of the (first) event that an operation adds.
constexpr EventKind first_event(OperationKind kind) { return kFirstEvents[static_cast<std::size_t>(kind)]; }

}  // namespace weft
