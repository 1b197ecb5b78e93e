// Races without a data race: only the invariant shows them. And what the calls of a scenario mean on real threads.
#include <weft/weft.h>
#include <atomic>
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <weft/scenario.hpp>
#include <weft/shared.hpp>

namespace {

template <class Work>
void two_threads(Work work) {
  std::thread one(work);
  std::thread other(work);
  one.join();
  other.join();
}

void get_then_set() {
  weft::shared<int> quota(2);
  two_threads([&] {
    weft::name_thread("Request");
    const int before = quota.get();
    weft::note("admit");
    quota.update([&](int& left) { left = before - 1; });
  });
  int left = quota.get();
  weft::watch("left", left);
  weft::check(left == 0, "two requests use two of the quota");
}

void claim_in_one_step() {
  weft::shared<int> quota(2);
  two_threads([&] { quota.update([](int& left) { --left; }); });
  weft::check(quota.get() == 0, "two requests use two of the quota");
}

void waits_for_the_other() {
  weft::shared<int> turn(0);
  std::thread other([&] { turn.when([](int now) { return now == 1; }, [](int& now) { now = 2; }); });
  turn.update([](int& now) { now = 1; });
  turn.when([](int now) { return now == 2; }, [](int&) {});
  other.join();
}

// The numbers of a thread depend on the seed and on its place among the threads, not on who runs first.
void show_choices() {
  std::string mine;
  std::string first;
  std::string second;
  const auto draw = [](std::string& into) {
    for (int i = 0; i < 12; ++i) into += static_cast<char>('0' + weft::choose(10));
  };
  std::thread a([&] { draw(first); });
  std::thread b([&] { draw(second); });
  draw(mine);
  a.join();
  b.join();
  const std::string all = "drew " + mine + " " + first + " " + second;
  weft::check(false, all.c_str());
}

void assumes_a_choice() {
  const std::uint32_t chosen = weft::choose(4);
  weft::assume(chosen == 3);
  std::thread([] {}).join();
  weft::check(chosen == 3, "only 3 is left");
  weft::sometimes(chosen == 3, "3 is chosen");
  weft::sometimes(chosen == 2, "2 is chosen");
}

void assumes_the_impossible() { weft::assume(false); }

int left_over = 0;
void leaves_something_in_a_global() {
  weft::check(left_over == 0, "globals begin as they were");
  left_over = 1;
}

void asserts() {
  std::thread([] { assert(left_over == 7); }).join();
}

void throws() {
  std::thread([] { throw std::runtime_error("no such user"); }).join();
}

void fails_in_c() { weft_check(weft_choose(1) == 1, "a choice of one is 1"); }

void is_larger_under_stress() { weft::check(weft::scaled(2, 1000) == 1000, "scaled for stress"); }

struct Unwound {
  ~Unwound() { weft::check(false, "nothing is unwound"); }
};
void stops_without_unwinding() {
  std::atomic<int> rounds = 0;
  std::thread worker([&] {
    for (int i = 0; i < 100; ++i) {
      weft::detail::run_stoppable([&] {
        const Unwound local;
        weft::detail::run_stoppable([] {
          try {
            throw 1;
          } catch (int) {
            weft::detail::stop_running();
          }
        });
        weft::check(std::current_exception() == nullptr, "no exception is being handled");
        ++rounds;
        weft::detail::stop_running();
      });
    }
  });
  worker.join();
  weft::check(rounds == 100, "each round is stopped once");
}

void writes_tasks_down() {
  const std::uint32_t a = weft::detail::new_task("Request A");
  const std::uint32_t b = weft::detail::new_task("Request B");
  weft::detail::enter_task(a);
  weft::note("a begins");
  weft::detail::enter_task(b);
  weft::note("b begins");
  weft::check(false, "tasks have columns");
}

// One of 2^20 runs.
void is_hardly_ever_seen() { weft::check(weft::choose(1u << 20) != 12345, "not that number"); }

WEFT_SCENARIO(logic)
    .broken("get_then_set", get_then_set, weft::finds::invariant("two requests use two"))
    .broken("choices", show_choices, weft::finds::invariant("drew"))
    .broken("assert", asserts, weft::finds::invariant("assertion `left_over == 7' failed"))
    .broken("throws", throws, weft::finds::uncaught_exception("std::runtime_error: no such user"))
    .broken("in_c", fails_in_c, weft::finds::invariant("a choice of one is 1"))
    .broken("tasks", writes_tasks_down, weft::finds::invariant("tasks have columns"))
    .broken("missed", is_hardly_ever_seen, weft::finds::invariant("not that number"))
    .broken("may_miss", is_hardly_ever_seen, weft::finds::invariant("not that number"))
    .stress(weft::stress::may_miss("one of a million choices fails"))
    .broken("may_miss_but_not_that", fails_in_c, weft::finds::invariant("not that number"))
    .stress(weft::stress::may_miss("one of a million choices fails"))
    .broken("skipped", get_then_set, weft::finds::invariant("two requests use two"))
    .stress(weft::stress::skip("it stands for one with fences"))
    .fixed("claim", claim_in_one_step)
    .fixed("when", waits_for_the_other)
    .fixed("assumes", assumes_a_choice)
    .fixed("assumes_nothing_is_left", assumes_the_impossible)
    .fixed("globals", leaves_something_in_a_global)
    .fixed("scaled", is_larger_under_stress)
    .fixed("stops", stops_without_unwinding);

}  // namespace
