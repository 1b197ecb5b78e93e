#include "explore/forced_step.hpp"

namespace weft {

Step add_forced_step(ExecutionGraph& graph, ThreadId t, LocationId l, const Operation& operation) {
  Event event{.location = l, .thread = t, .order = operation.order, .synchronizes = operation.synchronizes};
  Step step;
  switch (operation.kind) {
    case OperationKind::unlock: event.kind = EventKind::unlock; break;
    case OperationKind::create:
      event.kind = EventKind::create;
      event.value = step.value = operation.operand;
      break;
    case OperationKind::end: event.kind = EventKind::end; break;
    case OperationKind::gate:
      event.kind = EventKind::gate;
      event.source = graph.grant_of(graph.thread(t).back()).unlock;
      break;
    case OperationKind::receive:
      event.kind = EventKind::receive;
      event.source = graph.next_message(t, l);
      event.value = step.value = graph.value_of_write(event.source);
      break;
    case OperationKind::join:
      event.kind = EventKind::join;
      event.source = graph.end_of(ThreadId{static_cast<std::uint16_t>(operation.operand)});
      break;
    default: event.kind = EventKind::fence; break;
  }
  graph.add(event);
  return step;
}

}  // namespace weft
