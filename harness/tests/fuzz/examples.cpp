// What fuzzing must cope with, as scenarios: each is explored and fuzzed, so the two are checked against each other.
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "weft/scenario.hpp"

namespace {

const weft::stress::Policy kNotStressed = weft::stress::skip("an example of what is explored and fuzzed");

// A weak memory model: the reader sees the flag and not the data.
template <std::memory_order Store, std::memory_order Load>
void spin_on_a_flag() {
  std::atomic<int> data = 0;
  std::atomic<bool> ready = false;
  std::thread writer([&] {
    data.store(1, std::memory_order_relaxed);
    ready.store(true, Store);
  });
  while (!ready.load(Load)) {
  }
  weft::check(data.load(std::memory_order_relaxed) == 1, "the data is there when the flag is");
  writer.join();
}

WEFT_SCENARIO(fuzzed_spin)
    .broken("relaxed", spin_on_a_flag<std::memory_order_relaxed, std::memory_order_relaxed>,
            weft::finds::invariant("the data is there when the flag is"))
    .fuzz_runs(300)
    .stress(kNotStressed)
    .fixed("release_acquire", spin_on_a_flag<std::memory_order_release, std::memory_order_acquire>)
    .stress(kNotStressed);

template <std::memory_order Order>
void store_buffering() {
  std::atomic<int> x = 0;
  std::atomic<int> y = 0;
  int seen_x = 0;
  int seen_y = 0;
  std::thread one([&] {
    x.store(1, Order);
    seen_y = y.load(Order);
  });
  std::thread other([&] {
    y.store(1, Order);
    seen_x = x.load(Order);
  });
  one.join();
  other.join();
  weft::check(seen_x + seen_y != 0, "somebody sees the other");
}

WEFT_SCENARIO(fuzzed_store_buffering)
    .broken("relaxed", store_buffering<std::memory_order::relaxed>, weft::finds::invariant("somebody sees the other"))
    .fuzz_runs(300)
    .stress(kNotStressed)
    .fixed("seq_cst", store_buffering<std::memory_order::seq_cst>)
    .stress(kNotStressed);

template <bool SameOrder>
void two_locks() {
  std::mutex a;
  std::mutex b;
  std::thread other([&] {
    const std::lock_guard first(SameOrder ? a : b);
    const std::lock_guard second(SameOrder ? b : a);
  });
  {
    const std::lock_guard first(a);
    const std::lock_guard second(b);
  }
  other.join();
}

WEFT_SCENARIO(fuzzed_locks)
    .broken("both_orders", two_locks<false>, weft::finds::deadlock())
    .fuzz_runs(300)
    .stress(kNotStressed)
    .fixed("one_order", two_locks<true>)
    .stress(kNotStressed);

// More threads than an exploration begins with room for, of which the last two lose an update.
template <bool Atomically>
void many_threads() {
  constexpr int kThreads = 10;
  std::atomic<int> sum = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      if (Atomically || i < kThreads - 2) {
        ++sum;
      } else {
        sum = sum + 1;
      }
    });
    if (i < kThreads - 2) threads.back().join();
  }
  threads[kThreads - 2].join();
  threads[kThreads - 1].join();
  weft::check(sum == kThreads, "every increment counts");
}

WEFT_SCENARIO(fuzzed_threads)
    .broken("load_then_store", many_threads<false>, weft::finds::invariant("every increment counts"))
    .fuzz_runs(300)
    .stress(kNotStressed)
    .fixed("fetch_add", many_threads<true>)
    .stress(kNotStressed);

// One in 100,000 at random; step by step where a step that leads on is kept.
template <std::uint32_t Last>
void needle() {
  std::thread other([] {});
  other.join();
  const bool found = weft::choose(10) == 7 && weft::choose(10) == 3 && weft::choose(10) == 9 && weft::choose(10) == 1 &&
                     weft::choose(10) == Last;
  weft::check(!found, "nobody finds the needle");
}

WEFT_SCENARIO(fuzzed_needle)
    .broken("there", needle<5>, weft::finds::invariant("nobody finds the needle"))
    .fuzz_runs(5'000)
    .stress(kNotStressed)
    .fixed("not_there", needle<10>)
    .stress(kNotStressed);

// The notification may come before the wait.
template <bool LooksAtFlag>
void wait_for_notification() {
  std::mutex mutex;
  std::condition_variable condition;
  bool done = false;
  std::thread notifier([&] {
    const std::lock_guard lock(mutex);
    done = true;
    condition.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    if (!LooksAtFlag || !done) condition.wait(lock);
  }
  notifier.join();
}

WEFT_SCENARIO(fuzzed_notification)
    .broken("lost", wait_for_notification<false>, weft::finds::deadlock())
    .fuzz_runs(300)
    .stress(kNotStressed)
    .fixed("predicate", wait_for_notification<true>)
    .stress(kNotStressed);

// What ends a process must not end the fuzzing before the finding is printed.
template <class Fail>
void fail_if_early() {
  std::atomic<bool> early = true;
  std::thread other([&] { early = false; });
  if (!early) Fail()();
  other.join();
}
struct FollowNull {
  void operator()() const {
    volatile int* volatile nowhere = nullptr;
    *nowhere = 1;
  }
};
struct Throw {
  void operator()() const { throw std::runtime_error("too late"); }
};
WEFT_SCENARIO(fuzzed_failures)
    .broken("null_pointer", fail_if_early<FollowNull>, weft::finds::finding("signal", "SIGSEGV"))
    .fuzz_runs(300)
    .stress(kNotStressed)
    .broken("exception", fail_if_early<Throw>, weft::finds::uncaught_exception("too late"))
    .fuzz_runs(300)
    .stress(kNotStressed);

// Long executions: a spin lock that is taken often.
void spin_lock() {
  std::atomic_flag taken = ATOMIC_FLAG_INIT;
  int count = 0;
  const auto add = [&] {
    for (int i = 0; i < 2; ++i) {
      while (taken.test_and_set(std::memory_order_acquire)) {
      }
      ++count;
      taken.clear(std::memory_order_release);
    }
  };
  std::thread one(add);
  std::thread other(add);
  one.join();
  other.join();
  weft::check(count == 4, "the lock excludes");
}

WEFT_SCENARIO(fuzzed_spin_lock).fixed("test_and_set", spin_lock).stress(kNotStressed);

}  // namespace
