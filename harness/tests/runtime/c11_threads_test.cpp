// C11 threads, mutexes and condition variables, as a C program uses them.
#include <gtest/gtest.h>
#include <threads.h>

#include "explore_body.hpp"

namespace weft::test {
namespace {

using Outcomes = std::vector<std::string>;

TEST(C11Threads, AThreadIsStartedJoinedAndReturnsAnInt) {
  const Explored explored = explore_body([](Recorder& record) {
    thrd_t thread;
    record(thrd_create(&thread, [](void* p) { return *static_cast<int*>(p) + 1; }, [] {
             static int value = 41;
             return &value;
           }()) == thrd_success);
    int result = 0;
    record(thrd_join(thread, &result) == thrd_success);
    record(static_cast<std::uint64_t>(result));
  });
  EXPECT_EQ(explored.counts.executions, 1u);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"1 1 42"}));
}

struct Box {
  mtx_t mutex;
  cnd_t condition;
  int value = 0;
};

TEST(C11Threads, AConditionVariableHandsAValueOver) {
  const Explored explored = explore_body([](Recorder& record) {
    Box box;
    mtx_init(&box.mutex, mtx_plain);
    cnd_init(&box.condition);
    thrd_t producer;
    thrd_create(&producer, [](void* p) -> int {
      Box& b = *static_cast<Box*>(p);
      mtx_lock(&b.mutex);
      b.value = 6;
      cnd_signal(&b.condition);
      mtx_unlock(&b.mutex);
      thrd_exit(3);
    }, &box);
    mtx_lock(&box.mutex);
    while (box.value == 0) cnd_wait(&box.condition, &box.mutex);
    record(static_cast<std::uint64_t>(box.value));
    mtx_unlock(&box.mutex);
    int result = 0;
    thrd_join(producer, &result);
    record(static_cast<std::uint64_t>(result));
    cnd_destroy(&box.condition);
    mtx_destroy(&box.mutex);
  });
  EXPECT_EQ(explored.counts.executions, 2u);
  EXPECT_EQ(explored.counts.blocked, 0u);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"6 3"}));
  EXPECT_TRUE(explored.findings.empty());
}

TEST(C11Threads, TryLockIsBusyWhileHeld) {
  const Explored explored = explore_body([](Recorder& record) {
    mtx_t mutex;
    mtx_init(&mutex, mtx_plain);
    mtx_lock(&mutex);
    record(mtx_trylock(&mutex) == thrd_busy);
    mtx_unlock(&mutex);
    record(mtx_trylock(&mutex) == thrd_success);
    mtx_unlock(&mutex);
  });
  EXPECT_EQ(explored.counts.executions, 1u);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"1 1"}));
}

TEST(C11Threads, ThreadSpecificStorageIsDestroyedAtTheEndOfItsThread) {
  const Explored explored = explore_body([](Recorder& record) {
    static tss_t key;
    static int destroyed;
    destroyed = 0;
    record(tss_create(&key, [](void* value) { destroyed += *static_cast<int*>(value); }) == thrd_success);
    thrd_t thread;
    thrd_create(
        &thread,
        [](void*) {
          static int value = 7;
          tss_set(key, &value);
          return tss_get(key) == &value ? 1 : 0;
        },
        nullptr);
    int result = 0;
    thrd_join(thread, &result);
    record(static_cast<std::uint64_t>(result));
    record(static_cast<std::uint64_t>(destroyed));
    record(tss_get(key) == nullptr);
    tss_delete(key);
  });
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"1 1 7 1"}));
}

TEST(C11Threads, CallOnceCallsOnce) {
  const Explored explored = explore_body([](Recorder& record) {
    static once_flag flag;
    static int calls;
    flag = ONCE_FLAG_INIT;
    calls = 0;
    const auto run = [](void*) {
      call_once(&flag, [] { ++calls; });
      return calls;
    };
    thrd_t thread;
    thrd_create(&thread, run, nullptr);
    const int seen = run(nullptr);
    thrd_join(thread, nullptr);
    record(static_cast<std::uint64_t>(seen));
  });
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"1"}));
  EXPECT_EQ(explored.counts.executions, 2u);
  EXPECT_TRUE(explored.findings.empty());
}

TEST(C11Threads, ATimedLockMayTimeOutWhileTheMutexIsHeld) {
  const Explored explored = explore_body([](Recorder& record) {
    static mtx_t mutex;
    mtx_init(&mutex, mtx_timed);
    thrd_t thread;
    thrd_create(
        &thread,
        [](void*) {
          mtx_lock(&mutex);
          mtx_unlock(&mutex);
          return 0;
        },
        nullptr);
    timespec deadline{};
    timespec_get(&deadline, TIME_UTC);
    const int result = mtx_timedlock(&mutex, &deadline);
    if (result == thrd_success) mtx_unlock(&mutex);
    thrd_join(thread, nullptr);
    record(result == thrd_success);
    record(result == thrd_timedout);
    mtx_destroy(&mutex);
  });
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"0 1", "1 0"}));
  EXPECT_EQ(explored.counts.deadlocks, 0u);
  EXPECT_TRUE(explored.findings.empty());
}

}  // namespace
}  // namespace weft::test
