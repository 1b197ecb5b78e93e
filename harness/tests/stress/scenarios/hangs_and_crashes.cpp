// Iterations that do not come to their end.
#include <signal.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <weft/scenario.hpp>

namespace {

struct Accounts {
  std::mutex first;
  std::mutex second;
};

void lock_in_both_orders() {
  Accounts accounts;
  weft::name(accounts.first, "account 1");
  weft::name(accounts.second, "account 2");
  const auto transfer = [](std::mutex& from, std::mutex& to) {
    const std::lock_guard one(from);
    weft::note("holds the first lock");
    const std::lock_guard other(to);
  };
  std::thread there([&] {
    weft::name_thread("There");
    transfer(accounts.first, accounts.second);
  });
  std::thread back([&] {
    weft::name_thread("Back");
    transfer(accounts.second, accounts.first);
  });
  there.join();
  back.join();
}

void nobody_notifies() {
  std::mutex mutex;
  std::condition_variable condition;
  std::unique_lock lock(mutex);
  weft::note("waits for a word");
  condition.wait(lock, [] { return false; });
}

void spins_for_ever() {
  std::atomic<bool> go = false;
  std::thread waiting([&] {
    while (!go) std::this_thread::yield();
  });
  waiting.join();
}

// It moves on by itself: no deadlock, however long it takes.
void sleeps_for_two_seconds() {
  std::mutex mutex;
  std::thread other([&] {
    const std::lock_guard lock(mutex);
    std::this_thread::sleep_for(std::chrono::seconds(2));
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const std::lock_guard lock(mutex);
  other.detach();
}

void follows_a_null_pointer() {
  std::thread([] {
    volatile int* volatile nothing = nullptr;
    *nothing = 1;
  }).join();
}

volatile int deepest = -1;
int recurse(int depth) {
  volatile char large[1024];
  large[depth % 1024] = 1;
  return depth == deepest ? 0 : recurse(depth + 1) + large[depth % 1024];
}
void recurses_for_ever() {
  std::thread([] { recurse(1); }).join();
}

void aborts() { std::abort(); }
void exits_with_3() { std::exit(3); }
void forgets_to_join() {
  std::thread forgotten([] {});
}
void is_killed() { raise(SIGKILL); }

void uses_what_is_freed() {
  std::atomic<int*> number = new int(1);
  std::thread reader([&] {
    weft::note("reads");
    const volatile int* const seen = number.load(std::memory_order_relaxed);
    weft::check(seen == nullptr || *seen < 1000'000'000, "a number");
  });
  reader.join();
  int* const freed = number.load();
  delete freed;
  const volatile int* const after = freed;
  weft::check(*after < 2'000'000'000, "a number");
}

WEFT_SCENARIO(hangs)
    .broken("locks", lock_in_both_orders, weft::finds::deadlock())
    .broken("condition", nobody_notifies, weft::finds::deadlock())
    .broken("spin", spins_for_ever, weft::finds::livelock())
    .broken("spin_is_no_deadlock", spins_for_ever, weft::finds::deadlock())
    .fixed("slow", sleeps_for_two_seconds);

WEFT_SCENARIO(crashes)
    .broken("null", follows_a_null_pointer, weft::finds::finding("signal", "a null pointer was followed"))
    .broken("recursion", recurses_for_ever, weft::finds::finding("signal", "stack overflow"))
    .broken("abort", aborts, weft::finds::finding("abort", "abort() was called"))
    .broken("exit", exits_with_3, weft::finds::finding("abort", "exit code 3"))
    .broken("terminate", forgets_to_join, weft::finds::finding("abort", "std::terminate"))
    .broken("killed", is_killed, weft::finds::finding("signal", "Killed"))
    .broken("use_after_free", uses_what_is_freed, weft::finds::use_after_free());

}  // namespace
