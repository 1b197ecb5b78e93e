// One small program for each kind of finding. What their reports look like is kept beside this file; see
// golden_test.py. Calls are written on one line: where one has several, compilers name different ones of them.
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>

#include <weft/scenario.hpp>

#include "hidden.hpp"

namespace {

using weft::finds::finding;

void lost_update() {
  std::atomic<int> counter = 7;
  weft::name(counter, "counter");
  const auto increment = [&counter](const char* name) {
    weft::name_thread(name);
    const int old = counter.load();
    weft::note("computes + 1");
    counter.store(old + 1);
  };
  std::thread a(increment, "A");
  std::thread b(increment, "B");
  a.join();
  b.join();
  weft::check(counter.load() == 9, "nothing is lost");
}

void stale_read() {
  std::atomic<int> data = 0;
  std::atomic<int> flag = 0;
  weft::name(data, "data");
  weft::name(flag, "flag");
  const auto write = [&] {
    weft::name_thread("Writer");
    data.store(1, std::memory_order_relaxed);
    flag.store(1, std::memory_order_relaxed);
  };
  std::thread writer(write);
  if (flag.load(std::memory_order_relaxed) == 1)
    weft::check(data.load(std::memory_order_relaxed) == 1, "the flag announces the data");
  writer.join();
}

struct Account {
  int balance = 10;
  __attribute__((noinline)) void add(int amount) { balance += amount; }
};

void data_race() {
  Account account;
  weft::name(account.balance, "balance");
  const auto deposit = [&] {
    weft::name_thread("Depositor");
    account.add(5);
  };
  std::thread depositor(deposit);
  account.add(-3);
  depositor.join();
}

void watched_state() {
  std::mutex mutex;
  int stock = 1;
  int sold = 0;
  weft::name(mutex, "mutex");
  weft::watch("stock", stock);
  weft::watch("sold", sold);
  const auto sell = [&](const char* name) {
    weft::name_thread(name);
    bool available = false;
    {
      const std::lock_guard guard(mutex);
      available = stock > 0;
    }
    if (!available) return;
    const std::lock_guard guard(mutex);
    --stock;
    ++sold;
  };
  std::thread a(sell, "Till 1");
  std::thread b(sell, "Till 2");
  a.join();
  b.join();
  weft::check(stock >= 0, "what is sold was there");
}

void deadlock() {
  std::mutex a;
  std::mutex b;
  weft::name(a, "a");
  weft::name(b, "b");
  const auto lock_both = [&] {
    weft::name_thread("Other");
    const std::lock_guard first(b);
    const std::lock_guard second(a);
  };
  std::thread other(lock_both);
  {
    const std::lock_guard first(a);
    const std::lock_guard second(b);
  }
  other.join();
}

void lost_wake_up() {
  std::mutex mutex;
  std::condition_variable ready;
  std::atomic<bool> done = false;
  weft::name(ready, "ready");
  const auto wait = [&] {
    weft::name_thread("Waiter");
    std::unique_lock lock(mutex);
    if (!done.load()) ready.wait(lock);
  };
  std::thread waiter(wait);
  done = true;  // not under the mutex: the waiter may look before and sleep after
  ready.notify_one();
  waiter.join();
}

void livelock() {
  std::atomic<int> turn = 0;
  weft::name(turn, "turn");
  const auto spin = [&] {
    weft::name_thread("Other");
    while (turn.load() != 1) {
    }
  };
  std::thread other(spin);
  other.join();
}

void endless_loop() {
  const auto compute = [] {
    weft::name_thread("Other");
    volatile unsigned n = 0;
    while (n < 4'000'000'000u) n = n + (n & 1u);
  };
  std::thread other(compute);
  other.join();
}

void uncaught_exception() {
  const auto print = [] {
    weft::name_thread("Other");
    throw std::runtime_error("out of paper");
  };
  std::thread other(print);
  other.join();
}

void aborts() {
  const auto give_up = [] {
    weft::name_thread("Other");
    std::abort();
  };
  std::thread other(give_up);
  other.join();
}

void segmentation_fault() {
  std::atomic<int*> pointer = nullptr;
  int target = 0;
  weft::name(pointer, "pointer");
  const auto set = [&] {
    weft::name_thread("Other");
    pointer.store(&target);
  };
  std::thread other(set);
  *pointer.load() = 1;
  other.join();
}

struct Job {
  int input = 3;
  int output = 0;
};

void use_after_free() {
  auto* const job = new Job;
  std::atomic<bool> finished = false;
  weft::name(finished, "finished");
  const auto work = [&] {
    weft::name_thread("Worker");
    finished.store(true);
    job->output = 2;
  };
  std::thread worker(work);
  while (!finished.load()) {
  }
  delete job;
  worker.join();
}

void double_free() {
  std::atomic<Job*> job = new Job;
  weft::name(job, "job");
  const auto release = [&] { delete job.load(); };
  std::thread a(release);
  a.join();
  release();
}

void leak() {
  std::atomic<bool> taken = false;
  weft::name(taken, "taken");
  std::thread other([&] { taken.exchange(true); });
  auto* const job = weft::test::hidden(new Job);  // clang may leave out what nobody sees
  if (!taken.exchange(true)) delete job;
  other.join();
}

void unlock_by_a_stranger() {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  weft::name(mutex, "mutex");
  pthread_mutex_lock(&mutex);
  std::thread other([&] { pthread_mutex_unlock(&mutex); });
  other.join();
}

void wait_without_the_mutex() {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  weft::name(mutex, "mutex");
  weft::name(condition, "condition");
  std::thread other([&] { pthread_cond_wait(&condition, &mutex); });
  other.join();
}

// What instrumented code writes is undone after each execution; this is not seen, as if it were a file or a clock.
__attribute__((noinline, no_sanitize("thread"))) int count_runs() {
  static volatile int runs = 0;
  runs = runs + 1;
  return runs;
}

void nondeterminism() {
  std::atomic<int> x = 0;
  weft::name(x, "x");
  const bool first = count_runs() == 1;
  const auto access = [&] {
    weft::name_thread("Other");
    if (first) {
      x.load();
    } else {
      x.store(1);
    }
  };
  std::thread other(access);
  x = 2;
  other.join();
}

void too_many_threads() {
  for (int i = 0; i < 100; ++i) std::thread([] {}).detach();
}

void unjoined() {
  pthread_t thread;
  pthread_create(
      &thread, nullptr, [](void*) -> void* { return nullptr; }, nullptr);
}

WEFT_SCENARIO(golden)
    .broken("lost_update", lost_update, weft::finds::invariant("nothing is lost"))
    .broken("stale_read", stale_read, weft::finds::invariant("the flag announces the data"))
    .broken("data_race", data_race, weft::finds::data_race("balance"))
    .broken("watched_state", watched_state, weft::finds::invariant("what is sold was there"))
    .broken("deadlock", deadlock, weft::finds::deadlock())
    .broken("lost_wake_up", lost_wake_up, weft::finds::deadlock())
    .broken("livelock", livelock, weft::finds::livelock())
    .broken("endless_loop", endless_loop, finding("endless loop"))
    .broken("uncaught_exception", uncaught_exception, weft::finds::uncaught_exception("out of paper"))
    .broken("aborts", aborts, finding("abort"))
    .broken("segmentation_fault", segmentation_fault, finding("signal"))
    .broken("use_after_free", use_after_free, weft::finds::use_after_free())
    .broken("double_free", double_free, finding("double free"))
    .broken("leak", leak, weft::finds::leak())
    .broken("unlock_by_a_stranger", unlock_by_a_stranger, finding("mutex misuse"))
    .broken("wait_without_the_mutex", wait_without_the_mutex, finding("condition variable misuse"))
    .broken("nondeterminism", nondeterminism, finding("nondeterminism"))
    .broken("too_many_threads", too_many_threads, finding("limit"))
    .fixed("unjoined", unjoined);

}  // namespace
