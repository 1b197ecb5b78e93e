// Faults that the system reports by a signal end their thread as a finding; so do loops that never do anything visible.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <csignal>

#include "failing_body.hpp"
#include "weft/weft.hpp"

namespace {

using weft::Result;
using weft::Verdict;

TEST(Signals, AStoreThroughANullPointerIsAFinding) {
  int* volatile nowhere = nullptr;
  expect_one(explore_failing_in_one_of_two([&] { *nowhere = 1; }), "signal", "null pointer");
}

TEST(Signals, AnAtomicAccessThroughANullPointerIsAFinding) {
  std::atomic<int>* volatile nowhere = nullptr;
  const Result result = explore_failing_in_one_of_two([&] { nowhere->store(1); });
  expect_one(result, "signal", "null pointer");
  // The engine faults for it; the place is the scenario's.
  EXPECT_EQ(result.findings[0].trace.find("operation.hpp"), std::string::npos) << result;
}

TEST(Signals, ADivisionByZeroIsAFinding) {
  volatile int zero = 0;
  expect_one(explore_failing_in_one_of_two([&] {
               volatile int result = 100 / zero;
               (void)result;
             }),
             "signal", "SIGFPE");
}

TEST(Signals, AnAccessBehindTheEndOfAFileIsAFinding) {
  const int file = memfd_create("empty", 0);
  ASSERT_GE(file, 0);
  void* const mapping = mmap(nullptr, 4096, PROT_READ, MAP_SHARED, file, 0);
  ASSERT_NE(mapping, MAP_FAILED);
  const volatile char* const nothing = static_cast<char*>(mapping);
  expect_one(explore_failing_in_one_of_two([&] { (void)*nothing; }), "signal", "SIGBUS");
  munmap(mapping, 4096);
  close(file);
}

TEST(Signals, AbortingByASignalIsAFinding) {
  expect_one(explore_failing_in_one_of_two([] { raise(SIGABRT); }), "signal", "SIGABRT");
}

TEST(Signals, AnIllegalInstructionIsAFinding) {
  expect_one(explore_failing_in_one_of_two([] { __builtin_trap(); }), "signal", "SIGILL");
}

// Not a tail call, and every frame is used.
[[gnu::noinline]] int recurse(volatile int* depth) {
  if (*depth < 0) return 0;
  volatile char frame[1024];
  frame[0] = static_cast<char>(*depth);
  return recurse(depth) + frame[0];
}

TEST(Signals, AStackOverflowIsAFindingOfItsOwn) {
  volatile int depth = 0;
  expect_one(explore_failing_in_one_of_two([&] { recurse(&depth); }), "signal", "stack overflow");
}

TEST(Signals, ManyFaultsInOneExplorationAreAllCaught) {
  int* volatile nowhere = nullptr;
  const Result result = weft::explore(
      [&] {
        if (weft::choose(50) != 0) *nowhere = 1;
      },
      {.keep_going = true});
  EXPECT_EQ(result.executions, 50u) << result;
  EXPECT_EQ(result.findings.size(), 1u) << result;
}

// Compilers put code that they take for unlikely, or for much used, into sections of its own.
[[gnu::cold, gnu::noinline]] void turn_for_ever_in_cold_code(const volatile bool* go_on) {
  while (*go_on) {
  }
}
[[gnu::hot, gnu::noinline]] void turn_for_ever_in_hot_code() {
  for (;;) asm volatile("");
}

TEST(Signals, AnEndlessLoopInColdCodeIsAFinding) {
  volatile bool go_on = true;
  expect_one(explore_failing_in_one_of_two([&] { turn_for_ever_in_cold_code(&go_on); }), "endless loop", "");
}

TEST(Signals, AnEndlessLoopInHotCodeWithoutAnyAccessIsAFinding) {
  expect_one(explore_failing_in_one_of_two([] { turn_for_ever_in_hot_code(); }), "endless loop", "");
}

TEST(Signals, AnEndlessLoopWithoutVisibleOperationsIsAFinding) {
  volatile bool go_on = true;
  expect_one(explore_failing_in_one_of_two([&] {
               while (go_on) {
               }
             }),
             "endless loop", "without any visible operation");
}

}  // namespace
