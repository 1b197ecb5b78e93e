// Waits with a deadline, tries, and loops of them: each may time out, none takes part in a deadlock, loops come to an
// end.
#include <gtest/gtest.h>
#include <pthread.h>
#include <semaphore.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>

#include "explore_body.hpp"
#include "hidden.hpp"

namespace weft::test {
namespace {

using Outcomes = std::vector<std::string>;
using namespace std::chrono_literals;

class TimedWaits : public testing::TestWithParam<Model> {
 protected:
  Explored explore(const std::function<void(Recorder&)>& body) { return explore_body(body, GetParam(), 300'000); }
};
INSTANTIATE_TEST_SUITE_P(Models, TimedWaits, testing::Values(Model::sc, Model::rc11),
                         [](const auto& model) { return model.param == Model::sc ? "sc" : "rc11"; });

TEST_P(TimedWaits, AcquiringASemaphoreTimesOutOrNot) {
  const Explored explored = explore([](Recorder& record) {
    std::binary_semaphore ready(0);
    std::thread producer([&] { ready.release(); });
    record(ready.try_acquire_for(1ms));
    producer.join();
  });
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"0", "1"}));
  EXPECT_EQ(explored.counts.deadlocks, 0u);
  EXPECT_TRUE(explored.findings.empty());
}

TEST_P(TimedWaits, ASemaphoreThatNobodyReleasesTimesOut) {
  const Explored explored = explore([](Recorder& record) {
    std::binary_semaphore ready(0);
    const auto start = std::chrono::steady_clock::now();
    record(ready.try_acquire_for(5ms));
    record(std::chrono::steady_clock::now() - start >= 5ms);
  });
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"0 1"}));
  EXPECT_EQ(explored.counts.deadlocks, 0u);
}

TEST_P(TimedWaits, APosixSemaphoreTimesOutOrNot) {
  const Explored explored = explore([](Recorder& record) {
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    std::thread poster([&] { sem_post(&semaphore); });
    timespec deadline{};
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 1;
    const int error = sem_timedwait(&semaphore, &deadline) == 0 ? 0 : errno;
    record(static_cast<std::uint64_t>(error));
    poster.join();
  });
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"0", std::to_string(ETIMEDOUT)}));
  EXPECT_EQ(explored.counts.executions, 2u);
  EXPECT_EQ(explored.counts.deadlocks, 0u);
}

TEST_P(TimedWaits, WritingTimesOutOnlyWhileSomebodyReads) {
  const Explored explored = explore([](Recorder& record) {
    std::shared_timed_mutex mutex;
    std::thread reader([&] { const std::shared_lock lock(mutex); });
    const bool locked = mutex.try_lock_for(1ms);
    if (locked) mutex.unlock();
    reader.join();
    record(locked);
    record(mutex.try_lock_for(1ms));  // nobody has it: never times out
  });
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"0 1", "1 1"}));
  EXPECT_EQ(explored.counts.deadlocks, 0u);
}

TEST_P(TimedWaits, TryingToWriteFailsWhileSomebodyReads) {
  const Explored explored = explore([](Recorder& record) {
    std::shared_timed_mutex mutex;
    std::thread reader([&] { const std::shared_lock lock(mutex); });
    const bool locked = mutex.try_lock();
    if (locked) mutex.unlock();
    reader.join();
    record(locked);
  });
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"0", "1"}));
}

TEST_P(TimedWaits, AReaderTimesOutOnlyWhileSomebodyWrites) {
  const Explored explored = explore([](Recorder& record) {
    std::shared_timed_mutex mutex;
    std::thread writer([&] { const std::unique_lock lock(mutex); });
    const bool locked = mutex.try_lock_shared_for(1ms);
    if (locked) mutex.unlock_shared();
    writer.join();
    record(locked);
  });
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"0", "1"}));
  EXPECT_EQ(explored.counts.deadlocks, 0u);
}

TEST_P(TimedWaits, ARecursiveMutexGoesWithAConditionVariableAny) {
  const Explored explored = explore([](Recorder& record) {
    std::recursive_mutex mutex;
    std::condition_variable_any condition;
    bool ready = false;
    std::thread notifier([&] {
      const std::lock_guard outer(mutex);
      const std::lock_guard inner(mutex);
      ready = true;
      condition.notify_one();
    });
    {
      std::unique_lock lock(mutex);
      condition.wait(lock, [&] { return ready; });
      record(ready);
    }
    notifier.join();
  });
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"1"}));
  EXPECT_EQ(explored.counts.deadlocks, 0u);
  EXPECT_TRUE(explored.findings.empty());
}

TEST_P(TimedWaits, TheUsualPollingLoopWithATimeOutEnds) {
  const Explored explored = explore([](Recorder& record) {
    std::mutex mutex;
    std::condition_variable condition;
    bool stop = false;
    std::thread server([&] {
      std::unique_lock lock(mutex);
      while (!stop) condition.wait_for(lock, 10ms);
    });
    {
      const std::lock_guard lock(mutex);
      stop = true;
    }
    server.join();
    record(1);
  });
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"1"}));
  EXPECT_EQ(explored.counts.deadlocks, 0u);
  EXPECT_TRUE(explored.findings.empty());
  EXPECT_NE(explored.bound, nullptr) << "more rounds were left out";
}

TEST_P(TimedWaits, AFewRetriesAreNoBound) {
  const Explored explored = explore([](Recorder& record) {
    std::mutex mutex;
    std::condition_variable condition;
    std::unique_lock lock(mutex);
    std::uint64_t timed_out = 0;
    for (int i = 0; i < 4; ++i) timed_out += condition.wait_for(lock, 10ms) == std::cv_status::timeout;
    record(timed_out);
  });
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"4"}));
  EXPECT_EQ(explored.bound, nullptr);
}

/// One place of the code in every build: clang puts a try before the loop, and bounds are for each place.
[[gnu::noinline]] bool try_once(std::mutex& mutex) { return mutex.try_lock(); }

TEST_P(TimedWaits, ALoopOfTriesEnds) {
  const Explored explored = explore([](Recorder& record) {
    std::mutex mutex;
    std::thread other([&] { const std::lock_guard lock(mutex); });
    std::uint64_t failures = 0;
    while (!try_once(mutex)) {
      ++failures;
      std::this_thread::yield();
    }
    mutex.unlock();
    other.join();
    record(failures);
  });
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"0", "1", "2", "3", "4"}));
  EXPECT_EQ(explored.counts.deadlocks, 0u);
  EXPECT_NE(explored.bound, nullptr);
}

TEST_P(TimedWaits, LockingTwoMutexesAtOnceInEitherOrderEnds) {
  const Explored explored = explore([](Recorder& record) {
    std::mutex a;
    std::mutex b;
    int value = 0;
    std::thread other([&] {
      const std::scoped_lock both(b, a);
      ++value;
    });
    {
      const std::scoped_lock both(a, b);
      ++value;
    }
    other.join();
    record(static_cast<std::uint64_t>(value));
  });
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"2"}));
  EXPECT_EQ(explored.counts.deadlocks, 0u);
  EXPECT_TRUE(explored.findings.empty());
  EXPECT_LT(explored.counts.runs, 300'000u) << "not explored to the end";
}

TEST_P(TimedWaits, ALoopThatSleepsUntilAFlagIsSetEnds) {
  const Explored explored = explore([](Recorder& record) {
    std::atomic<bool> flag{false};
    std::thread setter([&] { flag = true; });
    while (!flag) std::this_thread::sleep_for(1ms);
    setter.join();
    record(1);
  });
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"1"}));
  EXPECT_LE(explored.counts.executions, 3u);
  EXPECT_EQ(explored.counts.deadlocks, 0u);
}

TEST_P(TimedWaits, ALoopThatSleepsUntilAFlagThatNobodySetsIsALivelock) {
  const Explored explored = explore([](Recorder&) {
    std::atomic<bool> flag{false};
    hidden(&flag);  // or clang leaves out all loads of what nobody else can store to
    while (!flag) std::this_thread::sleep_for(1ms);
  });
  EXPECT_EQ(explored.counts.executions, 0u);
  EXPECT_EQ(explored.counts.deadlocks, 1u);
}

TEST_P(TimedWaits, ALoopThatSleepsUntilADeadlineEndsByIt) {
  const Explored explored = explore([](Recorder& record) {
    std::atomic<bool> flag{false};
    hidden(&flag);
    const auto end = std::chrono::steady_clock::now() + 5ms;
    std::uint64_t rounds = 0;
    while (!flag && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(1ms);
      ++rounds;
    }
    record(rounds);
  });
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"5"}));
  EXPECT_EQ(explored.counts.deadlocks, 0u);
}

/// The same with nothing on the stack that changes from round to round.
TEST_P(TimedWaits, ALoopWithoutACounterThatSleepsUntilADeadlineEndsByIt) {
  const Explored explored = explore([](Recorder& record) {
    std::atomic<bool> flag{false};
    hidden(&flag);
    const auto end = std::chrono::steady_clock::now() + 5ms;
    while (!flag && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(1ms);
    record(1);
  });
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"1"}));
  EXPECT_EQ(explored.counts.deadlocks, 0u);
}

TEST_P(TimedWaits, ALoopThatComputesUntilADeadlineIsNoLivelock) {
  const Explored explored = explore([](Recorder& record) {
    std::atomic<bool> flag{false};
    std::thread setter([&] { flag = true; });
    const auto end = std::chrono::steady_clock::now() + 5ms;
    while (!flag && std::chrono::steady_clock::now() < end) {
    }
    setter.join();
    record(1);
    while (std::chrono::steady_clock::now() < end && flag) {
    }
  });
  EXPECT_EQ(explored.counts.deadlocks, 0u);
  EXPECT_GT(explored.counts.blocked, 0u);
  EXPECT_NE(explored.bound, nullptr);
}

}  // namespace
}  // namespace weft::test
