// What a deadlock's report says each thread waits for.
#include <gtest/gtest.h>
#include <pthread.h>
#include <semaphore.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include "explore_body.hpp"
#include "runtime/waiting.hpp"

namespace weft::test {
namespace {

/// What thread 0 waits for, in the only deadlock of `body`.
std::string waits_to(const std::function<void(Recorder&)>& body) {
  std::string words = "no deadlock";
  const Explored explored = explore_body(body, Model::rc11, 10'000, [&](Execution& execution) {
    if (execution.thread(ThreadId{0}).state == Execution::ThreadState::finished) return;
    const WaitDescription wait = describe_wait(execution, ThreadId{0});
    words = wait.what + (wait.held_by ? ", held by " + std::to_string(index(*wait.held_by)) : "");
    EXPECT_NE(wait.place, nullptr);
  });
  EXPECT_GE(explored.counts.deadlocks, 1u);
  return words;
}

TEST(WaitWords, AConditionVariable) {
  EXPECT_EQ(waits_to([](Recorder&) {
              std::mutex mutex;
              std::condition_variable condition;
              std::unique_lock lock(mutex);
              condition.wait(lock);
            }),
            "be notified of condition variable");
}

TEST(WaitWords, ASemaphore) {
  EXPECT_EQ(waits_to([](Recorder&) {
              sem_t semaphore;
              sem_init(&semaphore, 0, 0);
              sem_wait(&semaphore);
            }),
            "take from semaphore");
}

TEST(WaitWords, AJoin) {
  EXPECT_EQ(waits_to([](Recorder&) {
              std::mutex mutex;
              mutex.lock();
              std::thread other([&] { mutex.lock(); });
              other.join();
            }),
            "join thread 1, held by 1");
}

TEST(WaitWords, ABarrier) {
  EXPECT_EQ(waits_to([](Recorder&) {
              pthread_barrier_t barrier;
              pthread_barrier_init(&barrier, nullptr, 2);
              pthread_barrier_wait(&barrier);
            }),
            "pass barrier");
}

TEST(WaitWords, AnAtomicWait) {
  EXPECT_EQ(waits_to([](Recorder&) {
              std::atomic<int> flag{0};
              flag.wait(0);
            }),
            "be notified of atomic");
}

TEST(WaitWords, AnRwlock) {
  EXPECT_EQ(waits_to([](Recorder&) {
              static std::shared_mutex mutex;
              std::thread([] { mutex.lock(); }).join();
              mutex.lock_shared();
            }),
            "lock rwlock for reading, held by 1");
}

TEST(WaitWords, ASpinLock) {
  EXPECT_EQ(waits_to([](Recorder&) {
              pthread_spinlock_t lock;
              pthread_spin_init(&lock, 0);
              pthread_spin_lock(&lock);
              pthread_spin_lock(&lock);
            }),
            "lock spin lock");
}

}  // namespace
}  // namespace weft::test
