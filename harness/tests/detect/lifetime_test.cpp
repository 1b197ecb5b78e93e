// Heap blocks: use after free, double free, mismatched free, leaks.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "explore_body.hpp"
#include "weft/weft.hpp"

namespace weft::test {
namespace {

using Kinds = std::vector<FindingKind>;
int* volatile kept = nullptr;

// Compilers may otherwise see what these tests do wrong.
template <class T>
T* hidden(T* pointer) {
  __asm__ volatile("" : "+r"(pointer));
  return pointer;
}

Kinds kinds_of(void (*body)()) {
  return explore_body([body](Recorder&) { body(); }).kinds;
}

TEST(Lifetime, ReadingABlockThatWasGivenBackIsFound) {
  EXPECT_EQ(kinds_of([] {
              int* const block = hidden(new int(1));
              delete block;
              if (*hidden(block) == 1) kept = nullptr;
            }),
            Kinds{FindingKind::use_after_free});
}

TEST(Lifetime, AnotherThreadMayNotUseABlockThatNothingKeepsAlive) {
  EXPECT_EQ(kinds_of([] {
              int* const block = hidden(new int(1));
              std::thread user([=] { *block = 2; });
              delete block;
              user.join();
            }),
            Kinds{FindingKind::use_after_free});
}

TEST(Lifetime, FreeRacesWithAnEarlierUse) {
  EXPECT_EQ(kinds_of([] {
              int* const block = hidden(new int(1));
              std::atomic<bool> used{false};
              std::thread user([&] {
                *block = 2;
                used.store(true, std::memory_order_relaxed);
              });
              while (!used.load(std::memory_order_relaxed)) {
              }
              delete block;
              user.join();
            }),
            Kinds{FindingKind::data_race});
}

TEST(Lifetime, GivingABlockBackTwiceIsFound) {
  EXPECT_EQ(kinds_of([] {
              int* const block = hidden(new int(1));
              int* const same = hidden(block);
              delete block;
              delete same;
            }),
            Kinds{FindingKind::double_free});
}

TEST(Lifetime, GivingBackWhatIsNoBlockIsFound) {
  EXPECT_EQ(kinds_of([] {
              int on_stack = 0;
              std::free(hidden(&on_stack));
            }),
            Kinds{FindingKind::double_free});
}

TEST(Lifetime, ABlockFromNewMustNotGoToFree) {
  EXPECT_EQ(kinds_of([] { std::free(hidden(new int(1))); }), Kinds{FindingKind::double_free});
}

TEST(Lifetime, ABlockThatNothingPointsToIsALeak) {
  EXPECT_EQ(kinds_of([] { *hidden(new int(1)) = 2; }), Kinds{FindingKind::leak});
}

TEST(Lifetime, ABlockThatAGlobalPointsToIsNoLeak) {
  EXPECT_EQ(kinds_of([] { kept = new int(1); }), Kinds{});
  EXPECT_EQ(kept, nullptr);  // put back after the run
}

TEST(Lifetime, SharedPointersOnTwoThreadsAreClean) {
  const Explored explored = explore_body([](Recorder&) {
    auto shared = std::make_shared<std::vector<int>>(3, 1);
    std::thread other([shared] { weft::check((*shared)[0] == 1, "the vector lives"); });
    shared.reset();
    other.join();
  });
  EXPECT_EQ(explored.kinds, Kinds{});
  EXPECT_EQ(explored.counts.executions, 2u);
}

}  // namespace
}  // namespace weft::test
