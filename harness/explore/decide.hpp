// What an operation does with a value that it could read.
#pragma once

#include "explore/operation.hpp"

namespace weft {

constexpr WriteRole write_role(OperationKind kind) {
  switch (kind) {
    case OperationKind::rmw: return WriteRole::rmw;
    case OperationKind::lock: return WriteRole::lock;
    case OperationKind::send: return WriteRole::send;
    default: return WriteRole::plain;
  }
}

/// `result` is set for Decision::write only. A lock's value counts the locks before it; a send writes its message.
inline Decision decide(const Operation& operation, Value old, Value& result) {
  switch (operation.kind) {
    case OperationKind::lock: result = old + 1; return Decision::write;
    case OperationKind::send: result = operation.operand; return Decision::write;
    default: break;
  }
  if (operation.decide == nullptr) return Decision::keep;
  const Decision decision = operation.decide(operation, old, result);
  return decision == Decision::write && operation.silent_is_read && result == old ? Decision::keep : decision;
}

}  // namespace weft
