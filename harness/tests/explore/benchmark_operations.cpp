#include <map>
#include <vector>

#include "explore/benchmark_programs.hpp"
#include "explore/operations.hpp"

namespace weft::test {
namespace {

constexpr Order rlx = Order::relaxed, acq = Order::acquire, rel = Order::release;

/// What thread `i` does; `n` is the table's N.
using ThreadBody = void (*)(Number i, Number n);

void increment(Number variable) { store(variable, load(variable, rlx) + 1, rlx); }

void co_append(Number i, Number) {
  if (i < 2) {
    store(0, i + 1, rel);
    load(i + 1, acq);
    load(0, acq);
  } else {
    store(1, i - 2, rel);
    store(2, i - 2, rel);
  }
}

void fibonacci(Number i, Number n) {
  if (i == 2) {
    if (load(0, acq) <= 144) load(1, acq);
    return;
  }
  for (Number k = 0; k < n; ++k) {
    const Value a = load(0, acq);
    store(i, a + load(1, acq), rel);
  }
}

void indexer(Number t, Number) {
  for (Number i = 0; i < 4; ++i) {
    const Value w = i * 11 + t;
    Number h = w * 7 % 128;
    while (compare_exchange(h, 0, w, rlx, rlx) != 0) h = (h + 1) % 128;
  }
}

void last_zero(Number i, Number n) {
  if (i == 0) {
    for (Number k = n; load(k, acq) != 0;) --k;
  } else {
    store(i, load(i - 1, acq) + 1, rel);
  }
}

struct Benchmark {
  Number more_threads;  ///< than N
  ThreadBody body;
};

// clang-format off
const std::map<std::string, Benchmark> kBenchmarks{
    {"sb_ring", {0, [](Number i, Number n) { store(i, 1, rlx); load((i + 1) % n, rlx); }}},
    {"lb_ring", {0, [](Number i, Number n) { load(i, rlx); store((i + 1) % n, 1, rlx); }}},
    {"w22_ring", {0, [](Number i, Number n) { store(i, 1, rlx); store((i + 1) % n, 2, rlx); }}},
    {"mp_readers", {1, [](Number i, Number) {
       if (i == 0) { store(0, 1, rlx); store(1, 1, rel); } else { load(1, acq); load(0, rlx); }
     }}},
    {"iriw_readers", {2, [](Number i, Number) {
       if (i < 2) { store(i, 1, rel); } else { load(i % 2, acq); load(1 - i % 2, acq); }
     }}},
    {"fetch_add", {0, [](Number, Number) { fetch_add(0, 1, rlx); }}},
    {"fetch_add_two", {0, [](Number, Number) { fetch_add(0, 1, rlx); fetch_add(1, 1, rlx); }}},
    {"load_store_inc", {0, [](Number i, Number) { store(0, load(0, rlx) + (Value{1} << i), rel); }}},
    {"cas_rotate", {0, [](Number i, Number) { compare_exchange(0, i, i + 1, rlx, rlx); }}},
    {"cas_then_write", {0, [](Number i, Number) { compare_exchange(0, 0, 1, rlx, rlx); store(0, i + 3, rel); }}},
    {"last_zero", {1, last_zero}},
    {"indexer", {0, indexer}},
    {"readers", {1, [](Number i, Number) { if (i == 0) { store(0, 42, rel); } else { load(0, acq); } }}},
    {"writers", {2, [](Number i, Number) { if (i == 0) { load(0, acq); } else { store(0, i - 1, rel); } }}},
    {"co_append", {1, co_append}},
    {"fibonacci", {0, fibonacci}},
    {"mutex_inc", {0, [](Number, Number) { lock(0); increment(0); unlock(0); }}},
    {"mutex_inc_two", {0, [](Number, Number) { lock(0); increment(0); increment(1); unlock(0); }}},
};
// clang-format on

struct Argument {
  ThreadBody body;
  Number i;
  Number n;
};

void* run_thread(void* argument) {
  const Argument& a = *static_cast<Argument*>(argument);
  a.body(a.i, a.n);
  return nullptr;
}

}  // namespace

std::function<void()> benchmark_by_operations(const std::string& name, int n) {
  const auto found = kBenchmarks.find(name);
  if (found == kBenchmarks.end()) return {};
  const auto parameter = static_cast<Number>(n);
  const bool is_fibonacci =
      name == "fibonacci";  // its N counts rounds: always three threads, and variables that start as 1
  const Number threads = is_fibonacci ? 3 : parameter + found->second.more_threads;
  std::vector<Argument> arguments;
  for (Number i = 0; i < threads; ++i) arguments.push_back({found->second.body, i, parameter});
  return [=]() mutable {
    if (is_fibonacci) {
      store(0, 1, rlx);
      store(1, 1, rlx);
    }
    for (Argument& argument : arguments) create(run_thread, &argument);
  };
}

}  // namespace weft::test
