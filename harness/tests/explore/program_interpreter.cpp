// Performs a Program's instructions; compiled without instrumentation, so that it adds no operation of its own.
#include "explore/random_program.hpp"
#include "runtime/execution.hpp"

namespace weft::test {
namespace {

constexpr std::size_t kMostThreads = 16;

// Numbers of things that have no address.
constexpr std::uint64_t kChannels = 0x100;
constexpr std::uint64_t kWakeUps = 0x200;  // and the number of the thread that sleeps
constexpr std::uint64_t kConditions = 0x300;

using Space = LocationKey::Space;

LocationKey variable(std::uint8_t object) { return LocationKey::of(Space::object, object + 1u); }

Decision add(const Operation& operation, Value old, Value& result) {
  result = old + operation.operand;
  return Decision::write;
}
Decision compare_exchange(const Operation& operation, Value old, Value& result) {
  if (old != operation.expected) return Decision::keep;
  result = operation.operand;
  return Decision::write;
}
Decision wait_for_nonzero(const Operation&, Value old, Value&) { return old == 0 ? Decision::wait : Decision::keep; }
Decision take_one(const Operation&, Value old, Value& result) {
  if (old == 0) return Decision::wait;
  result = old - 1;
  return Decision::write;
}
// Waiter lists are sets of threads.
Decision enlist(const Operation& operation, Value old, Value& result) {
  result = old | operation.operand;
  return Decision::write;
}
Decision drop_lowest(const Operation&, Value old, Value& result) {
  if (old == 0) return Decision::keep;
  result = old & (old - 1);
  return Decision::write;
}
Decision drop_all(const Operation&, Value old, Value& result) {
  if (old == 0) return Decision::keep;
  result = 0;
  return Decision::write;
}

Step perform(const Operation& operation) { return Execution::current()->perform(operation); }

void lock(std::uint8_t mutex) {
  const LocationKey key = LocationKey::of(Space::mutex, mutex + 1u);
  perform({.kind = OperationKind::lock, .order = Order::acquire, .location = key});
  perform({.kind = OperationKind::gate, .order = Order::acquire, .location = key});
}
void unlock(std::uint8_t mutex) {
  perform(
      {.kind = OperationKind::unlock, .order = Order::release, .location = LocationKey::of(Space::mutex, mutex + 1u)});
}
void send(std::uint64_t channel, Value message) {
  perform({.kind = OperationKind::send,
           .order = Order::release,
           .location = LocationKey::of(Space::channel, channel),
           .operand = message});
}
Value receive(std::uint64_t channel, bool synchronizes) {
  return perform({.kind = OperationKind::receive,
                  .order = Order::acquire,
                  .synchronizes = synchronizes,
                  .location = LocationKey::of(Space::channel, channel)})
      .value;
}

Value change(Order order, LocationKey key, Decide decide, Value operand = 0, Value expected = 0) {
  return perform({.kind = OperationKind::rmw,
                  .order = order,
                  .location = key,
                  .operand = operand,
                  .expected = expected,
                  .decide = decide})
      .value;
}

void notify(const Instruction& instruction, bool all) {
  Value waiters = change(instruction.order, LocationKey::of(Space::object, kConditions + instruction.object),
                         all ? drop_all : drop_lowest);
  if (!all) waiters &= ~(waiters - 1);
  for (std::uint64_t t = 0; t < kMostThreads; ++t) {
    if ((waiters >> t & 1) != 0) send(kWakeUps + t, 1);
  }
}

void wait(const Instruction& instruction, std::size_t me) {
  change(instruction.order, LocationKey::of(Space::object, kConditions + instruction.object), enlist, Value{1} << me);
  if (instruction.operand != kNoMutex) unlock(instruction.operand);
  receive(kWakeUps + me, true);
  if (instruction.operand != kNoMutex) lock(instruction.operand);
}

}  // namespace

ProgramBody::ProgramBody(const Program& program) : program_(program) {
  for (std::size_t t = 0; t < program.threads.size(); ++t) arguments_.push_back({this, t});
}

void* ProgramBody::run_thread(const void* argument) {
  const ProgramBody& body = *static_cast<const Argument*>(argument)->body;
  const std::size_t me = static_cast<const Argument*>(argument)->thread;
  ThreadId children[kMostThreads]{};
  Value last = 0;
  for (const Instruction& i : body.program_.threads[me]) {
    switch (i.action) {
      case Action::read:
        last = perform({.kind = OperationKind::read, .order = i.order, .location = variable(i.object)}).value;
        break;
      case Action::write:
        perform({.kind = OperationKind::write,
                 .order = i.order,
                 .location = variable(i.object),
                 .operand = i.operand + last});
        break;
      case Action::add:
        last = change(i.order, variable(i.object), add, i.operand);
        break;
      case Action::compare_exchange:
        last = change(i.order, variable(i.object), compare_exchange, i.operand + 3u, i.operand - 1u);
        break;
      case Action::fence:
        perform({.kind = OperationKind::fence, .order = i.order});
        break;
      case Action::choose:
        last = perform({.kind = OperationKind::choose, .operand = i.operand}).value;
        break;
      case Action::await:
        last = perform({.kind = OperationKind::read,
                        .order = i.order,
                        .location = variable(i.object),
                        .decide = wait_for_nonzero})
                   .value;
        break;
      case Action::await_take:
        last = change(i.order, variable(i.object), take_one);
        break;
      case Action::lock:
        lock(i.object);
        break;
      case Action::unlock:
        unlock(i.object);
        break;
      case Action::send:
        send(kChannels + i.object, i.operand + last);
        break;
      case Action::receive:
        last = receive(kChannels + i.object, true);
        break;
      case Action::receive_unordered:
        last = receive(kChannels + i.object, false);
        break;
      case Action::wait:
        wait(i, me);
        break;
      case Action::notify_one:
        notify(i, false);
        break;
      case Action::notify_all:
        notify(i, true);
        break;
      case Action::create: {
        Argument* const child = const_cast<Argument*>(&body.arguments_[i.operand]);
        children[i.operand] = Execution::current()->create_thread(&ProgramBody::start, child, nullptr);
        break;
      }
      case Action::join:
        perform({.kind = OperationKind::join, .operand = static_cast<Value>(children[i.operand])});
        break;
    }
  }
  return nullptr;
}

}  // namespace weft::test
