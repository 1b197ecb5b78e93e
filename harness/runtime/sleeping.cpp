#include "runtime/sleeping.hpp"

#include <algorithm>

namespace weft {
namespace {

LocationKey list_at(std::uintptr_t object) { return LocationKey::of(LocationKey::Space::object, object); }

LocationKey channel_of(Ticket ticket) { return LocationKey::of(LocationKey::Space::channel, ticket.bits | kTicketBit); }

WaiterLists& lists_of(const Operation& operation) { return *static_cast<WaiterLists*>(operation.context); }
WaiterLists& lists_of(Execution& execution) { return execution.memory().synchronization.waiter_lists; }

Decision add_operand(const Operation& operation, Value old, Value& result) {
  result = lists_of(operation).with(old, {operation.operand});
  return Decision::write;
}
Decision remove_operand(const Operation& operation, Value old, Value& result) {
  WaiterLists& lists = lists_of(operation);
  if (!lists.contains(old, {operation.operand})) return Decision::wait;
  result = lists.without(old, {operation.operand});
  return Decision::write;
}
// Removes the only waiter, or, of several, the one in `expected` if it is there.
Decision remove_only_or_expected(const Operation& operation, Value old, Value& result) {
  WaiterLists& lists = lists_of(operation);
  if (lists.size(old) == 0) return Decision::keep;
  if (lists.size(old) > 1 && !lists.contains(old, {operation.expected})) return Decision::keep;
  result = lists.size(old) == 1 ? 0 : lists.without(old, {operation.expected});
  return Decision::write;
}
Decision remove_all(const Operation&, Value old, Value& result) {
  result = 0;
  return old == 0 ? Decision::keep : Decision::write;
}

Step change_list(Execution& execution, std::uintptr_t object, Order order, Decide decide, Value operand, Value expected,
                 const void* place) {
  return execution.perform({.kind = OperationKind::rmw,
                            .order = order,
                            .seen_by_fences = false,
                            .location = list_at(object),
                            .operand = operand,
                            .expected = expected,
                            .decide = decide,
                            .context = &lists_of(execution),
                            .place = place});
}

constexpr Value kNoTicket = ~Value{0};

}  // namespace

Ticket next_ticket(Execution& execution) {
  return Ticket::of(execution.running().id, running_record(execution).sleeps++);
}

Value enrol(Execution& execution, std::uintptr_t object, Ticket ticket, Order order, const void* place) {
  execution.describe_next_step("begin to wait on");
  return change_list(execution, object, order, add_operand, ticket.bits, 0, place).value;
}

void withdraw(Execution& execution, std::uintptr_t object, Ticket ticket, const void* place) {
  execution.describe_next_step("no longer wait on");
  change_list(execution, object, Order::relaxed, remove_operand, ticket.bits, 0, place);
}

// The choice among several waiters needs to know them, and the read-modify-write that removes one has to know the choice. So the list is
// looked at first, and it all begins again if somebody else took the chosen one in between - which cannot happen if the waker holds
// the mutex that goes with a condition variable.
std::optional<Ticket> take_one(Execution& execution, std::uintptr_t object, Order order, const void* place) {
  const WaiterLists& lists = lists_of(execution);
  Value chosen = kNoTicket;
  for (;;) {
    execution.describe_next_step("notify one of");
    const Step step = change_list(execution, object, order, remove_only_or_expected, 0, chosen, place);
    const std::size_t size = lists.size(step.value);
    if (size == 0) return std::nullopt;
    if (step.wrote) return size == 1 ? lists.tickets(step.value).front() : Ticket{chosen};
    const Value nth = execution.perform({.kind = OperationKind::choose, .operand = size, .place = place}).value;
    chosen = lists.tickets(step.value)[nth].bits;
  }
}

Value take_all(Execution& execution, std::uintptr_t object, Order order, const void* place) {
  execution.describe_next_step("notify all of");
  return change_list(execution, object, order, remove_all, 0, 0, place).value;
}

Value waiters(Execution& execution, std::uintptr_t object, const void* place) {
  return execution
      .perform({.kind = OperationKind::read, .seen_by_fences = false, .location = list_at(object), .place = place})
      .value;
}

void sleep_until_woken(Execution& execution, Ticket ticket, bool synchronizes, const void* place) {
  const Step step = execution.perform({.kind = OperationKind::receive,
                                       .synchronizes = synchronizes,
                                       .location = channel_of(ticket),
                                       .place = place});
  VirtualTime& now = running_record(execution).now;
  now = std::max(now, step.value);
}

void wake(Execution& execution, Ticket ticket, const void* place) {
  execution.perform({.kind = OperationKind::send,
                     .seen_by_fences = false,
                     .location = channel_of(ticket),
                     .operand = running_record(execution).now,
                     .place = place});
}

void wake_all(Execution& execution, Value list, const void* place) {
  const WaiterLists& lists = lists_of(execution);
  for (std::size_t i = 0; i < lists.size(list); ++i) wake(execution, lists.tickets(list)[i], place);
}

}  // namespace weft
