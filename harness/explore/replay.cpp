#include "explore/replay.hpp"

#include <algorithm>

#include "explore/decide.hpp"
#include "explore/forced_step.hpp"
#include "explore/placed_access.hpp"
#include "graph/consistency.hpp"

namespace weft {

void ReplayExplorer::diverge(Divergence::Why why, ThreadId t, std::optional<OperationKind> got, LocationKey location) {
  if (divergence_) return;
  Divergence divergence{.why = why, .step = next_, .thread = t, .operation = 1, .got = got, .location = location};
  for (std::size_t i = 0; i < next_; ++i) divergence.operation += schedule_.steps[i].thread == t ? 1 : 0;
  if (next_ < schedule_.steps.size()) divergence.expected = schedule_.steps[next_].kind;
  divergence_ = divergence;
}

std::optional<ThreadId> ReplayExplorer::choose_thread(std::span<const ReadyThread> ready) {
  if (next_ == schedule_.steps.size()) return ready.front().thread;  // extend() says that the program goes on
  const ThreadId wanted = schedule_.steps[next_].thread;
  const auto found = std::find_if(ready.begin(), ready.end(), [&](const ReadyThread& r) { return r.thread == wanted; });
  if (found == ready.end()) {
    diverge(Divergence::Why::not_ready, wanted, std::nullopt, {});
    return std::nullopt;
  }
  return wanted;
}

void ReplayExplorer::execution_ended(Ending ending) {
  if (ending == Ending::inconsistent || next_ == schedule_.steps.size()) return;
  diverge(Divergence::Why::not_ready, schedule_.steps[next_].thread, std::nullopt, {});
}

Step ReplayExplorer::extend(ThreadId t, LocationId l, const Operation& operation) {
  if (next_ == schedule_.steps.size()) {
    // An execution that ended with a fault in this very operation has no step for it: the address must fault again.
    if (l != kNoLocation) graph_.use_location(l, operation.initial_value());
    diverge(Divergence::Why::goes_on, t, operation.kind, operation.location);
    return {.status = Step::Status::inconsistent};
  }
  const ScheduleStep& step = schedule_.steps[next_];
  // A read-modify-write that writes nothing (a failed compare-exchange) stands in the graph, and so in a schedule, as a
  // read.
  const bool same =
      step.kind == operation.kind || (step.kind == OperationKind::read && operation.kind == OperationKind::rmw);
  if (!same) {
    diverge(Divergence::Why::other_operation, t, operation.kind, operation.location);
    return {.status = Step::Status::inconsistent};
  }
  Step result;
  switch (operation.kind) {
    case OperationKind::read:
    case OperationKind::rmw:
    case OperationKind::lock:
    case OperationKind::send:
      result = add_read(t, l, operation, step.choice);
      break;
    case OperationKind::write:
      result = add_write(t, l, operation, step.choice);
      break;
    case OperationKind::choose:
      if (step.choice >= operation.operand) return impossible(operation);
      graph_.add({.value = step.choice, .thread = t, .kind = EventKind::choose});
      result.value = step.choice;
      break;
    default:
      result = add_forced_step(graph_, t, l, operation);
      break;
  }
  ++next_;
  return result;
}

Step ReplayExplorer::finish(ThreadId, const Operation& operation, Value) { return impossible(operation); }

Step ReplayExplorer::impossible(const Operation& operation) {
  diverge(Divergence::Why::impossible, schedule_.steps[next_].thread, operation.kind, operation.location);
  return {.status = Step::Status::inconsistent};
}

std::size_t ReplayExplorer::floor_for(ThreadId t, LocationId l) {
  if (model_ == Model::sc) return sequential_floor(graph_, l, t, graph_.thread(t).size(), past_);
  return coherence_floor(graph_, l, graph_.happens_before_of_thread(t));
}

bool ReplayExplorer::seq_cst_consistent() const { return model_ == Model::sc || seq_cst_order_exists(graph_); }

Step ReplayExplorer::add_read(ThreadId t, LocationId l, const Operation& operation, std::uint32_t choice) {
  graph_.use_location(l, operation.initial_value());
  const std::size_t last = graph_.last_position(l);
  // The newest is always possible, and to find out what else is takes long in a long execution.
  if (choice > last || (choice != 0 && last - choice < floor_for(t, l))) return impossible(operation);
  const std::size_t position = last - choice;
  Value result = 0;
  const bool writes = decide(operation, graph_.value_of_write(graph_.write_at(l, position)), result) == Decision::write;
  if (writes && graph_.next_is_its_rmw(l, position)) return impossible(operation);
  const Step step = add_read_of(graph_, t, l, operation, position);
  return choice != 0 && !seq_cst_consistent() ? impossible(operation) : step;
}

Step ReplayExplorer::add_write(ThreadId t, LocationId l, const Operation& operation, std::uint32_t choice) {
  graph_.use_location(l, operation.initial_value());
  const std::size_t last = graph_.last_position(l);
  const bool is_too_old = choice > last || (choice != 0 && last - choice < floor_for(t, l));
  if (is_too_old || graph_.next_is_its_rmw(l, last - choice)) return impossible(operation);
  add_write_at(graph_, t, l, operation, last - choice + 1);
  return choice != 0 && !seq_cst_consistent() ? impossible(operation) : Step{};
}

}  // namespace weft
