#include "memory_programs.hpp"

#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "weft/weft.hpp"

namespace weft::bench {

void choose_seven_digits() {
  for (int i = 0; i < 7; ++i) choose(10);
}

void stores_and_loads() {
  std::atomic<int> x = 0;
  const auto increment_twice = [&x] {
    for (int i = 0; i < 3; ++i) x.store(x.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  };
  std::thread a(increment_twice);
  std::thread b(increment_twice);
  std::thread c(increment_twice);
  a.join();
  b.join();
  c.join();
}

namespace {
int total = 0;  // a global: put back after each execution
}

void threads_with_heap_and_mutex() {
  std::mutex mutex;
  std::vector<std::unique_ptr<int>> jobs;
  const auto work = [&](int name) {
    for (int i = 0; i < 3; ++i) {
      void* const scratch = std::malloc(100);
      auto job = std::make_unique<int>(name);
      {
        const std::lock_guard lock(mutex);
        jobs.push_back(std::move(job));
        total += *jobs.back();
      }
      std::free(scratch);
    }
  };
  std::thread a(work, 1);
  std::thread b(work, 2);
  std::thread c(work, 3);
  a.join();
  b.join();
  c.join();
  choose(200);
}

}  // namespace weft::bench
