// Programs as data: drawn at random, written as text, and performed on model threads by an interpreter.
//
// The interpreter hands operations to Execution::perform() itself, so that what is tested is the explorer and nothing
// that stands in front of it. Text form, also what compare_with_reference.py writes:
//
//   thread            begins the next thread; the first is the scenario's body
//     create 1        starts thread 1
//     read x acquire
//     write y 1 release
//
// Objects are x, y and z; fences do not synchronize through z, which stands for state of the runtime.
//
// Each thread keeps the value that it last read, wrote back or received; a write stores that plus its operand.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <random>
#include <string>
#include <vector>

#include "graph/event.hpp"

namespace weft::test {

enum class Action : std::uint8_t {
  read,              ///< object
  write,             ///< object, operand: last + operand
  add,               ///< object, operand: fetch_add
  compare_exchange,  ///< object, operand: operand - 1 becomes operand + 3
  fence,
  silent_fence,       ///< does not synchronize: if seq_cst, it has its place in the order of such operations
  choose,             ///< operand: how many
  await,              ///< object: until it is not zero
  await_take,         ///< object: until it is not zero, and then one less (a semaphore)
  lock,               ///< object
  unlock,             ///< object
  send,               ///< object, operand: last + operand
  receive,            ///< object
  receive_unordered,  ///< object: the send does not happen before it
  wait,               ///< object: a condition variable; operand: the mutex to release meanwhile, or kNoMutex
  notify_one,         ///< object
  notify_all,         ///< object
  create,             ///< operand: thread
  join,               ///< operand: thread; by the one that created it
};

inline constexpr std::uint8_t kNoMutex = 9;

struct Instruction {
  Action action = Action::fence;
  Order order = Order::relaxed;
  std::uint8_t object = 0;
  std::uint8_t operand = 0;
  Order failure_order = Order::relaxed;  ///< compare_exchange
};

struct Program {
  std::vector<std::vector<Instruction>> threads;
};

/// How much a drawn program may hold.
struct ProgramLimits {
  std::size_t threads = 4;      ///< the body included; at least 2
  std::size_t operations = 13;  ///< of all threads together, creates and joins not counted
  std::size_t per_thread = 5;
};

/// A program that uses every kind of primitive sooner or later; the same for the same state of `random`.
Program random_program(std::mt19937_64& random, const ProgramLimits& limits);

std::ostream& operator<<(std::ostream& out, const Program& program);
/// Reads what operator<< writes. Throws std::invalid_argument with the offending line.
Program parse_program(const std::string& text);

/// Body of a scenario that performs the program. Everything that the operations need is inside; `program` must outlive
/// it.
class ProgramBody {
 public:
  explicit ProgramBody(const Program& program);
  void operator()() const { run_thread(arguments_.data()); }

 private:
  struct Argument {
    const ProgramBody* body;
    std::size_t thread;
  };
  static void* run_thread(const void* argument);
  static void* start(void* argument) { return run_thread(argument); }

  const Program& program_;
  std::vector<Argument> arguments_;
};

}  // namespace weft::test
