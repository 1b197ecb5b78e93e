// What mutexes, condition variables and futexes do not order: a program's fences do not synchronize through the state
// that Weft keeps for them, and futex calls are no fences. Each of these races would be hidden otherwise.
#include <gtest/gtest.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "explore_body.hpp"

namespace weft::test {
namespace {

bool has_race(const Explored& explored) {
  return std::ranges::find(explored.kinds, FindingKind::data_race) != explored.kinds.end();
}

TEST(FencesAndObjects, AFutexWakeIsNoReleaseFence) {
  const Explored explored = explore_body([](Recorder& record) {
    int data = 0;
    int word = 0;
    std::atomic<int> flag{0};
    std::thread writer([&] {
      data = 1;
      syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
      flag.store(1, std::memory_order_relaxed);
    });
    if (flag.load(std::memory_order_acquire) == 1) record(static_cast<std::uint64_t>(data));
    writer.join();
  });
  EXPECT_TRUE(has_race(explored));
}

TEST(FencesAndObjects, AFutexWakeIsNoAcquireFence) {
  const Explored explored = explore_body([](Recorder& record) {
    int data = 0;
    int word = 0;
    std::atomic<int> flag{0};
    std::thread writer([&] {
      data = 1;
      flag.store(1, std::memory_order_release);
    });
    if (flag.load(std::memory_order_relaxed) == 1) {
      syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
      record(static_cast<std::uint64_t>(data));
    }
    writer.join();
  });
  EXPECT_TRUE(has_race(explored));
}

TEST(FencesAndObjects, AReleaseFenceDoesNotReachWhoFailsToLock) {
  const Explored explored = explore_body([](Recorder& record) {
    int data = 0;
    std::mutex mutex;
    std::thread writer([&] {
      data = 1;
      std::atomic_thread_fence(std::memory_order_release);
      const std::lock_guard lock(mutex);
    });
    if (mutex.try_lock()) {
      mutex.unlock();
    } else {
      std::atomic_thread_fence(std::memory_order_acquire);
      record(static_cast<std::uint64_t>(data));
    }
    writer.join();
  });
  EXPECT_TRUE(has_race(explored));
}

TEST(FencesAndObjects, AReleaseFenceDoesNotReachTheNextNotifier) {
  const Explored explored = explore_body([](Recorder& record) {
    int data = 0;
    std::mutex mutex;
    std::condition_variable condition;
    bool done = false;
    std::thread first([&] {
      data = 1;
      std::atomic_thread_fence(std::memory_order_release);
      condition.notify_one();
    });
    std::thread second([&] {
      condition.notify_one();
      std::atomic_thread_fence(std::memory_order_acquire);
      record(static_cast<std::uint64_t>(data));
      const std::lock_guard lock(mutex);
      done = true;
      condition.notify_one();
    });
    {
      std::unique_lock lock(mutex);
      while (!done) condition.wait(lock);
    }
    first.join();
    second.join();
  });
  for (const auto& [outcome, count] : explored.outcomes) EXPECT_NE(outcome, "1") << "seen without a race";
  EXPECT_TRUE(has_race(explored));
}

TEST(FencesAndObjects, AMutexStillOrdersWhatItProtects) {
  const Explored explored = explore_body([](Recorder& record) {
    int data = 0;
    std::mutex mutex;
    std::thread writer([&] {
      const std::lock_guard lock(mutex);
      data = 1;
    });
    {
      const std::lock_guard lock(mutex);
      record(static_cast<std::uint64_t>(data));
    }
    writer.join();
  });
  EXPECT_TRUE(explored.findings.empty());
  EXPECT_EQ(explored.counts.executions, 2u);
}

}  // namespace
}  // namespace weft::test
