// Small programs whose counts are known: every row of oracle/small.tsv, and for litmus tests which outcomes there are.
//
// The programs are those of named() in spec/explore_reference.py.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "explore/exhaustive.hpp"
#include "explore/operations.hpp"
#include "explore/oracle_table.hpp"
#include "graph/axioms.hpp"
#include "graph/canonical_key.hpp"
#include "runtime/exploration.hpp"

namespace weft::test {
namespace {

constexpr Number x = 0, y = 1, z = 2, c = 3, m = 4;
constexpr Order rlx = Order::relaxed, acq = Order::acquire, rel = Order::release, sc = Order::seq_cst;

using ThreadBody = std::function<void()>;
using Threads = std::vector<ThreadBody>;

/// What the threads of the running execution have read, for outcome(); a register is written once in each execution.
Value registers[4];

ThreadBody write_then_read(Number a, Number b, std::size_t result, Order order = rlx, bool fenced = false) {
  return [=] {
    store(a, 1, order);
    if (fenced) fence(sc);
    registers[result] = load(b, order);
  };
}
ThreadBody read_two(Number a, Number b, std::size_t first_result, Order order = rlx) {
  return [=] {
    registers[first_result] = load(a, order);
    registers[first_result + 1] = load(b, order);
  };
}
ThreadBody read_then_write(Number a, Number b, std::size_t result) {
  return [=] {
    registers[result] = load(a, rlx);
    store(b, 1, rlx);
  };
}
ThreadBody write(Number a, Value value, Order order = rlx) {
  return [=] { store(a, value, order); };
}
ThreadBody write_two(Number a, Number b, Order order = rlx, Value va = 1, Value vb = 1) {
  return [=] {
    store(a, va, rlx);
    store(b, vb, order);
  };
}
void increment(Number a) { store(a, load(a, rlx) + 1, rlx); }

Decision take_if_free(const Operation&, Value old, Value& result) {
  if (old != 0) return Decision::wait;
  result = 1;
  return Decision::write;
}
ThreadBody awaiting_lock(int times) {
  return [=] {
    for (int i = 0; i < times; ++i) {
      change(m, acq, take_if_free);
      increment(c);
      store(m, 0, rel);
    }
  };
}
ThreadBody locked_increment(int times) {
  return [=] {
    for (int i = 0; i < times; ++i) {
      lock(m);
      increment(c);
      unlock(m);
    }
  };
}
ThreadBody nested(Number a, Number b) {
  return [=] {
    lock(a);
    lock(b);
    unlock(b);
    unlock(a);
  };
}
ThreadBody fetch_adds(int times) {
  return [=] {
    for (int i = 0; i < times; ++i) fetch_add(x, 1, rlx);
  };
}
void compare_exchange_increment() {
  const Value v = load(x, rlx);
  compare_exchange(x, v, v + 1, rlx, rlx);
}
ThreadBody sender(std::initializer_list<Value> messages) {
  return [all = std::vector(messages)] {
    for (Value message : all) send(c, message);
  };
}
ThreadBody receiver(int n) {
  return [=] {
    for (int i = 0; i < n; ++i) receive(c);
  };
}
void serve_three() {
  for (int i = 0; i < 3; ++i) send(receive(c), 1);
}
ThreadBody client(Number me) {
  return [=] {
    send(c, me);
    receive(me);
  };
}

Threads program(const std::string& name) {
  if (name == "SB") return {write_then_read(x, y, 0), write_then_read(y, x, 1)};
  if (name == "SB+sc") return {write_then_read(x, y, 0, sc), write_then_read(y, x, 1, sc)};
  if (name == "SB+fences") return {write_then_read(x, y, 0, rlx, true), write_then_read(y, x, 1, rlx, true)};
  if (name == "SB3") return {write_then_read(x, y, 0), write_then_read(y, z, 1), write_then_read(z, x, 2)};
  if (name == "MP") return {write_two(x, y), read_two(y, x, 0)};
  if (name == "MP+ra") return {write_two(x, y, rel), read_two(y, x, 0, acq)};
  if (name == "LB") return {read_then_write(x, y, 0), read_then_write(y, x, 1)};
  if (name == "2+2W") return {write_two(x, y, rlx, 1, 2), write_two(y, x, rlx, 1, 2)};
  if (name == "IRIW") return {write(x, 1), write(y, 1), read_two(x, y, 0), read_two(y, x, 2)};
  if (name == "IRIW+sc") return {write(x, 1, sc), write(y, 1, sc), read_two(x, y, 0, sc), read_two(y, x, 2, sc)};
  if (name == "inc2") return Threads(2, [] { increment(x); });
  if (name == "inc3") return Threads(3, [] { increment(x); });
  if (name == "fadd2") return Threads(2, fetch_adds(1));
  if (name == "fadd3") return Threads(3, fetch_adds(1));
  if (name == "fadd4") return Threads(4, fetch_adds(1));
  if (name == "fadd2x2") return Threads(2, fetch_adds(2));
  if (name == "casinc2") return Threads(2, compare_exchange_increment);
  if (name == "casinc3") return Threads(3, compare_exchange_increment);
  if (name == "lock2") return Threads(2, awaiting_lock(1));
  if (name == "lock3") return Threads(3, awaiting_lock(1));
  if (name == "lock2x2") return Threads(2, awaiting_lock(2));
  if (name == "mutex2") return Threads(2, locked_increment(1));
  if (name == "mutex3") return Threads(3, locked_increment(1));
  if (name == "mutex4") return Threads(4, locked_increment(1));
  if (name == "mutex2x2") return Threads(2, locked_increment(2));
  if (name == "abba") return {nested(x, y), nested(y, x)};
  if (name == "dining3") return {nested(x, y), nested(y, z), nested(z, x)};
  if (name == "chan2") return {receiver(2), sender({1}), sender({2})};
  if (name == "chan3") return {receiver(3), sender({1}), sender({2}), sender({3})};
  if (name == "chan2x2") return {receiver(4), sender({1, 2}), sender({3, 4})};
  if (name == "starved") return {receiver(3), sender({1}), sender({2})};
  if (name == "rpc3") return {serve_three, client(10), client(11), client(12)};
  if (name == "w3") return {write(x, 1), write(x, 2), write(x, 3)};
  if (name == "w1r3") return {write(x, 1), read_two(x, x, 0), read_two(x, x, 2)};
  return {};
}

void* run_thread(void* body) {
  (*static_cast<ThreadBody*>(body))();
  return nullptr;
}

/// Explores a program and keeps what the tests below ask for.
class Explored final : public ExplorationObserver {
 public:
  Explored(const std::string& name, Model model) : model_(model), threads_(program(name)) {
    Execution execution(memory_);
    counts = run_exploration(
        [&] {
          for (ThreadBody& thread : threads_) create(run_thread, &thread);
        },
        [&](std::size_t width) { return std::make_unique<ExhaustiveExplorer>(model, width); }, execution, *this);
  }

  bool run_ended(const Execution& execution, Ending ending, const ExplorationCounts&) override {
    if (ending == Ending::deadlock) deadlocks.insert(canonical_key(execution.graph()));
    if (ending != Ending::complete) return true;
    consistent = consistent && satisfies_axioms(execution.graph(), model_);
    distinct.insert(canonical_key(execution.graph()));
    std::string read;
    for (Value v : registers) read += std::to_string(v);
    outcomes.insert(read);
    std::string values;
    for (Number n : {x, y}) {
      const auto l = memory_.locations.find(LocationKey::of(LocationKey::Space::object, n + 1));
      if (!l || !execution.graph().has_location(*l)) continue;
      const ExecutionGraph& graph = execution.graph();
      values += std::to_string(graph.value_of_write(graph.write_at(*l, graph.last_position(*l))));
    }
    last_values.insert(values);
    return true;
  }

  bool has_program() const { return !threads_.empty(); }

  ExplorationCounts counts;
  bool consistent = true;
  std::set<CanonicalKey> distinct;
  std::set<CanonicalKey> deadlocks;
  std::set<std::string> outcomes;
  std::set<std::string> last_values;  ///< of x and y

 private:
  Model model_;
  Threads threads_;
  ExplorationMemory memory_;
};

class SmallProgram : public ::testing::TestWithParam<OracleRow> {};

TEST_P(SmallProgram, HasTheExecutionsOfTheTableAndNoneTwice) {
  const OracleRow& row = GetParam();
  const Explored explored(row.text("name"), row.model());
  ASSERT_TRUE(explored.has_program()) << "no program is called " << row.text("name");
  EXPECT_EQ(explored.counts.executions, row.number("executions"));
  EXPECT_EQ(explored.distinct.size(), explored.counts.executions) << "an execution was met twice";
  EXPECT_LE(explored.counts.blocked, row.number("blocked"));
  EXPECT_EQ(explored.counts.deadlocks, row.number("deadlocks"));
  EXPECT_EQ(explored.deadlocks.size(), row.number("deadlocks"));
  EXPECT_TRUE(explored.consistent);
}

INSTANTIATE_TEST_SUITE_P(Oracle, SmallProgram, ::testing::ValuesIn(oracle_table("small.tsv")),
                         [](const auto& row) { return test_name(row.param); });

/// Every combination of 0 and 1 in the first `registers_used` registers, except for the forbidden ones.
std::set<std::string> all_but(std::size_t registers_used, std::initializer_list<std::string> forbidden) {
  std::set<std::string> outcomes;
  for (std::size_t bits = 0; bits < std::size_t{1} << registers_used; ++bits) {
    std::string outcome;
    for (std::size_t i = 0; i < std::size(registers); ++i) {
      outcome += i < registers_used && (bits >> i & 1) != 0 ? '1' : '0';
    }
    outcomes.insert(outcome);
  }
  for (const std::string& outcome : forbidden) outcomes.erase(outcome);
  return outcomes;
}

struct LitmusTest {
  const char* name;
  std::size_t registers_used;
  const char* weak;  ///< the outcome that sequential consistency forbids
  bool allowed_in_rc11;
};

class Litmus : public ::testing::TestWithParam<LitmusTest> {
 protected:
  void SetUp() override { std::ranges::fill(registers, 0); }
};

TEST_P(Litmus, HasEveryOutcomeButTheForbiddenOne) {
  const LitmusTest& test = GetParam();
  EXPECT_EQ(Explored(test.name, Model::sc).outcomes, all_but(test.registers_used, {test.weak}));
  EXPECT_EQ(Explored(test.name, Model::rc11).outcomes,
            test.allowed_in_rc11 ? all_but(test.registers_used, {}) : all_but(test.registers_used, {test.weak}));
}

INSTANTIATE_TEST_SUITE_P(Tests, Litmus,
                         ::testing::Values(LitmusTest{"SB", 2, "0000", true}, LitmusTest{"SB+sc", 2, "0000", false},
                                           LitmusTest{"SB+fences", 2, "0000", false},
                                           LitmusTest{"SB3", 3, "0000", true}, LitmusTest{"MP", 2, "1000", true},
                                           LitmusTest{"MP+ra", 2, "1000", false}, LitmusTest{"LB", 2, "1100", false},
                                           LitmusTest{"IRIW", 4, "1010", true},
                                           LitmusTest{"IRIW+sc", 4, "1010", false}),
                         [](const auto& test) {
                           std::string name = test.param.name;
                           std::ranges::replace(name, '+', '_');
                           return name;
                         });

TEST(LitmusValues, TwoPlusTwoWritesEndWithBothFirstWritesLastInRc11Only) {
  EXPECT_EQ(Explored("2+2W", Model::sc).last_values, (std::set<std::string>{"12", "21", "22"}));
  EXPECT_EQ(Explored("2+2W", Model::rc11).last_values, (std::set<std::string>{"11", "12", "21", "22"}));
}

TEST(LitmusValues, FetchAddsAreNeverLostAndPlainIncrementsMayBe) {
  for (const Model model : {Model::sc, Model::rc11}) {
    EXPECT_EQ(Explored("fadd3", model).last_values, std::set<std::string>{"3"});
    EXPECT_EQ(Explored("inc3", model).last_values, (std::set<std::string>{"1", "2", "3"}));
  }
}

}  // namespace
}  // namespace weft::test
