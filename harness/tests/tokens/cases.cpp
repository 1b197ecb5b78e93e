// Programs whose tokens say what the exploration has learned, in the places of one build: code that spins, globals, and
// variables of a call. In another build these are elsewhere; see tokens_test.py.
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include <weft/scenario.hpp>

#include "hidden.hpp"

namespace {

int total = 0;

/// What two threads do at the same time.
template <class Work>
void twice(const Work& work) {
  std::thread a(work);
  std::thread b(work);
  a.join();
  b.join();
}

void racing_global() {
  twice([] { total = total + 1; });
  weft::check(total == 2, "nothing is lost");
}

void racing_local() {
  int local = 0;
  int* const seen = weft::test::hidden(&local);
  twice([=] { *seen = *seen + 1; });
  weft::check(*seen == 2, "nothing is lost");
}

void two_racing_locals_and_a_global() {
  int first = 0;
  int second = 0;
  int* const one = weft::test::hidden(&first);
  int* const other = weft::test::hidden(&second);
  twice([=] {
    *one = *one + 1;
    total = total + 1;
    *other = *other + 1;
  });
  weft::check(*one == 2 || *other == 2 || total == 2, "something is kept");
}

void spins_and_looks_too_early() {
  std::atomic<bool> ready = false;
  std::atomic<int> data = 0;
  std::thread reader([&] {
    while (!ready.load(std::memory_order_relaxed)) {
    }
    weft::check(data.load(std::memory_order_relaxed) == 1, "the data is there");
  });
  data.store(1, std::memory_order_relaxed);
  ready.store(true, std::memory_order_relaxed);
  reader.join();
}

void sleeps_and_looks_too_early() {
  std::atomic<bool> ready = false;
  std::atomic<int> data = 0;
  std::thread reader([&] {
    while (!ready.load(std::memory_order_relaxed)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    weft::check(data.load(std::memory_order_relaxed) == 1, "the data is there");
  });
  data.store(1, std::memory_order_relaxed);
  ready.store(true, std::memory_order_relaxed);
  reader.join();
}

void tries_a_lock() {
  std::mutex mutex;
  std::atomic<int> skipped = 0;
  twice([&] {
    if (mutex.try_lock()) {
      mutex.unlock();
    } else {
      skipped.fetch_add(1);
    }
  });
  weft::check(skipped.load() == 0, "nobody is skipped");
}

WEFT_SCENARIO(tokens)
    .broken("racing_global", racing_global, weft::finds::data_race(""), weft::finds::invariant("nothing is lost"))
    .broken("racing_local", racing_local, weft::finds::data_race(""), weft::finds::invariant("nothing is lost"))
    .broken("two_racing_locals_and_a_global", two_racing_locals_and_a_global, weft::finds::data_race(""),
            weft::finds::invariant("something is kept"))
    .broken("spins", spins_and_looks_too_early, weft::finds::invariant("the data is there"))
    .broken("sleeps", sleeps_and_looks_too_early, weft::finds::invariant("the data is there"))
    .broken("tries_a_lock", tries_a_lock, weft::finds::invariant("nobody is skipped"));

}  // namespace
