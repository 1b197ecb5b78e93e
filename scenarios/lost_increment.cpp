// view[0] += 1 is three steps, and on two cores they interleave: two increments of a shared 7 give 8.
// Source: seeds 000, the six-step table; 001, exercise 3.
#include <atomic>
#include <mutex>
#include <thread>
#include <weft/scenario.hpp>

namespace {

struct PlainCounter {
  int value = 7;
  void increment() {
    const int loaded = value;
    weft::note("compute + 1");
    value = loaded + 1;
  }
  int get() const { return value; }
};

struct AtomicCounter {
  std::atomic<int> value = 7;
  void increment() { value.fetch_add(1); }
  int get() const { return value; }
};

struct LockedCounter {
  int value = 7;
  std::mutex mutex;
  void increment() {
    const std::lock_guard lock(mutex);
    value += 1;
  }
  int get() const { return value; }
};

template <class Counter>
void two_workers() {
  Counter view;
  weft::name(view.value, "view[0]");
  std::thread worker_1([&] {
    weft::name_thread("Worker 1");
    view.increment();
  });
  std::thread worker_2([&] {
    weft::name_thread("Worker 2");
    view.increment();
  });
  worker_1.join();
  worker_2.join();
  weft::check(view.get() == 9, "counter = 7 + increments");
}

WEFT_SCENARIO(lost_increment)
    .source("seeds 000, 001")
    .broken("plain", two_workers<PlainCounter>, weft::finds::data_race("view[0]"),
            weft::finds::invariant("counter = 7 + increments"))
    .fixed("atomic", two_workers<AtomicCounter>)
    .fixed("mutex", two_workers<LockedCounter>);

}  // namespace
