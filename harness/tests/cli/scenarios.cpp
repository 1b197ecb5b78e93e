// Scenarios for the tests of the command line: one that fails although it is called fixed, one that takes for ever.
#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

#include <weft/scenario.hpp>

namespace {

void lose_an_update() {
  std::atomic<int> counter = 0;
  weft::name(counter, "<b>counter</b> & \"co\"");
  const auto increment = [&] {
    weft::name_thread("</script><script>alert(1)</script>");
    counter.store(counter.load() + 1);
  };
  std::thread a(increment);
  std::thread b(increment);
  a.join();
  b.join();
  weft::check(counter.load() == 2, "nothing is lost, <i>ever</i>");
}

void lose_an_update_if_told_to() {
  if (std::getenv("WEFT_TEST_LOSES") != nullptr) {
    lose_an_update();
  } else {
    std::atomic<int> counter = 0;
    std::thread a([&] { ++counter; });
    ++counter;
    a.join();
  }
}

/// 15! / (3!)^5 executions.
void have_168_million_executions() {
  std::atomic<int> counter = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 5; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 3; ++i) ++counter;
    });
  }
  for (std::thread& thread : threads) thread.join();
}

WEFT_SCENARIO(fails_unexpectedly).fixed("always", lose_an_update).fixed("if_told_to", lose_an_update_if_told_to);
WEFT_SCENARIO(counts_to_168_million).fixed("increments", have_168_million_executions);

}  // namespace
