// Nothing here knows that it is explored.
#include <atomic>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "explore/benchmark_programs.hpp"

extern "C" void (*weft_benchmark_in_posix_c(const char* name, int n))(void);

namespace weft::test {
namespace {

constexpr auto rlx = std::memory_order_relaxed, acq = std::memory_order_acquire, rel = std::memory_order_release;

struct Shared {
  explicit Shared(std::size_t variables) : x(variables) {}
  std::vector<std::atomic<int>> x;
  std::mutex mutex;
};

void increment(std::atomic<int>& variable) { variable.store(variable.load(rlx) + 1, rlx); }

void sb_ring(Shared& s, std::size_t i, std::size_t n) {
  s.x[i].store(1, rlx);
  s.x[(i + 1) % n].load(rlx);
}

void lb_ring(Shared& s, std::size_t i, std::size_t n) {
  s.x[i].load(rlx);
  s.x[(i + 1) % n].store(1, rlx);
}

void w22_ring(Shared& s, std::size_t i, std::size_t n) {
  s.x[i].store(1, rlx);
  s.x[(i + 1) % n].store(2, rlx);
}

void mp_readers(Shared& s, std::size_t i, std::size_t) {
  std::atomic<int>&data = s.x[0], &flag = s.x[1];
  if (i == 0) {
    data.store(1, rlx);
    flag.store(1, rel);
  } else {
    flag.load(acq);
    data.load(rlx);
  }
}

void iriw_readers(Shared& s, std::size_t i, std::size_t) {
  if (i < 2) {
    s.x[i].store(1, rel);
  } else {
    s.x[i % 2].load(acq);
    s.x[1 - i % 2].load(acq);
  }
}

void fetch_add(Shared& s, std::size_t, std::size_t) { s.x[0].fetch_add(1, rlx); }

void fetch_add_two(Shared& s, std::size_t, std::size_t) {
  s.x[0].fetch_add(1, rlx);
  s.x[1].fetch_add(1, rlx);
}

void load_store_inc(Shared& s, std::size_t i, std::size_t) { s.x[0].store(s.x[0].load(rlx) + (1 << i), rel); }

void cas_rotate(Shared& s, std::size_t i, std::size_t) {
  int expected = static_cast<int>(i);
  s.x[0].compare_exchange_strong(expected, static_cast<int>(i + 1), rlx);
}

void cas_then_write(Shared& s, std::size_t i, std::size_t) {
  int expected = 0;
  s.x[0].compare_exchange_strong(expected, 1, rlx);
  s.x[0].store(static_cast<int>(i + 3), rel);
}

void last_zero(Shared& s, std::size_t i, std::size_t n) {
  if (i == 0) {
    for (std::size_t k = n; s.x[k].load(acq) != 0;) --k;
  } else {
    s.x[i].store(s.x[i - 1].load(acq) + 1, rel);
  }
}

void indexer(Shared& s, std::size_t t, std::size_t) {
  for (std::size_t i = 0; i < 4; ++i) {
    const int w = static_cast<int>(i * 11 + t);
    std::size_t h = static_cast<std::size_t>(w) * 7 % 128;
    for (int expected = 0; !s.x[h].compare_exchange_strong(expected, w, rlx); expected = 0) h = (h + 1) % 128;
  }
}

void readers(Shared& s, std::size_t i, std::size_t) {
  if (i == 0) {
    s.x[0].store(42, rel);
  } else {
    s.x[0].load(acq);
  }
}

void writers(Shared& s, std::size_t i, std::size_t) {
  if (i == 0) {
    s.x[0].load(acq);
  } else {
    s.x[0].store(static_cast<int>(i - 1), rel);
  }
}

void co_append(Shared& s, std::size_t i, std::size_t) {
  if (i < 2) {
    s.x[0].store(static_cast<int>(i + 1), rel);
    s.x[i + 1].load(acq);
    s.x[0].load(acq);
  } else {
    s.x[1].store(static_cast<int>(i - 2), rel);
    s.x[2].store(static_cast<int>(i - 2), rel);
  }
}

void fibonacci(Shared& s, std::size_t i, std::size_t n) {
  if (i == 2) {
    if (s.x[0].load(acq) <= 144) s.x[1].load(acq);
    return;
  }
  for (std::size_t k = 0; k < n; ++k) {
    const int a = s.x[0].load(acq);
    s.x[i].store(a + s.x[1].load(acq), rel);
  }
}

void mutex_inc(Shared& s, std::size_t, std::size_t) {
  const std::lock_guard lock(s.mutex);
  increment(s.x[0]);
}

void mutex_inc_two(Shared& s, std::size_t, std::size_t) {
  const std::lock_guard lock(s.mutex);
  increment(s.x[0]);
  increment(s.x[1]);
}

using ThreadBody = void (*)(Shared&, std::size_t i, std::size_t n);

struct Benchmark {
  std::size_t variables;
  std::size_t more_threads;  ///< than N
  ThreadBody body;
};

const std::map<std::string, Benchmark> kBenchmarks{
    {"sb_ring", {17, 0, sb_ring}},
    {"lb_ring", {17, 0, lb_ring}},
    {"w22_ring", {17, 0, w22_ring}},
    {"mp_readers", {2, 1, mp_readers}},
    {"iriw_readers", {2, 2, iriw_readers}},
    {"fetch_add", {1, 0, fetch_add}},
    {"fetch_add_two", {2, 0, fetch_add_two}},
    {"load_store_inc", {1, 0, load_store_inc}},
    {"cas_rotate", {1, 0, cas_rotate}},
    {"cas_then_write", {1, 0, cas_then_write}},
    {"last_zero", {16, 1, last_zero}},
    {"indexer", {128, 0, indexer}},
    {"readers", {1, 1, readers}},
    {"writers", {1, 2, writers}},
    {"co_append", {3, 1, co_append}},
    {"fibonacci", {2, 0, fibonacci}},
    {"mutex_inc", {1, 0, mutex_inc}},
    {"mutex_inc_two", {2, 0, mutex_inc_two}},
};

}  // namespace

std::function<void()> benchmark_in_posix_c(const std::string& name, int n) {
  return weft_benchmark_in_posix_c(name.c_str(), n);
}

std::function<void()> benchmark_in_standard_cpp(const std::string& name, int n) {
  const auto found = kBenchmarks.find(name);
  if (found == kBenchmarks.end()) return {};
  const Benchmark benchmark = found->second;
  const auto parameter = static_cast<std::size_t>(n);
  const bool is_fibonacci =
      name == "fibonacci";  // its N counts rounds: always three threads, and variables that start as 1
  const std::size_t count = is_fibonacci ? 3 : parameter + benchmark.more_threads;
  return [=] {
    Shared shared(benchmark.variables);
    if (is_fibonacci) {
      shared.x[0] = 1;
      shared.x[1] = 1;
    }
    std::vector<std::thread> threads;
    threads.reserve(count);
    for (std::size_t i = 0; i < count; ++i) threads.emplace_back([&, i] { benchmark.body(shared, i, parameter); });
    for (std::thread& thread : threads) thread.join();
  };
}

}  // namespace weft::test
