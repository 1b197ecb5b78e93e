// Mutexes and their like as memory: used after free, ended while somebody may still use them, replaced while held.
#include <gtest/gtest.h>
#include <pthread.h>
#include <semaphore.h>

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <thread>

#include "explore_body.hpp"

namespace weft::test {
namespace {

bool has(const Explored& explored, FindingKind kind) {
  return std::ranges::find(explored.kinds, kind) != explored.kinds.end();
}

TEST(ObjectLifetime, LockingAFreedMutexIsUseAfterFree) {
  const Explored explored = explore_body([](Recorder&) {
    auto* const mutex = new std::mutex;
    delete mutex;
// The fault that this test is about; g++ sees it, too.
#pragma GCC diagnostic push
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuse-after-free"
#endif
    mutex->lock();
#pragma GCC diagnostic pop
  });
  EXPECT_TRUE(has(explored, FindingKind::use_after_free));
  EXPECT_EQ(explored.counts.executions, 0u);
}

TEST(ObjectLifetime, DeletingAMutexThatAnotherThreadMayLockIsARace) {
  const Explored explored = explore_body([](Recorder&) {
    auto* const mutex = new std::mutex;
    std::thread other([=] { const std::lock_guard lock(*mutex); });
    { const std::lock_guard lock(*mutex); }
    delete mutex;
    other.join();
  });
  EXPECT_TRUE(has(explored, FindingKind::data_race) || has(explored, FindingKind::use_after_free));
  EXPECT_GT(explored.counts.failed, 0u);
}

TEST(ObjectLifetime, TheLastToUnlockMayDeleteTheMutex) {
  struct Shared {
    std::mutex mutex;
    int users = 2;
  };
  const Explored explored = explore_body([](Recorder&) {
    auto* const shared = new Shared;
    const auto leave = [](Shared* s) {
      s->mutex.lock();
      const bool last = --s->users == 0;
      s->mutex.unlock();
      if (last) delete s;
    };
    std::thread other(leave, shared);
    leave(shared);
    other.join();
  });
  EXPECT_EQ(explored.counts.executions, 2u);
  EXPECT_TRUE(explored.findings.empty());
}

TEST(ObjectLifetime, MakingAMutexBeforeTheThreadsThatUseItIsNoRace) {
  const Explored explored = explore_body([](Recorder&) {
    const auto mutex = std::make_unique<std::mutex>();
    std::thread a([&] { const std::lock_guard lock(*mutex); });
    std::thread b([&] { const std::lock_guard lock(*mutex); });
    a.join();
    b.join();
  });
  EXPECT_EQ(explored.counts.executions, 2u);
  EXPECT_TRUE(explored.findings.empty());
}

TEST(ObjectLifetime, NotifyingAConditionVariableThatTheWaiterHasEndedIsARace) {
  const Explored explored = explore_body([](Recorder&) {
    auto* const mutex = new std::mutex;
    auto* const condition = new std::condition_variable;
    bool ready = false;
    std::thread notifier([&ready, mutex, condition] {
      {
        const std::lock_guard lock(*mutex);
        ready = true;
      }
      condition->notify_one();  // the waiter may have seen `ready` and gone
    });
    {
      std::unique_lock lock(*mutex);
      while (!ready) condition->wait(lock);
    }
    delete condition;
    notifier.join();
    delete mutex;
  });
  EXPECT_TRUE(has(explored, FindingKind::data_race) || has(explored, FindingKind::use_after_free));
}

TEST(ObjectLifetime, NotifyingUnderTheMutexLetsTheWaiterEndIt) {
  const Explored explored = explore_body([](Recorder&) {
    auto* const mutex = new std::mutex;
    auto* const condition = new std::condition_variable;
    bool ready = false;
    std::thread notifier([&ready, mutex, condition] {
      const std::lock_guard lock(*mutex);
      ready = true;
      condition->notify_one();
    });
    {
      std::unique_lock lock(*mutex);
      while (!ready) condition->wait(lock);
    }
    delete condition;
    notifier.join();
    delete mutex;
  });
  EXPECT_EQ(explored.counts.executions, 2u);
  EXPECT_TRUE(explored.findings.empty());
}

TEST(ObjectLifetime, ASemaphoreMayEndOnceItIsTaken) {
  const Explored explored = explore_body([](Recorder&) {
    auto* const semaphore = new sem_t;
    sem_init(semaphore, 0, 0);
    std::thread poster([=] { sem_post(semaphore); });
    sem_wait(semaphore);
    sem_destroy(semaphore);
    delete semaphore;
    poster.join();
  });
  EXPECT_EQ(explored.counts.executions, 1u);
  EXPECT_TRUE(explored.findings.empty());
}

TEST(ObjectLifetime, PostingToAnEndedSemaphoreIsFound) {
  const Explored explored = explore_body([](Recorder&) {
    auto* const semaphore = new sem_t;
    sem_init(semaphore, 0, 1);
    std::thread poster([=] { sem_post(semaphore); });
    sem_wait(semaphore);
    sem_destroy(semaphore);
    poster.join();
    delete semaphore;
  });
  EXPECT_TRUE(has(explored, FindingKind::data_race));
}

TEST(ObjectLifetime, AnRwlockThatIsEndedTooSoonIsFound) {
  const Explored explored = explore_body([](Recorder&) {
    auto* const lock = new std::shared_mutex;
    std::thread reader([=] { const std::shared_lock held(*lock); });
    delete lock;
    reader.join();
  });
  EXPECT_TRUE(has(explored, FindingKind::data_race) || has(explored, FindingKind::use_after_free));
}

TEST(ObjectLifetime, ANewMutexInThePlaceOfALockedOneIsMisuse) {
  const Explored explored = explore_body([](Recorder&) {
    alignas(std::mutex) unsigned char memory[sizeof(std::mutex)];
    auto* const dropped = new (memory) std::mutex;
    dropped->lock();
    auto* const fresh = new (memory) std::mutex;
    fresh->lock();
  });
  EXPECT_EQ(explored.findings.size(), 1u);
  ASSERT_FALSE(explored.kinds.empty());
  EXPECT_EQ(explored.kinds[0], FindingKind::mutex_misuse);
  EXPECT_EQ(explored.findings.begin()->first,
            "thread 0 used a new mutex that was made in the place of mutex, which thread 0 holds");
}

TEST(ObjectLifetime, ANewMutexInThePlaceOfAFreeOneIsFine) {
  const Explored explored = explore_body([](Recorder&) {
    alignas(std::mutex) unsigned char memory[sizeof(std::mutex)];
    for (int round = 0; round < 2; ++round) {
      auto* const mutex = new (memory) std::mutex;
      std::thread other([=] { const std::lock_guard lock(*mutex); });
      { const std::lock_guard lock(*mutex); }
      other.join();
    }
  });
  EXPECT_EQ(explored.counts.executions, 4u);
  EXPECT_TRUE(explored.findings.empty());
}

TEST(ObjectLifetime, AnRwlockHeldAtTheEndOfAThreadIsWarnedOf) {
  const Explored explored = explore_body([](Recorder&) {
    static std::shared_mutex mutex;
    std::thread([] { mutex.lock_shared(); }).join();
  });
  EXPECT_EQ(explored.counts.executions, 1u);
  ASSERT_EQ(explored.kinds.size(), 1u);
  EXPECT_EQ(explored.kinds[0], FindingKind::warning);
  EXPECT_EQ(explored.findings.begin()->first, "thread 1 ended while it held rwlock for reading");
}

}  // namespace
}  // namespace weft::test
