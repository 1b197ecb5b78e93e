// Primitives that the runtime composes of reads, writes, fences and messages: exhaustive exploration of their real code
// finds exactly the executions and the deadlocks that brute force finds.
#include <gtest/gtest.h>
#include <semaphore.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>

#include "explore/explored_graphs.hpp"

namespace weft::test {
namespace {

struct Counts {
  std::size_t executions;
  std::size_t deadlocks;
};

class ComposedPrimitives : public testing::TestWithParam<Model> {
 protected:
  static constexpr std::uint64_t kMostGraphs = 400'000;

  static void compare(const std::function<void()>& body, Counts sc, Counts rc11) {
    ExplorationMemory memory;
    const ExploredGraphs found = explore_exhaustively(body, GetParam(), memory);
    const ExploredGraphs oracle = explore_by_brute_force(body, GetParam(), memory, kMostGraphs);
    EXPECT_EQ(found.fault, "");
    EXPECT_EQ(oracle.fault, "");
    ASSERT_FALSE(oracle.cut) << "too large for brute force";
    EXPECT_EQ(std::ranges::adjacent_find(found.executions), found.executions.end()) << "found twice";
    EXPECT_TRUE(found.executions == oracle.executions)
        << found.executions.size() << " executions, brute force has " << oracle.executions.size();
    EXPECT_TRUE(found.deadlocks == oracle.deadlocks)
        << found.deadlocks.size() << " deadlocks, brute force has " << oracle.deadlocks.size();
    RandomDecisions walk(1);
    std::size_t runs = 0;
    const ExploredGraphs walked = explore_by_decisions(body, GetParam(), memory, walk, [&] {
      walk.next_run();
      return ++runs < 500;
    });
    EXPECT_EQ(walked.fault, "");
    EXPECT_TRUE(std::ranges::includes(oracle.executions, walked.executions));
    EXPECT_TRUE(std::ranges::includes(oracle.deadlocks, walked.deadlocks));
    const Counts expected = GetParam() == Model::sc ? sc : rc11;
    EXPECT_EQ(found.executions.size(), expected.executions);
    EXPECT_EQ(found.deadlocks.size(), expected.deadlocks);
  }
};
INSTANTIATE_TEST_SUITE_P(EqualBruteForce, ComposedPrimitives, testing::Values(Model::sc, Model::rc11),
                         [](const auto& model) { return model.param == Model::sc ? "sc" : "rc11"; });

TEST_P(ComposedPrimitives, AtomicWaitAndNotify) {
  compare(
      [] {
        std::atomic<int> flag{0};
        std::thread notifier([&] {
          flag.store(1, std::memory_order_relaxed);
          flag.notify_one();
        });
        flag.wait(0, std::memory_order_relaxed);
        notifier.join();
      },
      {3, 0}, {5, 0});
}

TEST_P(ComposedPrimitives, AtomicWaitWithoutNotify) {
  compare(
      [] {
        std::atomic<int> flag{0};
        std::thread storer([&] { flag.store(1); });
        flag.wait(0);
        storer.join();
      },
      {2, 1}, {2, 1});
}

TEST_P(ComposedPrimitives, ABinarySemaphore) {
  compare(
      [] {
        std::binary_semaphore ready(0);
        std::thread producer([&] { ready.release(); });
        ready.acquire();
        producer.join();
      },
      {4, 0}, {7, 0});
}

TEST_P(ComposedPrimitives, ALatch) {
  compare(
      [] {
        std::latch latch(1);
        std::thread other([&] { latch.count_down(); });
        latch.wait();
        other.join();
      },
      {4, 0}, {7, 0});
}

TEST_P(ComposedPrimitives, AConditionVariable) {
  compare(
      [] {
        std::mutex mutex;
        std::condition_variable condition;
        bool ready = false;
        std::thread notifier([&] {
          const std::lock_guard lock(mutex);
          ready = true;
          condition.notify_one();
        });
        {
          std::unique_lock lock(mutex);
          while (!ready) condition.wait(lock);
        }
        notifier.join();
      },
      {2, 0}, {2, 0});
}

TEST_P(ComposedPrimitives, AWaitWithATimeOut) {
  compare(
      [] {
        std::mutex mutex;
        std::condition_variable condition;
        std::thread notifier([&] { condition.notify_one(); });
        {
          std::unique_lock lock(mutex);
          condition.wait_for(lock, std::chrono::milliseconds(1));
        }
        notifier.join();
      },
      {3, 0}, {3, 0});
}

TEST_P(ComposedPrimitives, ATryLock) {
  compare(
      [] {
        std::mutex mutex;
        std::thread other([&] { const std::lock_guard lock(mutex); });
        if (mutex.try_lock()) mutex.unlock();
        other.join();
      },
      {3, 0}, {3, 0});
}

TEST_P(ComposedPrimitives, AnRwlock) {
  compare(
      [] {
        std::shared_mutex mutex;
        std::thread writer([&] { const std::unique_lock lock(mutex); });
        std::thread reader([&] { const std::shared_lock lock(mutex); });
        { const std::shared_lock lock(mutex); }
        writer.join();
        reader.join();
      },
      {14, 0}, {14, 0});
}

TEST_P(ComposedPrimitives, APosixSemaphore) {
  compare(
      [] {
        sem_t semaphore;
        sem_init(&semaphore, 0, 0);
        std::thread a([&] { sem_post(&semaphore); });
        std::thread b([&] { sem_wait(&semaphore); });
        sem_post(&semaphore);
        sem_wait(&semaphore);
        a.join();
        b.join();
      },
      {7, 0}, {7, 0});
}

}  // namespace
}  // namespace weft::test
