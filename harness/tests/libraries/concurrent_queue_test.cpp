// moodycamel::ConcurrentQueue, through the unchanged header of libconcurrentqueue-dev.
//
// The queue keeps one sub-queue for each producer, of blocks that are recycled through a free list. Blocks of two items
// and tables of two entries (Traits are the library's own way to say so) make the small programs here cross the ends of
// blocks.
#include "models.hpp"

#if __has_include(<concurrentqueue/concurrentqueue.h>)
#include <concurrentqueue/concurrentqueue.h>

#include <thread>

namespace weft::test {
namespace {

struct SmallTraits : moodycamel::ConcurrentQueueDefaultTraits {
  static constexpr std::size_t BLOCK_SIZE = 2;
  static constexpr std::size_t EXPLICIT_INITIAL_INDEX_SIZE = 2;
  static constexpr std::size_t IMPLICIT_INITIAL_INDEX_SIZE = 2;
  static constexpr std::size_t INITIAL_IMPLICIT_PRODUCER_HASH_SIZE = 2;
};
using Queue = moodycamel::ConcurrentQueue<int, SmallTraits>;

/// Takes one item; 0 if none is found.
int take(Queue& queue) {
  int item = 0;
  return queue.try_dequeue(item) ? item : 0;
}

class ConcurrentQueue : public UnderEachModel {};
INSTANTIATE_TEST_SUITE_P(Models, ConcurrentQueue, models(), model_name);

TEST_P(ConcurrentQueue, GivesTheItemsOfOneProducerInOrder) {
  OutcomeSet outcomes;
  const Result result = explore([&] {
    Queue queue(4);
    std::thread producer([&] {
      const moodycamel::ProducerToken token(queue);
      queue.enqueue(token, 1);
      queue.enqueue(token, 2);
    });
    const int early = take(queue);
    producer.join();
    const int then = take(queue), last = take(queue);
    outcomes.record(early, then, last);
  });
  EXPECT_TRUE(result.proved()) << result;
  EXPECT_EQ(result.executions, 6u);
  EXPECT_EQ(result.duplicates, 0u);
  EXPECT_EQ(outcomes.all(), (Outcomes{"0 1 2", "1 2 0"}));
}

TEST_P(ConcurrentQueue, DeliversEachItemOnceToTwoConsumers) {
  OutcomeSet outcomes;
  const Result result = explore([&] {
    Queue queue(4);
    const moodycamel::ProducerToken token(queue);
    for (const int item : {1, 2}) queue.enqueue(token, item);
    int first_got = 0, second_got = 0;
    std::thread first([&] { first_got = take(queue); });
    std::thread second([&] { second_got = take(queue); });
    first.join();
    second.join();
    EXPECT_EQ(take(queue), 0);
    outcomes.record(first_got, second_got);
  });
  EXPECT_TRUE(result.proved()) << result;
  EXPECT_EQ(result.executions, is_sc() ? 10u : 12u);
  EXPECT_EQ(result.duplicates, 0u);
  EXPECT_EQ(outcomes.all(), (Outcomes{"1 2", "2 1"}));
}

TEST_P(ConcurrentQueue, KeepsTheItemsOfTwoProducersWithTokens) {
  OutcomeSet outcomes;
  const Result result = explore([&] {
    Queue queue(4, 2, 0);
    moodycamel::ProducerToken first_token(queue), second_token(queue);
    std::thread first([&] { queue.enqueue(first_token, 1); });
    std::thread second([&] { queue.enqueue(second_token, 2); });
    const int early = take(queue);
    first.join();
    second.join();
    const int then = take(queue), last = take(queue);
    EXPECT_EQ(early + then + last, 3);
    outcomes.record(early != 0, then != 0, last != 0);
  });
  EXPECT_TRUE(result.proved()) << result;
  EXPECT_EQ(result.executions, 16u);
  EXPECT_EQ(result.duplicates, 0u);
  EXPECT_EQ(outcomes.all(), (Outcomes{"0 1 1", "1 1 0"}));
}

/// Two producers with two items each, two consumers that try `takes` times each.
void two_producers_and_two_consumers(int takes) {
  Queue queue(8, 2, 0);
  const moodycamel::ProducerToken first_token(queue), second_token(queue);
  std::thread first_producer([&] {
    for (const int item : {1, 2}) queue.enqueue(first_token, item);
  });
  std::thread second_producer([&] {
    for (const int item : {4, 8}) queue.enqueue(second_token, item);
  });
  int first_got = 0, second_got = 0;
  const auto consume = [&queue, takes](int& got) {
    for (int i = 0; i < takes; ++i) got += take(queue);
  };
  std::thread first_consumer([&] { consume(first_got); });
  std::thread second_consumer([&] { consume(second_got); });
  for (std::thread* thread : {&first_producer, &second_producer, &first_consumer, &second_consumer}) thread->join();
  int left = 0;
  for (int item = take(queue); item != 0; item = take(queue)) left += item;
  EXPECT_EQ(first_got + second_got + left, 1 + 2 + 4 + 8);
}

TEST_P(ConcurrentQueue, WithTwoProducersAndTwoConsumersLosesNothing) {
  const Result result = explore([] { two_producers_and_two_consumers(1); });
  EXPECT_TRUE(result.proved()) << result;
  EXPECT_EQ(result.executions, is_sc() ? 4684u : 5796u);
  EXPECT_EQ(result.duplicates, 0u);
}

// Too many executions to see all of them in a few seconds: no proof.
TEST_P(ConcurrentQueue, LosesNothingInTheFirst20000ExecutionsWithFourTakes) {
  const Result result = explore([] { two_producers_and_two_consumers(2); }, 20'000);
  EXPECT_EQ(result.verdict, Verdict::truncated) << result;
  EXPECT_TRUE(result.findings.empty()) << result;
}

// A token belongs to one thread.
TEST_P(ConcurrentQueue, WithOneTokenForTwoProducersIsADataRace) {
  const Result result = explore_to_first_finding([] {
    Queue queue(4);
    const moodycamel::ProducerToken token(queue);
    std::thread first([&] { queue.enqueue(token, 1); });
    std::thread second([&] { queue.enqueue(token, 2); });
    first.join();
    second.join();
  });
  EXPECT_TRUE(result.found("data race")) << result;
}

// A limit of Weft's, not a bug of the library: without a token, the library tells producers apart by the address of a
// thread_local object. In an exploration all threads run on one thread of the system and have their thread_local
// objects at the same addresses in turn, so that two producers share a sub-queue that is made for one.
TEST_P(ConcurrentQueue, WithoutTokensIsWronglyReportedBecauseThreadLocalsShareTheirAddress) {
  const Result result = explore_to_first_finding([] {
    Queue queue(8);
    std::thread first([&] { queue.enqueue(1); });
    std::thread second([&] { queue.enqueue(2); });
    first.join();
    second.join();
  });
  EXPECT_TRUE(result.found("data race")) << result;
}

}  // namespace
}  // namespace weft::test

#else
TEST(ConcurrentQueue, IsNotInstalled) { GTEST_SKIP() << "install libconcurrentqueue-dev"; }
#endif
