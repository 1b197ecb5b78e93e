// The explorer's primitives as plain functions, for test programs that call Execution::perform() themselves.
//
// Objects are numbered; numbers of different kinds of objects are unrelated. Those from kUnfenced on are like state of
// the runtime: fences do not synchronize through them. Only for sources compiled without instrumentation.
#pragma once

#include "runtime/execution.hpp"

namespace weft::test {

using Number = std::uint64_t;
inline constexpr Number kUnfenced = 0x80;

Value load(Number variable, Order order);
void store(Number variable, Value value, Order order);
Value fetch_add(Number variable, Value operand, Order order);
/// Returns what it read: it wrote if that is `expected`.
Value compare_exchange(Number variable, Value expected, Value desired, Order order, Order failure_order);
/// Any other RMW on a variable; see Decide.
Step change(Number variable, Order order, Decide decide, Value operand = 0);
/// A load that waits until the variable is not zero.
Value await_nonzero(Number variable, Order order);
/// See Operation::synchronizes.
void fence(Order order, bool synchronizes = true);
Value choose(Value n);
void lock(Number mutex);
void unlock(Number mutex);
void send(Number channel, Value message);
/// Only one thread may receive from a channel. `synchronizes`: the send happens before it.
Value receive(Number channel, bool synchronizes = true);
ThreadId create(void* (*entry)(void*), void* argument);
void join(ThreadId thread);

}  // namespace weft::test
