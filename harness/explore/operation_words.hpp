// What operations are called in sentences.
#pragma once

#include "explore/operation.hpp"

namespace weft {

/// What an operation does, in two words or three ("a load of", "a store to"), to be followed by its location if it has one.
const char* operation_phrase(OperationKind kind);

/// True for operations on a location; a fence, a choice, the start, end and join of a thread have none.
bool has_location(OperationKind kind);

/// The operation that added an event of this kind. For a read that is part of an RMW, lock or send, `part` tells which.
OperationKind operation_of(EventKind kind, WriteRole part = WriteRole::plain);

}  // namespace weft
