// Concurrency Kit: ck_ring, ck_spinlock and ck_stack, through the unchanged headers of libck-dev.
//
// What its inline assembly hides. By default on x86-64 every function of ck_pr.h is inline assembly: loads and stores
// (mov), exchange, compare-exchange, fetch-and-add, and the fences. None of it is seen by -fsanitize=thread, so that
// Weft explores no order of these operations, no reordering by the memory model, and no synchronization. What remains
// visible are the plain accesses around them: the items in a ring (memcpy), the link of a stack's entry, the index that
// belongs to the caller alone, initialisation. Since the orders of what is not seen are not explored, a run may end as
// proved after a single execution; since the synchronization is not seen, correct code is reported as a data race on
// the plain accesses; a spin on a word that only assembly writes never lets another thread run. The tests named
// "Assembly" show this; nothing about the library can be concluded from such a run.
//
// The library's headers have a second port on the compiler's builtins, CK_USE_CC_BUILTINS, where read-modify-write
// operations are __sync builtins and are seen, and loads and stores are accesses of volatile objects, which the tests
// mark as atomic with weft_racy(). The fences that x86-64 does not need are still only barriers for the compiler;
// CK_MD_RMO makes all of them __sync_synchronize(), which is stronger than what some of them ask for. With both
// switches everything is visible; fetch-and-store is emulated by the headers with a compare-exchange loop. That is what
// the other tests explore. They say nothing about the instructions in the assembly.
#include "models.hpp"

#if __has_include(<ck_pr.h>)
#include <thread>

#include "concurrency_kit.h"

namespace weft::test {
namespace {

class ConcurrencyKit : public UnderEachModel {};
INSTANTIATE_TEST_SUITE_P(Models, ConcurrencyKit, models(), model_name);

int value_of(const int* item) { return item == nullptr ? 0 : *item; }

TEST_P(ConcurrencyKit, RingGivesTheItemsToTheConsumerInOrder) {
  OutcomeSet outcomes;
  const Result result = explore([&] {
    ring* const ring = builtins_ring_new();
    int items[2] = {};
    std::thread producer([&] {
      for (int i = 0; i < 2; ++i) {
        items[i] = i + 1;  // plain: the ring must order it
        EXPECT_TRUE(builtins_ring_put_spsc(ring, &items[i]));
      }
    });
    const int early = value_of(builtins_ring_take_spsc(ring));
    producer.join();
    const int then = value_of(builtins_ring_take_spsc(ring)), last = value_of(builtins_ring_take_spsc(ring));
    builtins_ring_free(ring);
    outcomes.record(early, then, last);
  });
  EXPECT_TRUE(result.proved()) << result;
  EXPECT_EQ(result.executions, 4u);
  EXPECT_EQ(result.duplicates, 0u);
  EXPECT_EQ(outcomes.all(), (Outcomes{"0 1 2", "1 2 0"}));
}

TEST_P(ConcurrencyKit, RingForOneProducerWithTwoIsADataRace) {
  const Result result = explore_to_first_finding([] {
    ring* const ring = builtins_ring_new();
    int items[2] = {1, 2};
    std::thread first([&] { builtins_ring_put_spsc(ring, &items[0]); });
    std::thread second([&] { builtins_ring_put_spsc(ring, &items[1]); });
    first.join();
    second.join();
    builtins_ring_free(ring);
  });
  EXPECT_TRUE(result.found("data race")) << result;
}

TEST_P(ConcurrencyKit, RingForManyProducersKeepsEachItemOnce) {
  OutcomeSet outcomes;
  const Result result = explore([&] {
    ring* const ring = builtins_ring_new();
    int items[2] = {1, 2};
    std::thread first([&] { EXPECT_TRUE(builtins_ring_put_mpmc(ring, &items[0])); });
    std::thread second([&] { EXPECT_TRUE(builtins_ring_put_mpmc(ring, &items[1])); });
    first.join();
    second.join();
    const int front = value_of(builtins_ring_take_mpmc(ring)), back = value_of(builtins_ring_take_mpmc(ring));
    EXPECT_EQ(builtins_ring_take_mpmc(ring), nullptr);
    builtins_ring_free(ring);
    outcomes.record(front, back);
  });
  EXPECT_TRUE(result.proved()) << result;
  EXPECT_EQ(result.executions, by_compiler(4, 8));
  EXPECT_EQ(result.duplicates, 0u);
  EXPECT_EQ(outcomes.all(), (Outcomes{"1 2", "2 1"}));
}

TEST_P(ConcurrencyKit, SpinlockExcludes) {
  const Result result = explore([] {
    spinlock* const lock = builtins_spinlock_new();
    int counter = 7;
    const auto increment = [&] {
      builtins_spinlock_lock(lock);
      ++counter;
      builtins_spinlock_unlock(lock);
    };
    std::thread other(increment);
    increment();
    other.join();
    EXPECT_EQ(counter, 9);
    builtins_spinlock_free(lock);
  });
  EXPECT_TRUE(result.proved()) << result;
  EXPECT_EQ(result.executions, 12u);
  EXPECT_EQ(result.duplicates, 0u);
}

TEST_P(ConcurrencyKit, TicketLockExcludes) {
  const Result result = explore([] {
    ticket* const lock = builtins_ticket_new();
    int counter = 7;
    const auto increment = [&] {
      builtins_ticket_lock(lock);
      ++counter;
      builtins_ticket_unlock(lock);
    };
    std::thread other(increment);
    increment();
    other.join();
    EXPECT_EQ(counter, 9);
    builtins_ticket_free(lock);
  });
  EXPECT_TRUE(result.proved()) << result;
  EXPECT_EQ(result.executions, by_compiler(2, 4));
  EXPECT_EQ(result.duplicates, 0u);
}

TEST_P(ConcurrencyKit, StackKeepsEachItemOnce) {
  OutcomeSet outcomes;
  const Result result = explore([&] {
    stack* const stack = builtins_stack_new();
    std::thread first([&] { builtins_stack_push(stack, 1); });
    std::thread second([&] { builtins_stack_push(stack, 2); });
    const int early = builtins_stack_pop(stack);
    first.join();
    second.join();
    const int top = builtins_stack_pop(stack), below = builtins_stack_pop(stack);
    EXPECT_EQ(builtins_stack_pop(stack), 0);
    EXPECT_EQ(early + top + below, 3);
    builtins_stack_free(stack);
    outcomes.record(early, top, below);
  });
  EXPECT_TRUE(result.proved()) << result;
  EXPECT_EQ(result.executions, 20u);
  EXPECT_EQ(result.duplicates, 0u);
  EXPECT_EQ(outcomes.all(), (Outcomes{"0 1 2", "0 2 1", "1 2 0", "2 1 0"}));
}

TEST_P(ConcurrencyKit, AssemblyHidesTheRingSoThatOnlyOneOrderIsExplored) {
  OutcomeSet outcomes;
  const Result result = explore([&] {
    ring* const ring = assembly_ring_new();
    int item = 1;
    std::thread producer([&] { assembly_ring_put_spsc(ring, &item); });
    const int early = value_of(assembly_ring_take_spsc(ring));
    producer.join();
    const int then = value_of(assembly_ring_take_spsc(ring));
    assembly_ring_free(ring);
    outcomes.record(early, then);
  });
  EXPECT_EQ(result.executions, 1u) << result;
  EXPECT_EQ(outcomes.all(), Outcomes{"0 1"});  // "1 0" is another execution, which Weft does not know of
}

TEST_P(ConcurrencyKit, AssemblyHidesTheSpinlockSoThatCorrectUseIsReportedAsARace) {
  const Result result = explore_to_first_finding([] {
    spinlock* const lock = assembly_spinlock_new();
    int counter = 0;
    const auto increment = [&] {
      assembly_spinlock_lock(lock);
      ++counter;
      assembly_spinlock_unlock(lock);
    };
    std::thread other(increment);
    increment();
    other.join();
    assembly_spinlock_free(lock);
  });
  EXPECT_TRUE(result.found("data race")) << result;
}

}  // namespace
}  // namespace weft::test

#else
TEST(ConcurrencyKit, IsNotInstalled) { GTEST_SKIP() << "install libck-dev"; }
#endif
