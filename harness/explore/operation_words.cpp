#include "explore/operation_words.hpp"

namespace weft {

const char* operation_phrase(OperationKind kind) {
  switch (kind) {
    case OperationKind::read: return "a load of";
    case OperationKind::write: return "a store to";
    case OperationKind::rmw: return "a read-modify-write of";
    case OperationKind::fence: return "a fence";
    case OperationKind::choose: return "a choice";
    case OperationKind::lock: return "a lock of";
    case OperationKind::gate: return "the grant of a lock of";
    case OperationKind::unlock: return "an unlock of";
    case OperationKind::send: return "a message or wake-up to";
    case OperationKind::receive: return "a wait for a message or wake-up of";
    case OperationKind::create: return "the start of a thread";
    case OperationKind::end: return "its end";
    case OperationKind::join: return "a join";
  }
  return "an operation";
}

bool has_location(OperationKind kind) {
  switch (kind) {
    case OperationKind::fence:
    case OperationKind::choose:
    case OperationKind::create:
    case OperationKind::end:
    case OperationKind::join: return false;
    default: return true;
  }
}

std::string operation_text(OperationKind kind, const std::string& location) {
  const std::string phrase = operation_phrase(kind);
  if (!has_location(kind)) return phrase;
  return location.empty() ? phrase.substr(0, phrase.rfind(' ')) : phrase + " " + location;
}

OperationKind operation_of(const ExecutionGraph& graph, EventId first) {
  const Event& event = graph[first];
  switch (event.kind) {
    case EventKind::read:
      if (!graph.has_write_part(first)) return OperationKind::read;
      switch (graph[graph.thread(event.thread)[event.index + 1]].role) {
        case WriteRole::plain:
        case WriteRole::rmw: return OperationKind::rmw;
        case WriteRole::lock: return OperationKind::lock;
        case WriteRole::send: return OperationKind::send;
      }
      return OperationKind::read;
    case EventKind::write: return OperationKind::write;
    case EventKind::fence: return OperationKind::fence;
    case EventKind::choose: return OperationKind::choose;
    case EventKind::gate: return OperationKind::gate;
    case EventKind::unlock: return OperationKind::unlock;
    case EventKind::receive: return OperationKind::receive;
    case EventKind::create: return OperationKind::create;
    case EventKind::end: return OperationKind::end;
    case EventKind::join: return OperationKind::join;
  }
  return OperationKind::fence;
}

}  // namespace weft
