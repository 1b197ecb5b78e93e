// Scenarios for the tests of explorations in parts: large enough that every part has something to do.
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include <weft/scenario.hpp>

namespace {

constexpr int kThreads = 4;

template <class Body>
void run_threads(Body body) {
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) threads.emplace_back([&body, t] { body(t); });
  for (std::thread& thread : threads) thread.join();
}

/// 8! / (2!)^4 executions. One condition holds in few of them.
void count() {
  std::atomic<int> counter = 0;
  std::atomic<int> steps_of_first = 0;
  run_threads([&](int t) {
    counter.fetch_add(1);
    const int before = counter.fetch_add(1);
    if (t == 0) steps_of_first = before;
  });
  weft::sometimes(steps_of_first == 1, "the first thread is alone at first");
  weft::check(counter == 2 * kThreads, "every increment counts");
}

/// One of the 2,520 orders alone is wrong.
void fail_in_one_order() {
  std::atomic<int> ticket = 0;
  std::atomic<int> in_order = 0;
  run_threads([&](int t) {
    const int first = ticket.fetch_add(1);
    const int second = ticket.fetch_add(1);
    if (first == 6 - 2 * t && second == 7 - 2 * t) in_order.fetch_add(1);
  });
  weft::check(in_order != kThreads, "the order is another one");
}

/// Plain memory that races, and a loop that spins: what is learned on the way makes explorations begin again.
void race_and_spin() {
  int plain = 0;
  std::atomic<bool> go = false;
  run_threads([&](int t) {
    if (t == 0) {
      plain = 1;
      go = true;
    } else {
      while (!go) {
      }
      ++plain;
    }
  });
  weft::check(plain == kThreads, "every increment counts");
}

void spin() {
  std::mutex mutex;
  int guarded = 0;
  std::atomic<bool> go = false;
  run_threads([&](int t) {
    if (t == 0) {
      go = true;
    } else {
      while (!go) {
      }
    }
    for (int i = 0; i < 2; ++i) {
      const std::lock_guard lock(mutex);
      ++guarded;
    }
  });
  weft::check(guarded == 2 * kThreads, "every increment counts");
}

WEFT_SCENARIO(divided)
    .broken("one_order", fail_in_one_order, weft::finds::invariant("the order is another one"))
    .broken("race_and_spin", race_and_spin, weft::finds::data_race("plain"),
            weft::finds::invariant("every increment counts"))
    .fixed("count", count)
    .fixed("spin", spin);

}  // namespace
