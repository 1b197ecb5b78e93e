// Readers-writer locks, spin locks, POSIX semaphores and pthread barriers.
#include <gtest/gtest.h>
#include <pthread.h>
#include <semaphore.h>

#include <cerrno>
#include <shared_mutex>
#include <thread>

#include "explore_body.hpp"

namespace weft::test {
namespace {

using Outcomes = std::vector<std::string>;

class Locks : public testing::TestWithParam<Model> {
 protected:
  Explored explore(const std::function<void(Recorder&)>& body) { return explore_body(body, GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Models, Locks, testing::Values(Model::sc, Model::rc11),
                         [](const auto& model) { return model.param == Model::sc ? "sc" : "rc11"; });

TEST_P(Locks, AWriterExcludesReaders) {
  const Explored explored = explore([](Recorder& record) {
    std::shared_mutex mutex;
    int a = 0;
    int b = 0;
    std::thread writer([&] {
      const std::unique_lock lock(mutex);
      a = 1;
      b = 1;
    });
    int seen = 0;
    {
      const std::shared_lock lock(mutex);
      seen = a * 10 + b;
    }
    writer.join();
    record(static_cast<std::uint64_t>(seen));
  });
  EXPECT_EQ(explored.counts.executions, 2u);
  EXPECT_EQ(explored.counts.deadlocks, 0u);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"0", "11"}));
  EXPECT_TRUE(explored.findings.empty());
}

TEST_P(Locks, ReadersShare) {
  const Explored explored = explore([](Recorder& record) {
    std::shared_mutex mutex;
    bool both = false;
    std::thread other([&] {
      if (mutex.try_lock_shared()) {
        both = true;
        mutex.unlock_shared();
      }
    });
    {
      const std::shared_lock lock(mutex);
    }
    other.join();
    record(both);
  });
  EXPECT_EQ(explored.counts.deadlocks, 0u);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"1"})) << "a reader never keeps another one out";
  EXPECT_EQ(explored.counts.blocked, 0u);
}

TEST_P(Locks, TwoReadersThatWriteAreARace) {
  const Explored explored = explore([](Recorder&) {
    std::shared_mutex mutex;
    int value = 0;
    std::thread other([&] {
      const std::shared_lock lock(mutex);
      value = 1;
    });
    {
      const std::shared_lock lock(mutex);
      value = 2;
    }
    other.join();
  });
  ASSERT_FALSE(explored.kinds.empty());
  EXPECT_EQ(explored.kinds[0], FindingKind::data_race);
}

TEST_P(Locks, UnlockingAnRwlockThatIsNotHeldIsMisuse) {
  const Explored explored = explore([](Recorder&) {
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_rwlock_unlock(&lock);
  });
  ASSERT_EQ(explored.kinds.size(), 1u);
  EXPECT_EQ(explored.kinds[0], FindingKind::mutex_misuse);
  EXPECT_EQ(explored.findings.begin()->first, "thread 0 unlocked rwlock, which it does not hold");
}

TEST_P(Locks, SpinLocksExclude) {
  const Explored explored = explore([](Recorder& record) {
    pthread_spinlock_t lock;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    int count = 0;
    const auto bump = [&] {
      pthread_spin_lock(&lock);
      ++count;
      pthread_spin_unlock(&lock);
    };
    std::thread a(bump);
    std::thread b(bump);
    a.join();
    b.join();
    record(static_cast<std::uint64_t>(count));
  });
  EXPECT_EQ(explored.counts.executions, 2u);
  EXPECT_EQ(explored.counts.blocked, 0u);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"2"}));
  EXPECT_TRUE(explored.findings.empty());
}

TEST_P(Locks, ASemaphoreCountsAndOrders) {
  const Explored explored = explore([](Recorder& record) {
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    int value = 0;
    std::thread producer([&] {
      value = 4;
      sem_post(&semaphore);
    });
    sem_wait(&semaphore);
    record(static_cast<std::uint64_t>(value));
    producer.join();
    int left = -1;
    sem_getvalue(&semaphore, &left);
    record(static_cast<std::uint64_t>(left));
    record(sem_trywait(&semaphore) == -1 && errno == EAGAIN);
    sem_destroy(&semaphore);
  });
  EXPECT_EQ(explored.counts.executions, 1u);
  EXPECT_EQ(explored.counts.deadlocks, 0u);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"4 0 1"}));
  EXPECT_TRUE(explored.findings.empty());
}

TEST_P(Locks, ASemaphoreThatNobodyPostsIsADeadlock) {
  const Explored explored = explore([](Recorder&) {
    sem_t semaphore;
    sem_init(&semaphore, 0, 1);
    sem_wait(&semaphore);
    sem_wait(&semaphore);
  });
  EXPECT_EQ(explored.counts.executions, 0u);
  EXPECT_EQ(explored.counts.deadlocks, 1u);
}

TEST_P(Locks, ABarrierHasOneSerialThreadAndOrdersWhatIsBeforeIt) {
  const Explored explored = explore([](Recorder& record) {
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, nullptr, 2);
    int mine = 0;
    int theirs = 0;
    int serial = 0;
    int seen = 0;
    std::thread other([&] {
      theirs = 1;
      const bool last = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
      if (last) serial += 1;
      seen = mine;
    });
    mine = 2;
    const bool last = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
    const int saw = theirs;
    other.join();
    if (last) serial += 1;
    record(static_cast<std::uint64_t>(seen));
    record(static_cast<std::uint64_t>(saw));
    record(static_cast<std::uint64_t>(serial));
  });
  EXPECT_EQ(explored.counts.executions, 2u);
  EXPECT_EQ(explored.counts.blocked, 0u);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"2 1 1"}));
  EXPECT_TRUE(explored.findings.empty());
}

}  // namespace
}  // namespace weft::test
