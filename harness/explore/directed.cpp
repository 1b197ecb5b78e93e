#include "explore/directed.hpp"

#include <algorithm>
#include <cassert>

#include "explore/decide.hpp"
#include "explore/forced_step.hpp"
#include "explore/placed_access.hpp"
#include "graph/consistency.hpp"

namespace weft {
namespace {

/// Steps whose effect does not depend on what other threads do before they are taken.
constexpr bool commutes_with_all(OperationKind kind) {
  switch (kind) {
    case OperationKind::read:
    case OperationKind::write:
    case OperationKind::rmw:
    case OperationKind::lock:
    case OperationKind::send:
      return false;
    default:
      return true;
  }
}

}  // namespace

DirectedExplorer::DirectedExplorer(Model model, std::size_t clock_width, Spinning spinning)
    : model_(model), spinning_(spinning), graph_(clock_width) {}

DirectedExplorer::~DirectedExplorer() = default;

bool DirectedExplorer::next_execution() {
  graph_.cut(0);
  places_.clear();
  overruled_ = false;
  last_ = ThreadId{0};
  decisions_->begin();
  return true;
}

std::uint32_t DirectedExplorer::decide_between(DecisionKind kind, std::size_t options) {
  return options < 2 ? 0 : decisions_->decide(kind, static_cast<std::uint32_t>(options));
}

std::optional<ThreadId> DirectedExplorer::choose_thread(std::span<const ReadyThread> ready) {
  candidates_.clear();
  const ReadyThread* at_once = nullptr;
  for (const ReadyThread& thread : ready) {
    if (commutes_with_all(thread.operation->kind) && (at_once == nullptr || thread.thread == last_)) at_once = &thread;
  }
  if (at_once != nullptr) return last_ = at_once->thread;
  for (const ReadyThread& thread : ready) {
    if (!can_go_on(thread)) continue;
    candidates_.push_back(thread);
    if (thread.thread == last_) std::rotate(candidates_.begin(), candidates_.end() - 1, candidates_.end());
  }
  // Nobody can: they begin to wait, one after the other, and the runtime sees what that comes to.
  if (candidates_.empty()) return last_ = ready.front().thread;
  return last_ = candidates_[decisions_->decide_thread(candidates_)].thread;
}

bool DirectedExplorer::can_go_on(const ReadyThread& thread) {
  const Operation& operation = *thread.operation;
  const LocationId l = thread.location;
  if (operation.kind == OperationKind::lock) {
    if (!graph_.has_location(l) || graph_.last_position(l) == 0) return true;
    return graph_.unlock_of(graph_.location(l).writes.back()) != kNoEvent;
  }
  if (operation.decide == nullptr) return true;
  const bool used = graph_.has_location(l);
  Value result = 0;
  const auto waits = [&](Value value) { return decide(operation, value, result) == Decision::wait; };
  if (!used) return !waits(operation.initial_value());
  const std::size_t last = graph_.last_position(l);
  if (!waits(graph_.value_of_write(graph_.write_at(l, last)))) return true;
  if (model_ == Model::sc || last == 0) return false;
  for (std::size_t position = lowest_source(thread.thread, l); position < last; ++position) {
    const Decision decision = decide(operation, graph_.value_of_write(graph_.write_at(l, position)), result);
    if (decision == Decision::keep || (decision == Decision::write && !graph_.next_is_its_rmw(l, position)))
      return true;
  }
  return false;
}

/// Under sequential consistency the order in which steps are taken is the order that explains the execution.
std::size_t DirectedExplorer::lowest_source(ThreadId t, LocationId l) const {
  const std::size_t last = graph_.last_position(l);
  if (model_ == Model::sc || last == 0) return last;
  return coherence_floor(graph_, l, graph_.happens_before_of_thread(t));
}

bool DirectedExplorer::seq_cst_consistent() const {
  return model_ == Model::sc || graph_.seq_cst_events() < 2 || seq_cst_order_exists(graph_);
}

Step DirectedExplorer::extend(ThreadId t, LocationId l, const Operation& operation) {
  Step step;
  switch (operation.kind) {
    case OperationKind::read:
    case OperationKind::rmw:
    case OperationKind::lock:
    case OperationKind::send:
      step = add_read(t, l, operation);
      break;
    case OperationKind::write:
      add_write(t, l, operation);
      break;
    case OperationKind::choose:
      step.value = decide_between(DecisionKind::choice, static_cast<std::size_t>(operation.operand));
      graph_.add({.value = step.value, .thread = t, .kind = EventKind::choose});
      break;
    default:
      step = add_forced_step(graph_, t, l, operation);
      break;
  }
  places_.resize(graph_.size(), operation.place);
  return step;
}

Step DirectedExplorer::finish(ThreadId, const Operation&, Value) {
  assert(false && "runs begin from nothing, so no RMW is half done");
  return {};
}

Step DirectedExplorer::add_read(ThreadId t, LocationId l, const Operation& operation) {
  graph_.use_location(l, operation.initial_value());
  const std::size_t last = graph_.last_position(l);
  // Locks and sends are granted and received in the order in which they were made.
  const bool in_order = operation.kind == OperationKind::lock || operation.kind == OperationKind::send;
  const std::size_t lowest = in_order ? last : lowest_source(t, l);
  if (lowest == last) return add_read_of(graph_, t, l, operation, last);

  places_to_take_.clear();
  bool newest_waits = false;
  for (std::size_t position = last + 1; position-- > lowest;) {
    Value result = 0;
    const Decision decision = decide(operation, graph_.value_of_write(graph_.write_at(l, position)), result);
    if (decision == Decision::write && graph_.next_is_its_rmw(l, position)) continue;
    if (decision == Decision::wait) {
      newest_waits = newest_waits || position == last;
      continue;  // waiting for something newer than an old value is no end that an execution has
    }
    places_to_take_.push_back(position);
  }
  if (newest_waits) places_to_take_.push_back(last);
  const std::size_t size = graph_.size();
  const std::size_t wanted = decide_between(DecisionKind::source, places_to_take_.size());
  // What the order of seq_cst operations forbids is replaced by something newer; the newest is always possible.
  for (std::size_t i = wanted;; i = i == 0 ? places_to_take_.size() - 1 : i - 1) {
    const Step step = add_read_of(graph_, t, l, operation, places_to_take_[i]);
    if (places_to_take_[i] == last || seq_cst_consistent()) return step;
    graph_.cut(size);
    overruled_ = true;
  }
}

void DirectedExplorer::add_write(ThreadId t, LocationId l, const Operation& operation) {
  graph_.use_location(l, operation.initial_value());
  const std::size_t last = graph_.last_position(l);
  const std::size_t lowest = lowest_source(t, l);
  places_to_take_.assign(1, last + 1);
  for (std::size_t position = last; position > lowest; --position) {
    if (!graph_.next_is_its_rmw(l, position - 1)) places_to_take_.push_back(position);
  }
  const std::size_t size = graph_.size();
  for (std::size_t i = decide_between(DecisionKind::position, places_to_take_.size());; --i) {
    add_write_at(graph_, t, l, operation, places_to_take_[i]);
    if (i == 0 || seq_cst_consistent()) return;
    graph_.cut(size);
    overruled_ = true;
  }
}

}  // namespace weft
