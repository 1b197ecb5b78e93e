// The litmus programs of weft_bench_relacy for Relacy (https://www.1024cores.net/home/relacy-race-detector), whose full
// search explores them. A process of its own: Relacy's headers redefine global names.
//
// usage: weft_bench_relacy_peer [MOST], the executions after which a search is given up
#include <stdio.h>
#include <stdlib.h>

#include <sstream>

#include "cpu_time.hpp"
#include "relacy_litmus.hpp"

// Last, because it makes macros of words like `new`.
#include <relacy/relacy.hpp>

namespace {

weft::bench::Outcomes outcomes;

// Of an execution: atomics, and what the threads read.
template <class Program, rl::thread_id_t threads>
struct Litmus : rl::test_suite<Program, threads> {
  rl::atomic<int> x, y;
  void before() {
    x($).store(0, rl::mo_relaxed);
    y($).store(0, rl::mo_relaxed);
    outcomes.clear_reads();
  }
  void after() { outcomes.add(); }
  static void read(int number, int value) { outcomes.reads[number] = value; }
};

struct StoreBuffering : Litmus<StoreBuffering, 2> {
  void thread(unsigned i) {
    rl::atomic<int>& mine = i == 0 ? x : y;
    rl::atomic<int>& other = i == 0 ? y : x;
    mine($).store(1, rl::mo_relaxed);
    read(i, other($).load(rl::mo_relaxed));
  }
};

struct MessagePassing : Litmus<MessagePassing, 2> {
  void thread(unsigned i) {
    if (i == 0) {
      x($).store(1, rl::mo_relaxed);
      y($).store(1, rl::mo_release);
    } else {
      read(0, y($).load(rl::mo_acquire));
      read(1, x($).load(rl::mo_relaxed));
    }
  }
};

struct IndependentReads : Litmus<IndependentReads, 4> {
  void thread(unsigned i) {
    if (i == 0) x($).store(1, rl::mo_release);
    if (i == 1) y($).store(1, rl::mo_release);
    if (i < 2) return;
    rl::atomic<int>& first = i == 2 ? x : y;
    rl::atomic<int>& second = i == 2 ? y : x;
    read(2 * i - 4, first($).load(rl::mo_acquire));
    read(2 * i - 3, second($).load(rl::mo_acquire));
  }
};

struct TwoFetchAdds : Litmus<TwoFetchAdds, 3> {
  void thread(unsigned i) {
    read(2 * i, x($).fetch_add(1, rl::mo_relaxed));
    read(2 * i + 1, y($).fetch_add(1, rl::mo_relaxed));
  }
};

struct LockedIncrements : Litmus<LockedIncrements, 3> {
  rl::mutex mutex;
  rl::var<int> value;
  void before() {
    Litmus<LockedIncrements, 3>::before();
    value($) = 0;
  }
  void thread(unsigned i) {
    mutex.lock($);
    const int old = value($);
    value($) = old + 1;
    mutex.unlock($);
    read(i, old);
  }
};

struct RacyIncrements : Litmus<RacyIncrements, 3> {
  void thread(unsigned i) {
    const int old = x($).load(rl::mo_relaxed);
    x($).store(old + 1, rl::mo_release);
    read(i, old);
  }
};

struct TwoPlusTwoWrites : Litmus<TwoPlusTwoWrites, 2> {
  void thread(unsigned i) {
    rl::atomic<int>& first = i == 0 ? x : y;
    rl::atomic<int>& second = i == 0 ? y : x;
    first($).store(1, rl::mo_relaxed);
    second($).store(2, rl::mo_relaxed);
    read(i, first($).load(rl::mo_relaxed));
  }
};

// Short searches are repeated: user time is counted in ticks of some milliseconds.
const double kLeastSeconds = 0.1;

template <class Program>
void search(const char* name, rl::iteration_t most) {
  const double start = weft::bench::user_seconds();
  double spent = 0;
  int times = 0;
  rl::iteration_t executions = 0;
  outcomes.met.reset();
  for (; spent < kLeastSeconds; ++times, spent = weft::bench::user_seconds() - start) {
    std::ostringstream ignored;
    rl::test_params parameters;
    parameters.output_stream = &ignored;
    parameters.progress_stream = &ignored;
    parameters.search_type = rl::fair_full_search_scheduler_type;
    parameters.iteration_count = most;
    if (!rl::simulate<Program>(parameters)) {
      fprintf(stderr, "weft_bench_relacy_peer: %s: Relacy reports a bug: %s\n", name, ignored.str().c_str());
      exit(1);
    }
    executions = parameters.stop_iteration;
  }
  printf("%s\t%llu\t%.9f\t%lu\t%d\n", name, static_cast<unsigned long long>(executions), spent / times,
         static_cast<unsigned long>(outcomes.met.count()), executions < most ? 1 : 0);
  fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  const rl::iteration_t most = count > 1 ? strtoull(arguments[1], NULL, 10) : 10000000;
  search<StoreBuffering>("sb", most);
  search<MessagePassing>("mp", most);
  search<IndependentReads>("iriw", most);
  search<TwoFetchAdds>("fetch_add_two", most);
  search<LockedIncrements>("mutex_inc", most);
  search<RacyIncrements>("load_store_inc", most);
  search<TwoPlusTwoWrites>("2+2w", most);
}
