#include "explore/operations.hpp"

namespace weft::test {
namespace {

using Space = LocationKey::Space;

// Objects of the runtime start as zero, and nothing lies at their addresses.
LocationKey key(Space space, Number number) { return LocationKey::of(space, number + 1); }

Step perform(const Operation& operation) { return Execution::current()->perform(operation); }

Decision add(const Operation& operation, Value old, Value& result) {
  result = old + operation.operand;
  return Decision::write;
}
Decision exchange_if_expected(const Operation& operation, Value old, Value& result) {
  if (old != operation.expected) return Decision::keep;
  result = operation.operand;
  return Decision::write;
}
Decision wait_while_zero(const Operation&, Value old, Value&) { return old == 0 ? Decision::wait : Decision::keep; }

}  // namespace

Value load(Number variable, Order order) {
  return perform({.kind = OperationKind::read,
                  .order = order,
                  .seen_by_fences = variable < kUnfenced,
                  .location = key(Space::object, variable)})
      .value;
}

void store(Number variable, Value value, Order order) {
  perform({.kind = OperationKind::write,
           .order = order,
           .seen_by_fences = variable < kUnfenced,
           .location = key(Space::object, variable),
           .operand = value});
}

Step change(Number variable, Order order, Decide decide, Value operand) {
  return perform({.kind = OperationKind::rmw,
                  .order = order,
                  .seen_by_fences = variable < kUnfenced,
                  .location = key(Space::object, variable),
                  .operand = operand,
                  .decide = decide});
}

Value fetch_add(Number variable, Value operand, Order order) { return change(variable, order, add, operand).value; }

Value compare_exchange(Number variable, Value expected, Value desired, Order order, Order failure_order) {
  return perform({.kind = OperationKind::rmw,
                  .order = order,
                  .failure_order = failure_order,
                  .seen_by_fences = variable < kUnfenced,
                  .location = key(Space::object, variable),
                  .operand = desired,
                  .expected = expected,
                  .decide = exchange_if_expected})
      .value;
}

Value await_nonzero(Number variable, Order order) {
  return perform({.kind = OperationKind::read,
                  .order = order,
                  .seen_by_fences = variable < kUnfenced,
                  .location = key(Space::object, variable),
                  .decide = wait_while_zero})
      .value;
}

void fence(Order order, bool synchronizes) {
  perform({.kind = OperationKind::fence, .order = order, .synchronizes = synchronizes});
}

Value choose(Value n) { return perform({.kind = OperationKind::choose, .operand = n}).value; }

void lock(Number mutex) {
  perform({.kind = OperationKind::lock,
           .order = Order::acquire,
           .seen_by_fences = mutex < kUnfenced,
           .location = key(Space::mutex, mutex)});
  perform({.kind = OperationKind::gate, .order = Order::acquire, .location = key(Space::mutex, mutex)});
}

void unlock(Number mutex) {
  perform({.kind = OperationKind::unlock, .order = Order::release, .location = key(Space::mutex, mutex)});
}

void send(Number channel, Value message) {
  perform({.kind = OperationKind::send,
           .order = Order::release,
           .seen_by_fences = channel < kUnfenced,
           .location = key(Space::channel, channel),
           .operand = message});
}

Value receive(Number channel, bool synchronizes) {
  return perform({.kind = OperationKind::receive,
                  .order = Order::acquire,
                  .synchronizes = synchronizes,
                  .location = key(Space::channel, channel)})
      .value;
}

ThreadId create(void* (*entry)(void*), void* argument) {
  return Execution::current()->create_thread(entry, argument, nullptr);
}

void join(ThreadId thread) { perform({.kind = OperationKind::join, .operand = static_cast<Value>(thread)}); }

}  // namespace weft::test
