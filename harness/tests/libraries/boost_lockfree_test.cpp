// boost::lockfree: queue, stack and spsc_queue, through the unchanged headers of libboost-dev.
//
// On x86-64 the library packs a 16-bit tag into the upper bits of a pointer, so that its atomics have 8 bytes and
// nothing here needs a 16-byte compare-exchange. The fixed-size variants use 16-bit indices with a tag instead of
// pointers.
#include "models.hpp"

#if __has_include(<boost/lockfree/queue.hpp>)
#include <boost/lockfree/queue.hpp>
#include <boost/lockfree/spsc_queue.hpp>
#include <boost/lockfree/stack.hpp>
#include <set>
#include <thread>

namespace weft::test {
namespace {

using boost::lockfree::capacity;
/// Takes one item; 0 if there is none.
template <class Container>
int take(Container& container) {
  int item = 0;
  return container.pop(item) ? item : 0;
}

using SpscQueue = boost::lockfree::spsc_queue<int, capacity<2>>;

/// The consumer takes an item while the producer is at work, and the rest afterwards.
template <class Container, class... Capacity>
void one_producer(OutcomeSet& outcomes, Capacity... nodes) {
  Container container(nodes...);
  std::thread producer([&] {
    EXPECT_TRUE(container.push(1));
    EXPECT_TRUE(container.push(2));
  });
  const int early = take(container);
  producer.join();
  const int then = take(container), last = take(container);
  outcomes.record(early, then, last);
}

template <class Container, class... Capacity>
void two_producers(OutcomeSet& outcomes, Capacity... nodes) {
  Container container(nodes...);
  std::thread first([&] { EXPECT_TRUE(container.push(1)); });
  std::thread second([&] { EXPECT_TRUE(container.push(2)); });
  first.join();
  second.join();
  const int one = take(container), other = take(container);
  EXPECT_TRUE(container.empty());
  outcomes.record(one, other);
}

/// For a container that holds two items.
template <class Container>
void two_consumers(Container& container, OutcomeSet& outcomes) {
  int first_got = 0, second_got = 0;
  std::thread first([&] { first_got = take(container); });
  std::thread second([&] { second_got = take(container); });
  first.join();
  second.join();
  EXPECT_TRUE(container.empty());
  outcomes.record(first_got, second_got);
}

class BoostLockfree : public UnderEachModel {
 protected:
  /// Where data races are expected: goes on after each of them with the racing accesses as relaxed atomics, until all
  /// executions of that program have been seen. What else is wrong would then be a finding, too.
  static Result explore_races(const std::function<void()>& body) {
    Options options;
    options.model = GetParam();
    options.keep_going = true;
    options.count_duplicates = true;
    return weft::explore(body, options);
  }
};
INSTANTIATE_TEST_SUITE_P(Models, BoostLockfree, models(), model_name);

// --- queue: any number of producers and consumers, first in first out ---

TEST_P(BoostLockfree, QueueGivesItemsToTheConsumerInTheOrderOfTheProducer) {
  OutcomeSet outcomes;
  const Result result = explore([&] { one_producer<boost::lockfree::queue<int>>(outcomes, 2u); });
  EXPECT_TRUE(result.proved()) << result;
  EXPECT_EQ(result.executions, 17u);
  EXPECT_EQ(result.duplicates, 0u);
  EXPECT_EQ(outcomes.all(), (Outcomes{"0 1 2", "1 2 0"}));
}

TEST_P(BoostLockfree, QueueThatAllocatesItsNodesKeepsTheOrderAndLeaksNothing) {
  OutcomeSet outcomes;
  const Result result = explore([&] { one_producer<boost::lockfree::queue<int>>(outcomes, 0u); });
  EXPECT_TRUE(result.proved()) << result;
  EXPECT_EQ(result.executions, 11u);
  EXPECT_EQ(result.duplicates, 0u);
  EXPECT_EQ(outcomes.all(), (Outcomes{"0 1 2", "1 2 0"}));
}

TEST_P(BoostLockfree, QueueOfFixedSizeKeepsTheOrder) {
  OutcomeSet outcomes;
  const Result result = explore([&] { one_producer<boost::lockfree::queue<int, capacity<2>>>(outcomes); });
  EXPECT_TRUE(result.proved()) << result;
  EXPECT_EQ(result.executions, 17u);
  EXPECT_EQ(result.duplicates, 0u);
  EXPECT_EQ(outcomes.all(), (Outcomes{"0 1 2", "1 2 0"}));
}

// Two threads in push(): the one that is late in taking a node from the free list reads the link of a node that the
// other one already has and writes. It drops what it read when its compare-exchange fails, but the accesses are plain:
// a data race by the standard.
TEST_P(BoostLockfree, QueueWithTwoProducersRacesInItsFreeListButKeepsEachItemOnce) {
  OutcomeSet outcomes;
  const Result result = explore_races([&] { two_producers<boost::lockfree::queue<int>>(outcomes, 2u); });
  EXPECT_EQ(kinds_of_findings(result), Kinds{"data race"}) << result;
  EXPECT_EQ(result.executions, 132u);
  EXPECT_EQ(result.duplicates, 0u);
  EXPECT_EQ(outcomes.all(), (Outcomes{"1 2", "2 1"}));
}

// Two threads in pop(): the late one reads the link of a node that the other one has put on the free list, by a plain
// write.
TEST_P(BoostLockfree, QueueWithTwoConsumersRacesInItsFreeListButDeliversEachItemOnce) {
  OutcomeSet outcomes;
  const Result result = explore_races([&] {
    boost::lockfree::queue<int> queue(2);
    queue.push(1);
    queue.push(2);
    two_consumers(queue, outcomes);
  });
  EXPECT_EQ(kinds_of_findings(result), Kinds{"data race"}) << result;
  EXPECT_EQ(result.executions, is_sc() ? 30u : by_compiler(36, 42));
  EXPECT_EQ(result.duplicates, 0u);
  EXPECT_EQ(outcomes.all(), (Outcomes{"1 2", "2 1"}));
}

// With nodes that are allocated by each push() there is no free list to race in.
TEST_P(BoostLockfree, QueueWithTwoProducersThatAllocateKeepsEachItemOnce) {
  OutcomeSet outcomes;
  const Result result = explore([&] { two_producers<boost::lockfree::queue<int>>(outcomes, 0u); });
  EXPECT_TRUE(result.proved()) << result;
  EXPECT_EQ(result.executions, 22u);
  EXPECT_EQ(result.duplicates, 0u);
  EXPECT_EQ(outcomes.all(), (Outcomes{"1 2", "2 1"}));
}

// --- stack: any number of producers and consumers, last in first out ---

TEST_P(BoostLockfree, StackWithTwoProducersRacesInItsFreeListButKeepsEachItemOnce) {
  OutcomeSet outcomes;
  const Result result = explore_races([&] { two_producers<boost::lockfree::stack<int>>(outcomes, 2u); });
  EXPECT_EQ(kinds_of_findings(result), Kinds{"data race"}) << result;
  EXPECT_EQ(result.executions, 22u);
  EXPECT_EQ(result.duplicates, 0u);
  EXPECT_EQ(outcomes.all(), (Outcomes{"1 2", "2 1"}));
}

TEST_P(BoostLockfree, StackWithTwoProducersThatAllocateKeepsEachItemOnce) {
  OutcomeSet outcomes;
  const Result result = explore([&] { two_producers<boost::lockfree::stack<int>>(outcomes, 0u); });
  EXPECT_TRUE(result.proved()) << result;
  EXPECT_EQ(result.executions, 4u);
  EXPECT_EQ(result.duplicates, 0u);
  EXPECT_EQ(outcomes.all(), (Outcomes{"1 2", "2 1"}));
}

// The classic ABA program: while one thread is in the middle of a pop, the other takes both items and puts the first
// one back. The tags in the library's pointers are there for this.
TEST_P(BoostLockfree, StackSurvivesThatItsTopIsTakenAndPutBack) {
  OutcomeSet outcomes;
  const Result result = explore_races([&] {
    boost::lockfree::stack<int> stack(2);
    stack.push(2);
    stack.push(1);
    int thief_took = 0;
    std::thread thief([&] { thief_took = take(stack); });
    const int first = take(stack), second = take(stack);
    stack.push(first);
    thief.join();
    const int top = take(stack), below = take(stack);
    EXPECT_TRUE(stack.empty());
    // Each of 1 and 2 is now in one place.
    EXPECT_EQ((std::multiset{thief_took, second, top, below}), (std::multiset{0, 0, 1, 2}));
    outcomes.record(thief_took, second, top, below);
  });
  EXPECT_EQ(kinds_of_findings(result), Kinds{"data race"}) << result;
  EXPECT_EQ(result.executions, is_sc() ? 100u : 133u);
  EXPECT_EQ(result.duplicates, 0u);
  EXPECT_EQ(outcomes.all(), (Outcomes{"0 2 1 0", "1 0 2 0", "1 2 0 0", "2 0 1 0"}));
}

// --- spsc_queue: one producer, one consumer ---

TEST_P(BoostLockfree, SpscQueueDeliversEachItemOnceAndInOrder) {
  OutcomeSet outcomes;
  const Result result = explore([&] {
    SpscQueue queue;
    std::thread producer([&] {
      for (const int item : {1, 2, 3}) queue.push(item);  // the third one may find the queue full
    });
    int got[3] = {};
    for (int& item : got) item = take(queue);
    producer.join();
    const int rest[2] = {take(queue), take(queue)};
    EXPECT_EQ(take(queue), 0);
    int last = 0;
    for (const int item : {got[0], got[1], got[2], rest[0], rest[1]}) {
      if (item == 0) continue;
      EXPECT_EQ(item, last + 1);
      last = item;
    }
    EXPECT_GE(last, 2);
    sometimes(last == 3, "the third item fits because the consumer has made room");
    sometimes(last == 2, "the third item finds the queue full");
    outcomes.record(got[0], got[1], got[2], rest[0], rest[1]);
  });
  EXPECT_TRUE(result.proved()) << result;
  EXPECT_EQ(result.executions, is_sc() ? 44u : 47u);
  EXPECT_EQ(result.duplicates, 0u);
}

TEST_P(BoostLockfree, SpscQueueWithTwoProducersIsADataRaceAndLosesAnItem) {
  const Result result = explore_races([] {
    SpscQueue queue;
    std::thread first([&] { queue.push(1); });
    std::thread second([&] { queue.push(2); });
    first.join();
    second.join();
    const int sum = take(queue) + take(queue);
    check(sum == 3, "both items arrive");
  });
  EXPECT_EQ(result.verdict, Verdict::bug) << result;
  EXPECT_TRUE(result.found("data race")) << result;
  EXPECT_TRUE(result.found("invariant", "both items arrive")) << result;
}

}  // namespace
}  // namespace weft::test

#else
TEST(BoostLockfree, IsNotInstalled) { GTEST_SKIP() << "install libboost-dev"; }
#endif
