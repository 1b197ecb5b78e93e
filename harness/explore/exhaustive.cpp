#include "explore/exhaustive.hpp"

#include <algorithm>

#include "explore/decide.hpp"
#include "explore/forced_step.hpp"
#include "graph/consistency.hpp"

namespace weft {
namespace {

/// Subtrees differ in size by far more than in mass, so each part gets many.
constexpr double kSubtreesOfPart = 64;

}  // namespace

ExhaustiveExplorer::ExhaustiveExplorer(Model model, std::size_t clock_width, SearchPart part)
    : model_(model),
      clock_width_(clock_width),
      part_(part),
      shared_mass_(1 / (kSubtreesOfPart * part.of)),
      is_ours_(part.of == 1) {
  open_subtree();
}

ExecutionGraph& ExhaustiveExplorer::open_subtree() {
  if (spare_.empty()) {
    subtrees_.push_back(std::make_unique<Subtree>(clock_width_));
  } else {
    subtrees_.push_back(std::move(spare_.back()));
    spare_.pop_back();
  }
  return subtrees_.back()->graph;
}

void ExhaustiveExplorer::close_subtree() {
  spare_.push_back(std::move(subtrees_.back()));
  subtrees_.pop_back();
}

bool ExhaustiveExplorer::next_execution() {
  if (!started_) {
    started_ = true;
    if (!is_ours_) run_counts_ = shared_runs_++ % part_.of == part_.number - 1;
    return true;
  }
  for (;;) {
    std::vector<Alternative>& alternatives = subtrees_.back()->alternatives;
    if (alternatives.empty()) {
      if (subtrees_.size() == 1) return false;
      close_subtree();
      continue;
    }
    const Alternative next = alternatives.back();
    alternatives.pop_back();
    if (!concerns_us(next)) continue;
    mass_ = next.mass;
    run_began_with_ = alternatives.size();
    if (take(next)) {
      run_counts_ = is_ours_ || shared_runs_++ % part_.of == part_.number - 1;
      return true;
    }
    execution_ended(Ending::inconsistent);
  }
}

bool ExhaustiveExplorer::take_only(std::size_t i) {
  const Alternative chosen = subtrees_.back()->alternatives[i];
  forget_alternatives();
  return take(chosen);
}

bool ExhaustiveExplorer::concerns_us(const Alternative& alternative) {
  is_ours_ = alternative.is_ours;
  if (is_ours_ || alternative.mass > shared_mass_) return true;
  is_ours_ = dealt_++ % part_.of == part_.number - 1;
  if (!is_ours_) done_ += alternative.mass;
  return is_ours_;
}

void ExhaustiveExplorer::execution_ended(Ending) {
  std::vector<Alternative>& alternatives = subtrees_.back()->alternatives;
  const double share = mass_ / static_cast<double>(alternatives.size() - run_began_with_ + 1);
  for (std::size_t i = run_began_with_; i < alternatives.size(); ++i) {
    alternatives[i].mass = share;
    alternatives[i].is_ours = is_ours_;
  }
  done_ += share;
}

bool ExhaustiveExplorer::take(const Alternative& alternative) {
  ExecutionGraph& graph = current();
  graph.cut(index(alternative.at) + 1);
  switch (alternative.kind) {
    case Alternative::Kind::source:
      graph.set_source(alternative.at, alternative.event);
      return seq_cst_consistent();
    case Alternative::Kind::position:
      graph.move_write(alternative.at, static_cast<std::size_t>(alternative.value));
      return seq_cst_consistent();
    case Alternative::Kind::choice:
      graph.set_choice(alternative.at, alternative.value);
      return true;
    case Alternative::Kind::revisit: return take_revisit(alternative.at, alternative.event);
    case Alternative::Kind::overtake:
      graph.set_source(alternative.at, alternative.event);
      add_write_part(alternative.at, alternative.role, alternative.value);
      return false;
  }
  return false;
}

bool ExhaustiveExplorer::seq_cst_consistent() {
  return model_ == Model::sc || current().seq_cst_events() < 2 || seq_cst_order_exists(current());
}

bool ExhaustiveExplorer::take_revisit(EventId write, EventId read) {
  const ExecutionGraph& whole = current();
  ExecutionGraph& graph = open_subtree();
  run_began_with_ = 0;
  const auto [r, w] = graph.assign_revisit(whole, read, write);
  const LocationId l = graph[w].location;

  std::size_t floor = 0;
  if (model_ == Model::sc) {
    floor = std::max(sequential_floor(graph, l, graph[w].thread, graph[w].index, past_),
                     sequential_floor(graph, l, graph[r].thread, graph[r].index, past_));
  } else {
    floor = std::max(coherence_floor(graph, l, graph.happens_before_predecessor(w)),
                     coherence_floor(graph, l, graph.happens_before_predecessor(r)));
  }
  std::size_t lowest = floor + 1;
  std::size_t highest = graph.last_position(l) + 1;
  if (graph[w].is_write_part()) {
    const std::size_t only = graph.coherence_position(l, graph[graph.read_part(w)].source) + 1;
    if (only < lowest) return false;
    lowest = highest = only;
  }
  bool placed = false;
  for (std::size_t position = highest; position >= lowest; --position) {
    if (graph.next_is_its_rmw(l, position - 1)) continue;
    if (placed) {
      leave({.kind = Alternative::Kind::position, .at = w, .value = position});
      continue;
    }
    graph.insert_in_coherence(w, position);
    placed = seq_cst_consistent();
    if (!placed) graph.remove_from_coherence(w);
  }
  if (!placed) graph.insert_in_coherence(w, lowest);  // dropped, but whole enough to be cut
  return placed;
}

// "Maximally added" of the TruSt paper, for an event that the revisit of an earlier read by `write` would delete.
bool ExhaustiveExplorer::added_maximally(const ExecutionGraph& graph, EventId e, EventId write, ClockView prefix) const {
  const Event& event = graph[e];
  const auto previous = [&](EventId other) {
    return is_initial_write(other) || index(other) <= index(e) || (other != write && covers(prefix, graph[other]));
  };
  if (event.kind == EventKind::choose) return event.value == 0;
  if (event.kind != EventKind::read && event.kind != EventKind::write) return true;
  const ExecutionGraph::Location& location = graph.location(event.location);
  if (event.kind == EventKind::write) {
    for (EventId r : location.reads) {
      if (index(r) > index(e)) break;  // in order of stamps; a reader in the prefix would put `e` there too
      if (graph[r].source == e) return false;
    }
  }
  const EventId newest = event.kind == EventKind::read ? event.source : e;
  if (!previous(newest)) return false;
  for (std::size_t i = location.writes.size(); i-- > 0;) {
    const EventId w = location.writes[i];
    if (w == newest) return true;
    if (previous(w)) return false;
  }
  return true;  // `newest` is the initial write
}

void ExhaustiveExplorer::leave_revisits(EventId write) {
  const ExecutionGraph& graph = current();
  const ClockView prefix = graph.porf(write);
  const LocationId l = graph[write].location;
  const EventId own_read = graph[write].is_write_part() ? graph.read_part(write) : kNoEvent;
  if (graph.location(l).reads.empty() || (graph.location(l).reads.size() == 1 && own_read != kNoEvent)) return;
  // Whether an event was added maximally does not depend on which read is revisited: the first that was not ends the search.
  for (std::size_t i = index(write); i-- > 0;) {
    const EventId e{static_cast<std::uint32_t>(i)};
    const Event& event = graph[e];
    if (covers(prefix, event)) continue;
    if (!added_maximally(graph, e, write, prefix)) return;
    if (event.kind == EventKind::read && event.location == l) {
      leave({.kind = Alternative::Kind::revisit, .at = write, .event = e});
    }
  }
}

std::size_t ExhaustiveExplorer::floor_for(ThreadId t, LocationId l) {
  const ExecutionGraph& graph = current();
  const std::size_t floor = coherence_floor(graph, l, graph.happens_before_of_thread(t));
  if (model_ == Model::rc11 || floor == graph.last_position(l)) return floor;
  return sequential_floor(graph, l, t, graph.thread(t).size(), past_);
}

Step ExhaustiveExplorer::add_read(ThreadId t, LocationId l, const Operation& operation) {
  ExecutionGraph& graph = current();
  const WriteRole role = write_role(operation.kind);
  graph.use_location(l, operation.initial_value());
  const std::size_t floor = floor_for(t, l);
  const std::size_t last = graph.last_position(l);
  const EventId newest = graph.write_at(l, last);
  const EventId read = graph.add({.source = newest,
                                  .location = l,
                                  .thread = t,
                                  .kind = EventKind::read,
                                  .order = operation.failure_order,
                                  .write_order = operation.order,
                                  .plain_access = operation.plain_access,
                                  .seen_by_fences = operation.seen_by_fences});
  for (std::size_t position = floor; position < last; ++position) {
    const EventId source = graph.write_at(l, position);
    Alternative other{.kind = Alternative::Kind::source, .at = read, .event = source};
    if (role != WriteRole::plain && graph.next_is_its_rmw(l, position)) {
      Value result = 0;
      if (decide(operation, graph.value_of_write(source), result) == Decision::write) {
        other.kind = Alternative::Kind::overtake;
        other.value = result;
        other.role = role;
      }
    }
    leave(other);
  }
  Step step{.value = graph.value_of_write(newest)};
  Value result = 0;
  switch (decide(operation, step.value, result)) {
    case Decision::keep: break;
    case Decision::wait: step.status = Step::Status::waits; break;
    case Decision::write:
      step.status = add_write_part(read, role, result).status;
      step.wrote = true;
      break;
  }
  return step;
}

Step ExhaustiveExplorer::add_write_part(EventId read, WriteRole role, Value result) {
  ExecutionGraph& graph = current();
  const LocationId l = graph[read].location;
  const std::size_t position = graph.coherence_position(l, graph[read].source) + 1;
  const bool overtakes = graph.next_is_its_rmw(l, position - 1);
  const bool last = position > graph.last_position(l);
  graph.expect_write_part(read);
  const EventId write = graph.add({.value = result,
                                   .location = l,
                                   .thread = graph[read].thread,
                                   .kind = EventKind::write,
                                   .order = graph[read].order,
                                   .role = role,
                                   .seen_by_fences = graph[read].seen_by_fences},
                                  position);
  Step step{.wrote = true};
  if (overtakes || (!last && !seq_cst_consistent())) step.status = Step::Status::inconsistent;
  leave_revisits(write);
  return step;
}

Step ExhaustiveExplorer::finish(ThreadId t, const Operation& operation, Value result) {
  const ExecutionGraph& graph = current();
  const EventId read = graph.thread(t).back();
  Step step = add_write_part(read, write_role(operation.kind), result);
  step.value = graph.value_of_write(graph[read].source);
  return step;
}

void ExhaustiveExplorer::add_write(ThreadId t, LocationId l, const Operation& operation) {
  ExecutionGraph& graph = current();
  graph.use_location(l, operation.initial_value());
  const std::size_t floor = floor_for(t, l);
  const std::size_t last = graph.last_position(l) + 1;
  const EventId write = graph.add({.value = operation.operand,
                                   .location = l,
                                   .thread = t,
                                   .kind = EventKind::write,
                                   .order = operation.order,
                                   .plain_access = operation.plain_access,
                                   .seen_by_fences = operation.seen_by_fences},
                                  last);
  for (std::size_t position = floor + 1; position < last; ++position) {
    if (graph.next_is_its_rmw(l, position - 1)) continue;
    leave({.kind = Alternative::Kind::position, .at = write, .value = position});
  }
  leave_revisits(write);
}

Step ExhaustiveExplorer::extend(ThreadId t, LocationId l, const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::read:
    case OperationKind::rmw:
    case OperationKind::lock:
    case OperationKind::send: return add_read(t, l, operation);
    case OperationKind::write: add_write(t, l, operation); return {};
    case OperationKind::choose: {
      const EventId choose = current().add({.thread = t, .kind = EventKind::choose});
      for (Value other = 1; other < operation.operand; ++other) {
        leave({.kind = Alternative::Kind::choice, .at = choose, .value = other});
      }
      return {};
    }
    default: return add_forced_step(current(), t, l, operation);
  }
}

}  // namespace weft
