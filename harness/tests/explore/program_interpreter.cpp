// Performs a Program's instructions; compiled without instrumentation, so that it adds no operation of its own.
#include "explore/operations.hpp"
#include "explore/random_program.hpp"

namespace weft::test {
namespace {

constexpr std::size_t kMostThreads = 16;

// Variables and channels of a program have low numbers.
constexpr Number kConditions = 0x100;  // at least kUnfenced, as in the runtime; so are the next
constexpr Number kWakeUps = 0x200;     // and the number of the thread that sleeps

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

Number number(const Instruction& i) { return i.object < 2 ? i.object : kUnfenced + i.object; }

void notify(const Instruction& instruction, bool all) {
  Value waiters = change(kConditions + instruction.object, instruction.order, all ? drop_all : drop_lowest).value;
  if (!all) waiters &= ~(waiters - 1);
  for (Number t = 0; t < kMostThreads; ++t) {
    if ((waiters >> t & 1) != 0) send(kWakeUps + t, 1);
  }
}

void wait(const Instruction& instruction, std::size_t me) {
  change(kConditions + instruction.object, instruction.order, enlist, Value{1} << me);
  if (instruction.operand != kNoMutex) unlock(number({.object = instruction.operand}));
  receive(kWakeUps + me);
  if (instruction.operand != kNoMutex) lock(number({.object = instruction.operand}));
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
        last = load(number(i), i.order);
        break;
      case Action::write:
        store(number(i), i.operand + last, i.order);
        break;
      case Action::add:
        last = fetch_add(number(i), i.operand, i.order);
        break;
      case Action::compare_exchange:
        last = compare_exchange(number(i), i.operand - 1u, i.operand + 3u, i.order, i.failure_order);
        break;
      case Action::fence:
        fence(i.order);
        break;
      case Action::silent_fence:
        fence(i.order, false);
        break;
      case Action::choose:
        last = choose(i.operand);
        break;
      case Action::await:
        last = await_nonzero(number(i), i.order);
        break;
      case Action::await_take:
        last = change(number(i), i.order, take_one).value;
        break;
      case Action::lock:
        lock(number(i));
        break;
      case Action::unlock:
        unlock(number(i));
        break;
      case Action::send:
        send(number(i), i.operand + last);
        break;
      case Action::receive:
        last = receive(number(i));
        break;
      case Action::receive_unordered:
        last = receive(number(i), false);
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
      case Action::create:
        children[i.operand] = create(&ProgramBody::start, const_cast<Argument*>(&body.arguments_[i.operand]));
        break;
      case Action::join:
        join(children[i.operand]);
        break;
    }
  }
  return nullptr;
}

}  // namespace weft::test
