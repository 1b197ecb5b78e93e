// Small bodies that come out otherwise as soon as one condition of the engine is forgotten: see mutations/mutants.py.
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <future>
#include <mutex>
#include <thread>

#include "explore_body.hpp"
#include "hidden.hpp"
#include "weft/weft.hpp"

namespace weft::test {
namespace {

using Outcomes = std::vector<std::string>;
using Kinds = std::vector<FindingKind>;
const Kinds kNothing;
constexpr auto kRelaxed = std::memory_order_relaxed;
constexpr auto kAcquire = std::memory_order_acquire;
constexpr auto kRelease = std::memory_order_release;

std::uint64_t word(int value) { return static_cast<std::uint64_t>(value); }

TEST(SmallBodies, SequentiallyConsistentFencesOrderWhatOthersPassOn) {
  const Explored explored = explore_body([](Recorder& record) {
    std::atomic<int> passed_on{0}, first{0}, before{0};
    int seen = 0;
    int seen_before = 0;
    std::thread a([&] {
      before.store(1, kRelaxed);
      std::atomic_thread_fence(std::memory_order_seq_cst);
      first.store(1, kRelease);
    });
    std::thread b([&] {
      if (first.load(kAcquire) == 1) passed_on.store(1, kRelaxed);
    });
    std::thread c([&] {
      seen = passed_on.load(kRelaxed);
      std::atomic_thread_fence(std::memory_order_seq_cst);
      seen_before = before.load(kRelaxed);
    });
    a.join();
    b.join();
    c.join();
    record(word(10 * seen + seen_before));
  });
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"0", "1", "11"}));  // not 10
}

/// One thread writes data and passes it on with a flag; the other one, which may be started first, reads the data if
/// `is_received(flag)`.
template <class IsReceived>
void expect_of_passing_on(IsReceived is_received, const Kinds& kinds) {
  for (const bool receiver_first : {true, false}) {
    const Explored explored = explore_body([=](Recorder& record) {
      std::atomic<int> flag{0};
      int data = 0;
      int got = 0;
      const auto send = [&] {
        data = 1;
        flag.store(1, kRelease);
      };
      const auto receive = [&] {
        if (is_received(flag)) got = data;
      };
      std::thread first(receiver_first ? std::function<void()>(receive) : send);
      std::thread second(receiver_first ? std::function<void()>(send) : receive);
      first.join();
      second.join();
      record(word(got));
    });
    EXPECT_EQ(explored.kinds, kinds) << receiver_first;
  }
}

TEST(SmallBodies, AFailedExchangeHasTheOrderOfItsFailure) {
  const auto fails = [](std::memory_order failure) {
    return [=](std::atomic<int>& flag) {
      int expected = 0;
      return !flag.compare_exchange_strong(expected, 2, std::memory_order_acq_rel, failure);
    };
  };
  expect_of_passing_on(fails(kRelaxed), Kinds{FindingKind::data_race});
  expect_of_passing_on(fails(kAcquire), kNothing);
}

TEST(SmallBodies, ASuccessfulExchangeHasTheOrderOfItsSuccess) {
  const auto succeeds = [](std::atomic<int>& flag) {
    int expected = 1;
    return flag.compare_exchange_strong(expected, 2, std::memory_order_acq_rel, kRelaxed);
  };
  expect_of_passing_on(succeeds, kNothing);
}

TEST(SmallBodies, ConsumeIsAcquire) {
  expect_of_passing_on([](std::atomic<int>& flag) { return flag.load(std::memory_order_consume) == 1; }, kNothing);
}

TEST(SmallBodies, AReleaseFenceIsStillThereWhenAReadBehindItTakesAnotherWrite) {
  const Explored explored = explore_body([](Recorder& record) {
    std::atomic<int> other{0}, flag{0};
    int data = 0;
    std::thread a([&] {
      data = 1;
      std::atomic_thread_fence(kRelease);
      (void)other.load(kRelaxed);
      flag.store(1, kRelaxed);
    });
    std::thread b([&] { other.store(1, kRelaxed); });
    std::thread c([&] {
      if (flag.load(kRelaxed) != 1) return;
      std::atomic_thread_fence(kAcquire);
      record(word(data));
    });
    a.join();
    b.join();
    c.join();
  });
  EXPECT_EQ(explored.kinds, kNothing);
}

TEST(SmallBodies, TheMainThreadMayBeTheWriterOfAnRwlock) {
  const Explored explored = explore_body([](Recorder& record) {
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    int data = 0;
    int got = 0;
    std::thread reader([&] {
      pthread_rwlock_rdlock(&lock);
      got = data;
      pthread_rwlock_unlock(&lock);
    });
    pthread_rwlock_wrlock(&lock);
    data = 1;
    pthread_rwlock_unlock(&lock);
    reader.join();
    record(word(got));
  });
  EXPECT_EQ(explored.kinds, kNothing);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"0", "1"}));
}

TEST(SmallBodies, DestroyingAnRwlockThatIsReadIsMisuse) {
  const Explored explored = explore_body([](Recorder&) {
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_destroy(&lock);
  });
  EXPECT_EQ(explored.kinds, Kinds{FindingKind::mutex_misuse});
}

TEST(SmallBodies, AMutexThatIsHeldTwiceIsHeldTwiceAfterAWait) {
  const Explored explored = explore_body([](Recorder& record) {
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_t mutex;
    pthread_mutex_init(&mutex, &recursive);
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    bool ready = false;
    std::thread other([&] {
      pthread_mutex_lock(&mutex);
      ready = true;
      pthread_cond_signal(&condition);
      pthread_mutex_unlock(&mutex);
    });
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    while (!ready) pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&mutex);
    other.join();
    record(word(ready));
  });
  EXPECT_EQ(explored.kinds, kNothing);
  EXPECT_EQ(explored.outcome_set(), Outcomes{"1"});
}

TEST(SmallBodies, WhoIsWokenIsNoEarlierThanWhoWokeIt) {
  const Explored explored = explore_body([](Recorder& record) {
    std::mutex mutex;
    std::condition_variable condition;
    bool ready = false;
    const auto start = std::chrono::steady_clock::now();
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      {
        const std::lock_guard lock(mutex);
        ready = true;
      }
      condition.notify_one();
    });
    bool waited = false;
    {
      std::unique_lock lock(mutex);
      while (!ready) {
        waited = true;
        condition.wait(lock);
      }
    }
    const bool late = std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(10);
    other.join();
    if (waited) record(word(late));
  });
  EXPECT_EQ(explored.kinds, kNothing);
  EXPECT_TRUE(explored.outcomes.contains("1"));
  EXPECT_FALSE(explored.outcomes.contains("0"));
}

TEST(SmallBodies, AnUpdateByAnotherNumberThanBeforeIsNondeterministic) {
  const Explored explored = explore_body([](Recorder& record) {
    int runs = 0;
    {
      const Execution::Outside outside;
      static auto* const count = new int(0);
      runs = (*count)++;
    }
    std::atomic<int> sum{0};
    std::thread other([&] { record(word(sum.fetch_add(1, kRelaxed))); });
    sum.fetch_add(runs, kRelaxed);
    other.join();
  });
  EXPECT_EQ(explored.kinds, Kinds{FindingKind::nondeterminism});
}

TEST(SmallBodies, AWriteRacesWithAReadThatAnOrderedReadCameBefore) {
  const Explored explored = explore_body([](Recorder& record) {
    int data = 0;
    int got = 0;
    std::thread writer([&] { data = 1; });
    std::thread reader([&] { got = data; });
    writer.join();
    const int mine = data;
    reader.join();
    record(word(mine + got));
  });
  EXPECT_EQ(explored.kinds, Kinds{FindingKind::data_race});
}

TEST(SmallBodies, AnAtomicWriteRacesWithTheFourthReadOfACell) {
  const Explored explored = explore_body([](Recorder& record) {
    alignas(8) int data = 0;
    std::atomic<int> first{0}, third{0};
    int got[3] = {};
    std::thread a([&] {
      got[0] = data;
      first.store(1, kRelease);
    });
    std::thread b([&] { got[1] = data; });
    std::thread c([&] {
      got[2] = data;
      third.store(1, kRelease);
    });
    std::thread d([&] {
      if (first.load(kAcquire) == 1 && third.load(kAcquire) == 1) std::atomic_ref<int>(data).store(1, kRelaxed);
    });
    a.join();
    b.join();
    c.join();
    d.join();
    record(word(got[0] + got[1] + got[2]));
  });
  EXPECT_EQ(explored.kinds, Kinds{FindingKind::data_race});
}

TEST(SmallBodies, APlainReadOfAnAtomicObjectSeesTheWriteThatCameLast) {
  const Explored explored = explore_body([](Recorder& record) {
    alignas(8) std::atomic<int> number{0};
    std::thread a([&] { number.store(1, kRelaxed); });
    std::thread b([&] { number.store(2, kRelaxed); });
    a.join();
    b.join();
    const int plain = *hidden(reinterpret_cast<int*>(&number));
    record(word(10 * plain + number.load(kRelaxed)));
  });
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"11", "22"}));
}

TEST(SmallBodies, WhatIsToldAtTheEndOfAThreadIsToldThen) {
  const Explored explored = explore_body([](Recorder& record) {
    std::mutex mutex;
    std::condition_variable condition;
    int done = 0;
    std::thread other([&] {
      std::unique_lock lock(mutex);
      done = 3;
      std::notify_all_at_thread_exit(condition, std::move(lock));
    });
    std::unique_lock lock(mutex);
    while (done == 0) condition.wait(lock);
    lock.unlock();
    other.join();
    record(word(done));
  });
  EXPECT_EQ(explored.kinds, kNothing);
  EXPECT_EQ(explored.outcome_set(), Outcomes{"3"});
}

TEST(SmallBodies, WhatIsSetForTheEndOfAThreadIsThereAfterIt) {
  const Result result = weft::explore([] {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread other([&] { promise.set_value_at_thread_exit(3); });
    other.join();
    weft::check(future.get() == 3, "what was set is there");
  });
  EXPECT_TRUE(result.proved()) << result;
}

int* volatile end_of_block = nullptr;

TEST(SmallBodies, APointerBehindTheEndOfABlockKeepsItFromBeingALeak) {
  const Explored explored =
      explore_body([](Recorder&) { end_of_block = hidden(static_cast<int*>(std::malloc(16))) + 4; });
  EXPECT_EQ(explored.kinds, kNothing);
}

TEST(SmallBodies, WhatAThreadReturnsIsNoLeak) {
  const Explored explored = explore_body([](Recorder&) {
    pthread_t thread{};
    pthread_create(&thread, nullptr, [](void*) { return std::malloc(16); }, nullptr);
  });
  EXPECT_EQ(explored.kinds, kNothing);
}

alignas(8) char bytes_of_the_program[8];

TEST(SmallBodies, MemoryThatIsWrittenTwiceIsPutBackToWhatItWasAtFirst) {
  const Explored explored = explore_body([](Recorder& record) {
    volatile char* const bytes = bytes_of_the_program;
    record(word(bytes[0]));
    bytes[0] = 1;
    *reinterpret_cast<volatile int*>(bytes_of_the_program) = 0x01010101;
    std::atomic<int> number{0};
    std::thread other([&] { number.store(1, kRelaxed); });
    (void)number.load(kRelaxed);
    other.join();
  });
  EXPECT_EQ(explored.outcome_set(), Outcomes{"0"});
}

TEST(SmallBodies, WhoComesLateToAnInitialisationSeesAllOfIt) {
  static std::atomic<int> begun;
  static int data;
  static std::once_flag once;
  const Explored explored = explore_body([](Recorder& record) {
    const auto initialise = [] {
      begun.store(1, kRelease);
      data = 1;
    };
    int got = 0;
    std::thread a([&] { std::call_once(once, initialise); });
    std::thread b([&] {
      if (begun.load(kAcquire) != 1) return;
      std::call_once(once, initialise);
      got = data;
    });
    a.join();
    b.join();
    record(word(got));
  });
  EXPECT_EQ(explored.kinds, kNothing);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"0", "1"}));
}

}  // namespace
}  // namespace weft::test
