// Condition variables: sleeping explores no blocked execution, no wake-up is missed, time-outs race with notifications.
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "explore_body.hpp"

namespace weft::test {
namespace {

using Outcomes = std::vector<std::string>;

class Conditions : public testing::TestWithParam<Model> {
 protected:
  Explored explore(const std::function<void(Recorder&)>& body) { return explore_body(body, GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Models, Conditions, testing::Values(Model::sc, Model::rc11),
                         [](const auto& model) { return model.param == Model::sc ? "sc" : "rc11"; });

TEST_P(Conditions, AWaiterIsWokenByANotificationUnderTheMutex) {
  const Explored explored = explore([](Recorder& record) {
    std::mutex mutex;
    std::condition_variable condition;
    bool ready = false;
    std::thread notifier([&] {
      const std::lock_guard lock(mutex);
      ready = true;
      condition.notify_one();
    });
    bool slept = false;
    {
      std::unique_lock lock(mutex);
      while (!ready) {
        slept = true;
        condition.wait(lock);
      }
    }
    notifier.join();
    record(slept);
  });
  EXPECT_EQ(explored.counts.executions, 2u);
  EXPECT_EQ(explored.counts.blocked, 0u);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"0", "1"}));
}

TEST_P(Conditions, ANotificationThatNobodyWaitsForIsLost) {
  const Explored explored = explore([](Recorder& record) {
    std::mutex mutex;
    std::condition_variable condition;
    std::thread notifier([&] {
      const std::lock_guard lock(mutex);
      condition.notify_one();
    });
    {
      std::unique_lock lock(mutex);
      condition.wait(lock);
    }
    notifier.join();
    record(1);
  });
  EXPECT_EQ(explored.counts.executions, 1u) << "the waiter comes first";
  EXPECT_EQ(explored.counts.deadlocks, 1u) << "the notifier comes first";
  EXPECT_EQ(explored.counts.blocked, 1u);
}

TEST_P(Conditions, ANotificationWithoutTheMutexMayBeMissed) {
  const Explored explored = explore([](Recorder&) {
    std::mutex mutex;
    std::condition_variable condition;
    bool ready = false;
    std::thread notifier([&] {
      {
        const std::lock_guard lock(mutex);
        ready = true;
      }
      condition.notify_one();
    });
    {
      std::unique_lock lock(mutex);
      while (!ready) condition.wait(lock);
    }
    notifier.join();
  });
  EXPECT_EQ(explored.counts.executions, 2u) << "set under the mutex: not missed";
  EXPECT_EQ(explored.counts.deadlocks, 0u);
}

TEST_P(Conditions, EitherOfTwoWaitersMayBeWoken) {
  const Explored explored = explore([](Recorder& record) {
    std::mutex mutex;
    std::condition_variable condition;
    int tokens = 0;
    int order = 0;
    const auto take = [&](int self) {
      std::unique_lock lock(mutex);
      while (tokens == 0) condition.wait(lock);
      --tokens;
      order = order * 10 + self;
    };
    std::thread a(take, 1);
    std::thread b(take, 2);
    for (int i = 0; i < 2; ++i) {
      const std::lock_guard lock(mutex);
      ++tokens;
      condition.notify_one();
    }
    a.join();
    b.join();
    record(static_cast<std::uint64_t>(order));
  });
  EXPECT_EQ(explored.counts.blocked, 0u);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"12", "21"}));
  EXPECT_EQ(explored.counts.executions, 30u);
}

TEST_P(Conditions, BroadcastWakesAllWaiters) {
  const Explored explored = explore([](Recorder& record) {
    std::mutex mutex;
    std::condition_variable condition;
    bool go = false;
    int through = 0;
    const auto pass = [&] {
      std::unique_lock lock(mutex);
      condition.wait(lock, [&] { return go; });
      ++through;
    };
    std::thread a(pass);
    std::thread b(pass);
    {
      const std::lock_guard lock(mutex);
      go = true;
      condition.notify_all();
    }
    a.join();
    b.join();
    record(static_cast<std::uint64_t>(through));
  });
  EXPECT_EQ(explored.counts.blocked, 0u);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"2"}));
  EXPECT_EQ(explored.counts.executions, 10u);
}

TEST_P(Conditions, ProducerAndConsumerPassEveryItemInOrder) {
  const Explored explored = explore([](Recorder& record) {
    std::mutex mutex;
    std::condition_variable not_empty;
    std::condition_variable not_full;
    int slot = 0;
    std::thread producer([&] {
      for (int item = 1; item <= 2; ++item) {
        std::unique_lock lock(mutex);
        not_full.wait(lock, [&] { return slot == 0; });
        slot = item;
        not_empty.notify_one();
      }
    });
    for (int i = 0; i < 2; ++i) {
      std::unique_lock lock(mutex);
      not_empty.wait(lock, [&] { return slot != 0; });
      record(static_cast<std::uint64_t>(slot));
      slot = 0;
      not_full.notify_one();
    }
    producer.join();
  });
  EXPECT_EQ(explored.counts.blocked, 0u);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"1 2"}));
  EXPECT_EQ(explored.counts.executions, 8u);
}

TEST_P(Conditions, OneNotificationForTwoKindsOfWaitersIsALostWakeUp) {
  // The classic: producers and consumers on one condition variable, notify_one wakes one of the wrong kind.
  const Explored explored = explore([](Recorder&) {
    std::mutex mutex;
    std::condition_variable condition;
    bool odd = false;
    bool even = false;
    std::thread a([&] {
      std::unique_lock lock(mutex);
      condition.wait(lock, [&] { return odd; });
    });
    std::thread b([&] {
      std::unique_lock lock(mutex);
      condition.wait(lock, [&] { return even; });
    });
    {
      const std::lock_guard lock(mutex);
      odd = true;
      condition.notify_one();
    }
    a.join();
    {
      const std::lock_guard lock(mutex);
      even = true;
      condition.notify_one();
    }
    b.join();
  });
  EXPECT_GT(explored.counts.deadlocks, 0u);
  EXPECT_EQ(explored.counts.blocked, explored.counts.deadlocks);
}

TEST_P(Conditions, ATimedWaitIsNotifiedOrTimesOutAndTimePasses) {
  const Explored explored = explore([](Recorder& record) {
    std::mutex mutex;
    std::condition_variable condition;
    std::thread notifier([&] {
      const std::lock_guard lock(mutex);
      condition.notify_one();
    });
    const auto before = std::chrono::steady_clock::now();
    bool timed_out = false;
    {
      std::unique_lock lock(mutex);
      timed_out = condition.wait_for(lock, std::chrono::milliseconds(7)) == std::cv_status::timeout;
    }
    const auto waited =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - before).count();
    notifier.join();
    record(timed_out);
    record(static_cast<std::uint64_t>(waited));
  });
  EXPECT_EQ(explored.counts.deadlocks, 0u) << "a thread that times out waits for nobody";
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"0 0", "1 7"}));
  EXPECT_EQ(explored.counts.executions, 4u);
}

TEST_P(Conditions, ASpuriousWakeUpBreaksAWaitWithoutALoop) {
  const auto wait_without_a_loop = [](Recorder& record) {
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
      if (!ready) condition.wait(lock);
      record(ready);
    }
    notifier.join();
  };
  EXPECT_EQ(explore_body(wait_without_a_loop, GetParam()).outcome_set(), (Outcomes{"1"}));
  const Explored explored = explore_body(wait_without_a_loop, GetParam(), 1000, nullptr, false, 1);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"0", "1"}));
  // Notifier first; notified; woken by nothing and then locking before or after the notifier.
  EXPECT_EQ(explored.counts.executions, 4u);
}

TEST_P(Conditions, WaitingWithoutTheMutexIsMisuse) {
  const Explored explored = explore([](Recorder&) {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    pthread_cond_wait(&condition, &mutex);
  });
  ASSERT_EQ(explored.kinds.size(), 1u);
  EXPECT_EQ(explored.kinds[0], FindingKind::condition_misuse);
  EXPECT_EQ(explored.findings.begin()->first,
            "thread 0 waited on condition variable without holding the mutex that it gave");
}

TEST_P(Conditions, WaitingWithTwoMutexesAtOnceIsMisuse) {
  const Explored explored = explore([](Recorder&) {
    std::mutex first;
    std::mutex second;
    std::condition_variable condition;
    std::thread other([&] {
      std::unique_lock lock(first);
      condition.wait(lock);
    });
    std::unique_lock lock(second);
    condition.wait(lock);
    other.join();
  });
  EXPECT_GT(explored.counts.failed, 0u);
  EXPECT_EQ(explored.counts.executions, 0u);
  ASSERT_FALSE(explored.kinds.empty());
  EXPECT_EQ(explored.kinds[0], FindingKind::condition_misuse);
}

TEST_P(Conditions, DestroyingAConditionWithAWaiterIsMisuse) {
  const Explored explored = explore([](Recorder&) {
    static std::mutex mutex;
    alignas(std::condition_variable) static std::byte storage[sizeof(std::condition_variable)];
    auto* const condition = new (storage) std::condition_variable;
    static bool waits;
    waits = false;
    std::thread waiter([condition] {
      std::unique_lock lock(mutex);
      waits = true;
      condition->wait(lock);
    });
    mutex.lock();
    const bool destroy = waits;
    mutex.unlock();
    if (destroy) condition->~condition_variable();
    waiter.detach();
  });
  EXPECT_EQ(explored.counts.failed, 1u);
  ASSERT_GE(explored.kinds.size(), 1u);
  EXPECT_EQ(explored.kinds[0], FindingKind::condition_misuse);
  EXPECT_EQ(explored.findings.begin()->first, "thread 0 destroyed condition variable on which thread 1 waits");
}

}  // namespace
}  // namespace weft::test
