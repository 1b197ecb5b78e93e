#include "explore/placed_access.hpp"

#include "explore/decide.hpp"

namespace weft {

Step add_read_of(ExecutionGraph& graph, ThreadId t, LocationId l, const Operation& operation, std::size_t position) {
  const EventId source = graph.write_at(l, position);
  Step step{.value = graph.value_of_write(source)};
  Value result = 0;
  const Decision decision = decide(operation, step.value, result);
  step.wrote = decision == Decision::write;
  graph.add({.source = source,
             .location = l,
             .thread = t,
             .kind = EventKind::read,
             .order = step.wrote ? operation.order : operation.failure_order,
             .plain_access = operation.plain_access,
             .seen_by_fences = operation.seen_by_fences});
  if (decision == Decision::wait) step.status = Step::Status::waits;
  if (step.wrote) {
    graph.add({.value = result,
               .location = l,
               .thread = t,
               .kind = EventKind::write,
               .order = operation.order,
               .role = write_role(operation.kind),
               .seen_by_fences = operation.seen_by_fences},
              position + 1);
  }
  return step;
}

void add_write_at(ExecutionGraph& graph, ThreadId t, LocationId l, const Operation& operation, std::size_t position) {
  graph.add({.value = operation.operand,
             .location = l,
             .thread = t,
             .kind = EventKind::write,
             .order = operation.order,
             .plain_access = operation.plain_access,
             .seen_by_fences = operation.seen_by_fences},
            position);
}

}  // namespace weft
