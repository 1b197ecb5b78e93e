#include "explore/brute_force.hpp"

#include <cassert>

#include "explore/decide.hpp"
#include "explore/forced_step.hpp"
#include "graph/axioms.hpp"

namespace weft {

BruteForceExplorer::BruteForceExplorer(Model model, std::size_t clock_width) : model_(model), current_(clock_width) {
  pending_.push_back(current_);
}

bool BruteForceExplorer::next_execution() {
  if (pending_.empty()) return false;
  current_ = std::move(pending_.back());
  pending_.pop_back();
  return true;
}

bool BruteForceExplorer::is_held(LocationId mutex) const {
  if (!current_.has_location(mutex)) return false;
  for (EventId lock : current_.location(mutex).writes) {
    if (current_.unlock_of(lock) == kNoEvent) return true;
  }
  return false;
}

std::optional<ThreadId> BruteForceExplorer::choose_thread(std::span<const ReadyThread> ready) {
  bool stuck = true;
  for (const ReadyThread& thread : ready) {
    if (thread.operation->kind == OperationKind::lock && is_held(thread.location)) continue;
    stuck = false;
    add_successors(thread);
  }
  // Threads that can only queue for mutexes that nobody will unlock do so, to let the runtime see how the run ends.
  if (stuck) return ready.front().thread;
  return std::nullopt;
}

void BruteForceExplorer::offer(ExecutionGraph&& graph) {
  if (seen_.insert(canonical_key(graph)).second && satisfies_axioms(graph, model_))
    pending_.push_back(std::move(graph));
}

void BruteForceExplorer::add_reads(const ReadyThread& thread, std::size_t lowest_position) {
  const Operation& operation = *thread.operation;
  const LocationId l = thread.location;
  for (std::size_t position = lowest_position; position <= current_.last_position(l); ++position) {
    ExecutionGraph graph = current_;
    Event event{.source = graph.write_at(l, position),
                .location = l,
                .thread = thread.thread,
                .kind = EventKind::read,
                .order = operation.failure_order,
                .seen_by_fences = operation.seen_by_fences};
    Value result = 0;
    const bool writes = decide(operation, graph.value_of_write(event.source), result) == Decision::write;
    if (writes) event.order = operation.order;
    graph.add(event);
    if (writes) {
      event.source = kNoEvent;
      event.value = result;
      event.kind = EventKind::write;
      event.role = write_role(operation.kind);
      graph.add(event, position + 1);
    }
    offer(std::move(graph));
  }
}

void BruteForceExplorer::add_successors(const ReadyThread& thread) {
  const Operation& operation = *thread.operation;
  const LocationId l = thread.location;
  switch (operation.kind) {
    case OperationKind::read:
    case OperationKind::rmw:
      current_.use_location(l, operation.initial_value());
      add_reads(thread, 0);
      break;
    case OperationKind::lock:
    case OperationKind::send:  // their orders are the orders in which they run
      current_.use_location(l, operation.initial_value());
      add_reads(thread, current_.last_position(l));
      break;
    case OperationKind::write:
      current_.use_location(l, operation.initial_value());
      for (std::size_t position = 1; position <= current_.last_position(l) + 1; ++position) {
        ExecutionGraph graph = current_;
        graph.add({.value = operation.operand,
                   .location = l,
                   .thread = thread.thread,
                   .kind = EventKind::write,
                   .order = operation.order,
                   .seen_by_fences = operation.seen_by_fences},
                  position);
        offer(std::move(graph));
      }
      break;
    case OperationKind::choose:
      for (Value choice = 0; choice < operation.operand; ++choice) {
        ExecutionGraph graph = current_;
        graph.add({.value = choice, .thread = thread.thread, .kind = EventKind::choose});
        offer(std::move(graph));
      }
      break;
    default: {
      ExecutionGraph graph = current_;
      add_forced_step(graph, thread.thread, l, operation);
      offer(std::move(graph));
    }
  }
}

// Reached only for a lock that will never be granted; see choose_thread().
Step BruteForceExplorer::extend(ThreadId t, LocationId l, const Operation& operation) {
  assert(operation.kind == OperationKind::lock);
  const std::size_t last = current_.last_position(l);
  Event event{.source = current_.write_at(l, last),
              .location = l,
              .thread = t,
              .kind = EventKind::read,
              .order = operation.order,
              .seen_by_fences = operation.seen_by_fences};
  const Value before = current_.value_of_write(event.source);
  current_.add(event);
  event.source = kNoEvent;
  event.value = before + 1;
  event.kind = EventKind::write;
  event.role = WriteRole::lock;
  current_.add(event, last + 1);
  return {.value = before, .wrote = true};
}

Step BruteForceExplorer::finish(ThreadId, const Operation&, Value) {
  assert(false && "graphs never end between the two parts of an RMW here");
  return {};
}

}  // namespace weft
