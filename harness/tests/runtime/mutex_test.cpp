// Mutexes: exact numbers of executions, no blocked ones for chains, misuse found.
#include <gtest/gtest.h>
#include <pthread.h>

#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include "explore_body.hpp"
#include "runtime/waiting.hpp"

namespace weft::test {
namespace {

class Mutexes : public testing::TestWithParam<Model> {
 protected:
  Explored explore(const std::function<void(Recorder&)>& body) { return explore_body(body, GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Models, Mutexes, testing::Values(Model::sc, Model::rc11),
                         [](const auto& model) { return model.param == Model::sc ? "sc" : "rc11"; });

using Outcomes = std::vector<std::string>;

std::function<void(Recorder&)> threads_on_one_mutex(int n) {
  return [n](Recorder& record) {
    std::mutex mutex;
    int count = 0;
    pthread_t handles[8];
    struct Shared {
      std::mutex& mutex;
      int& count;
    } shared{mutex, count};
    for (int i = 0; i < n; ++i) {
      pthread_create(&handles[i], nullptr, [](void* p) -> void* {
        Shared& s = *static_cast<Shared*>(p);
        const std::lock_guard lock(s.mutex);
        ++s.count;
        return nullptr;
      }, &shared);
    }
    for (int i = 0; i < n; ++i) pthread_join(handles[i], nullptr);
    record(static_cast<std::uint64_t>(count));
  };
}

TEST_P(Mutexes, ThreadsOnOneMutexCostAFactorialAndNoBlockedExecution) {
  const Explored three = explore(threads_on_one_mutex(3));
  EXPECT_EQ(three.counts.executions, 6u);
  EXPECT_EQ(three.counts.blocked, 0u);
  EXPECT_EQ(three.outcome_set(), Outcomes{"3"});
  EXPECT_TRUE(three.findings.empty());
  const Explored six = explore(threads_on_one_mutex(6));
  EXPECT_EQ(six.counts.executions, 720u);
  EXPECT_EQ(six.counts.blocked, 0u);
}

TEST_P(Mutexes, EightThreadsOnOneMutexAre40320Executions) {
  const Explored eight = explore(threads_on_one_mutex(8));
  EXPECT_EQ(eight.counts.executions, 40320u);
  EXPECT_EQ(eight.counts.blocked, 0u);
}

TEST_P(Mutexes, ARecursiveMutexIsLockedOnceByItsOwner) {
  const Explored explored = explore([](Recorder& record) {
    std::recursive_mutex mutex;
    int count = 0;
    std::jthread other([&] {
      const std::lock_guard lock(mutex);
      ++count;
    });
    {
      const std::lock_guard outer(mutex);
      const std::lock_guard inner(mutex);
      ++count;
    }
    other.join();
    record(static_cast<std::uint64_t>(count));
  });
  EXPECT_EQ(explored.counts.executions, 2u);
  EXPECT_EQ(explored.counts.blocked, 0u);
  EXPECT_EQ(explored.outcome_set(), Outcomes{"2"});
}

TEST_P(Mutexes, AnErrorCheckingMutexTellsItsOwnerAndStrangers) {
  const Explored explored = explore([](Recorder& record) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_t mutex;
    pthread_mutex_init(&mutex, &attributes);
    record(pthread_mutex_unlock(&mutex) == EPERM);
    record(pthread_mutex_lock(&mutex) == 0);
    record(pthread_mutex_lock(&mutex) == EDEADLK);
    std::thread([&] { record(pthread_mutex_unlock(&mutex) == EPERM); }).join();
    record(pthread_mutex_unlock(&mutex) == 0);
    record(pthread_mutex_destroy(&mutex) == 0);
  });
  EXPECT_EQ(explored.counts.executions, 1u);
  EXPECT_EQ(explored.outcome_set(), Outcomes{"1 1 1 1 1 1"});
  EXPECT_TRUE(explored.findings.empty());
}

TEST_P(Mutexes, TryLockFailsExactlyWhileAnotherHoldsIt) {
  const Explored explored = explore([](Recorder& record) {
    std::mutex mutex;
    bool got = false;
    std::thread other([&] {
      got = mutex.try_lock();
      if (got) mutex.unlock();
    });
    mutex.lock();
    mutex.unlock();
    other.join();
    record(got);
  });
  // try_lock before the lock, between lock and unlock, and after it.
  EXPECT_EQ(explored.counts.executions, 3u);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"0", "1"}));
}

TEST_P(Mutexes, ATimedLockTimesOutOnlyWhileAnotherHoldsIt) {
  const Explored explored = explore([](Recorder& record) {
    std::timed_mutex mutex;
    bool got = false;
    std::int64_t waited = 0;
    std::thread other([&] {
      const auto before = std::chrono::steady_clock::now();
      got = mutex.try_lock_for(std::chrono::milliseconds(5));
      waited = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - before).count();
      if (got) mutex.unlock();
    });
    mutex.lock();
    mutex.unlock();
    other.join();
    record(got);
    record(static_cast<std::uint64_t>(waited));
  });
  EXPECT_EQ(explored.counts.executions, 3u);
  EXPECT_EQ(explored.counts.deadlocks, 0u);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"0 5", "1 0"}));
}

TEST_P(Mutexes, LockingInOppositeOrdersIsADeadlockAndSaysWhoHoldsWhat) {
  std::vector<std::string> waits;
  const Explored explored = explore_body([](Recorder&) {
    std::mutex a;
    std::mutex b;
    std::thread other([&] {
      const std::lock_guard first(b);
      const std::lock_guard second(a);
    });
    {
      const std::lock_guard first(a);
      const std::lock_guard second(b);
    }
    other.join();
  }, GetParam(), 1000, [&](Execution& execution) {
    if (execution.thread(ThreadId{1}).state == Execution::ThreadState::finished) return;
    for (std::uint16_t t = 0; t < 2; ++t) {
      const WaitDescription wait = describe_wait(execution, ThreadId{t});
      waits.push_back(std::to_string(t) + " waits to " + wait.what + " of " +
                      (wait.held_by ? std::to_string(index(*wait.held_by)) : "nobody"));
    }
  });
  EXPECT_EQ(explored.counts.executions, 2u);
  EXPECT_EQ(explored.counts.deadlocks, 1u);
  EXPECT_EQ(explored.counts.blocked, 1u);
  EXPECT_EQ(waits, (std::vector<std::string>{"0 waits to lock mutex of 1", "1 waits to lock mutex of 0"}));
}

TEST_P(Mutexes, LockingANormalMutexTwiceIsADeadlock) {
  const Explored explored = explore([](Recorder&) {
    std::mutex mutex;
    mutex.lock();
    mutex.lock();
  });
  EXPECT_EQ(explored.counts.executions, 0u);
  EXPECT_EQ(explored.counts.deadlocks, 1u);
}

TEST_P(Mutexes, UnlockingWhatAnotherThreadHoldsIsMisuse) {
  const Explored explored = explore([](Recorder&) {
    std::mutex mutex;
    mutex.lock();
    std::thread([&] { mutex.unlock(); }).join();
  });
  EXPECT_EQ(explored.counts.failed, 1u);
  ASSERT_EQ(explored.kinds.size(), 1u);
  EXPECT_EQ(explored.kinds[0], FindingKind::mutex_misuse);
  EXPECT_EQ(explored.findings.begin()->first, "thread 1 unlocked mutex, which thread 0 holds");
}

TEST_P(Mutexes, UnlockingAFreeMutexIsMisuse) {
  const Explored explored = explore([](Recorder&) {
    std::mutex mutex;
    mutex.lock();
    mutex.unlock();
    mutex.unlock();
  });
  ASSERT_EQ(explored.kinds.size(), 1u);
  EXPECT_EQ(explored.findings.begin()->first, "thread 0 unlocked mutex, which nobody holds");
}

TEST_P(Mutexes, DestroyingALockedMutexIsMisuse) {
  const Explored explored = explore([](Recorder&) {
    pthread_mutex_t mutex;
    pthread_mutex_init(&mutex, nullptr);
    pthread_mutex_lock(&mutex);
    pthread_mutex_destroy(&mutex);
  });
  ASSERT_EQ(explored.kinds.size(), 1u);
  EXPECT_EQ(explored.kinds[0], FindingKind::mutex_misuse);
  EXPECT_EQ(explored.findings.begin()->first, "thread 0 destroyed mutex, which thread 0 holds");
}

TEST_P(Mutexes, AThreadThatEndsWithAMutexHeldIsWarnedOf) {
  const Explored explored = explore([](Recorder&) {
    static std::mutex mutex;
    std::thread([&] { mutex.lock(); }).join();
  });
  EXPECT_EQ(explored.counts.executions, 1u);
  ASSERT_EQ(explored.kinds.size(), 1u);
  EXPECT_EQ(explored.kinds[0], FindingKind::warning);
  EXPECT_EQ(explored.findings.begin()->first, "thread 1 ended while it held mutex");
}

TEST_P(Mutexes, AnotherMutexAtTheSameAddressStartsFree) {
  const Explored explored = explore([](Recorder& record) {
    for (int round = 0; round < 2; ++round) {
      std::mutex mutex;
      std::thread other([&] { const std::lock_guard lock(mutex); });
      {
        const std::lock_guard lock(mutex);
      }
      other.join();
    }
    record(1);
  });
  EXPECT_EQ(explored.counts.executions, 4u);
  EXPECT_EQ(explored.counts.blocked, 0u);
  EXPECT_TRUE(explored.findings.empty());
}

}  // namespace
}  // namespace weft::test
