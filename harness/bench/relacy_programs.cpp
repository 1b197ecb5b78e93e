#include "relacy_programs.hpp"

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace weft::bench {
namespace {

constexpr auto rlx = std::memory_order_relaxed, acq = std::memory_order_acquire, rel = std::memory_order_release;

// Of an execution.
struct Shared {
  std::atomic<int> x = 0;
  std::atomic<int> y = 0;
  std::mutex mutex;
  int value = 0;
};

template <int threads, void (*thread_body)(Shared&, int)>
void run() {
  Shared shared;
  std::vector<std::thread> all;
  all.reserve(threads);
  for (int i = 0; i < threads; ++i) all.emplace_back([&shared, i] { thread_body(shared, i); });
  for (std::thread& thread : all) thread.join();
}

void store_buffering(Shared& s, int i) {
  (i == 0 ? s.x : s.y).store(1, rlx);
  take_read(i, (i == 0 ? s.y : s.x).load(rlx));
}

void message_passing(Shared& s, int i) {
  if (i == 0) {
    s.x.store(1, rlx);
    s.y.store(1, rel);
  } else {
    take_read(0, s.y.load(acq));
    take_read(1, s.x.load(rlx));
  }
}

void independent_reads(Shared& s, int i) {
  if (i == 0) s.x.store(1, rel);
  if (i == 1) s.y.store(1, rel);
  if (i < 2) return;
  take_read(2 * i - 4, (i == 2 ? s.x : s.y).load(acq));
  take_read(2 * i - 3, (i == 2 ? s.y : s.x).load(acq));
}

void two_fetch_adds(Shared& s, int i) {
  take_read(2 * i, s.x.fetch_add(1, rlx));
  take_read(2 * i + 1, s.y.fetch_add(1, rlx));
}

void locked_increments(Shared& s, int i) {
  const std::lock_guard lock(s.mutex);
  take_read(i, s.value++);
}

void racy_increments(Shared& s, int i) {
  const int old = s.x.load(rlx);
  s.x.store(old + 1, rel);
  take_read(i, old);
}

void two_plus_two_writes(Shared& s, int i) {
  (i == 0 ? s.x : s.y).store(1, rlx);
  (i == 0 ? s.y : s.x).store(2, rlx);
  take_read(i, (i == 0 ? s.x : s.y).load(rlx));
}

}  // namespace

const LitmusProgram kLitmus[kLitmusPrograms] = {
    {"sb", run<2, store_buffering>},          {"mp", run<2, message_passing>},
    {"iriw", run<4, independent_reads>},      {"fetch_add_two", run<3, two_fetch_adds>},
    {"mutex_inc", run<3, locked_increments>}, {"load_store_inc", run<3, racy_increments>},
    {"2+2w", run<2, two_plus_two_writes>},
};

}  // namespace weft::bench
