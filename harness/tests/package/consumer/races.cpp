// One scenario of threads, and one on the models.
#include <atomic>
#include <thread>

#include <models/event_loop.hpp>
#include <models/promise.hpp>
#include <weft/scenario.hpp>
#include <weft/version.hpp>

#if __has_include(<runtime/execution.hpp>)
#error "Weft's own headers are seen by scenarios"
#endif

namespace {

void two_increments() {
  int counter = 0;
  weft::name(counter, "counter");
  std::thread other([&] { counter = counter + 1; });
  counter = counter + 1;
  other.join();
  weft::check(counter == 2, "nothing is lost");
}

void two_atomic_increments() {
  std::atomic<int> counter{0};
  std::thread other([&] { ++counter; });
  ++counter;
  other.join();
  weft::check(counter == 2, "nothing is lost");
}

WEFT_SCENARIO(counter)
    .source("a project of its own")
    .broken("plain", two_increments, weft::finds::data_race("counter"), weft::finds::invariant("nothing is lost"))
    .fixed("atomic", two_atomic_increments);

js::Promise<> withdraw_after_look(int& balance) {
  const int seen = balance;
  co_await js::io("charge");
  balance = seen - 1;
}

js::Promise<> withdraw_at_once(int& balance) {
  --balance;
  co_await js::io("charge");
}

template <auto withdraw>
void two_requests() {
  js::EventLoop loop;
  int balance = 2;
  loop.spawn("Request A", [&] { return withdraw(balance); });
  loop.spawn("Request B", [&] { return withdraw(balance); });
  loop.run();
  weft::check(balance == 0, "both are charged");
}

WEFT_SCENARIO(balance)
    .source("a project of its own")
    .model(weft::sc)
    .broken("look_then_await", two_requests<withdraw_after_look>, weft::finds::invariant("both are charged"))
    .fixed("at_once", two_requests<withdraw_at_once>);

}  // namespace
