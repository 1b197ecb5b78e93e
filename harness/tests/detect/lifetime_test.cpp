// Heap blocks: use after free, double free, mismatched free, leaks.
#include <gtest/gtest.h>
#include <malloc.h>
#include <pthread.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "explore_body.hpp"
#include "hidden.hpp"
#include "weft/weft.hpp"

namespace weft::test {
namespace {

using Kinds = std::vector<FindingKind>;
int* volatile kept = nullptr;

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

// In the replay the user is there before the block is given back; in the exploration, after.
void expect_use_after_free_in_replays_too(void (*body)()) {
  const Result result = weft::explore(body, {.keep_going = true});
  ASSERT_EQ(result.findings.size(), 1u) << result;
  EXPECT_EQ(result.findings[0].kind, "use after free") << result;
  const Replay replay = weft::replay(body, result.findings[0].schedule);
  EXPECT_EQ(replay.status, Replay::Status::done) << replay.problem;
  ASSERT_EQ(replay.findings.size(), 1u);
  EXPECT_EQ(replay.findings[0].kind, "use after free") << replay.trace;
}

TEST(Lifetime, AUseThatMayComeAfterTheFreeIsUseAfterFreeWhicheverCameFirst) {
  expect_use_after_free_in_replays_too([] {
    int* const block = hidden(new int(1));
    std::atomic<int> flag = 0;
    std::thread user([block, &flag] {
      *block = 2;
      flag = 1;
    });
    flag.load();
    delete block;
    user.join();
  });
}

TEST(Lifetime, AnAtomicUseThatMayComeAfterTheFreeIsUseAfterFreeToo) {
  expect_use_after_free_in_replays_too([] {
    auto* const block = hidden(new std::atomic<int>(1));
    std::thread user([block] { *block = 2; });
    block->load();
    delete block;
    user.join();
  });
  expect_use_after_free_in_replays_too([] {
    auto* const block = hidden(new std::atomic<int>(1));
    std::thread user([block] { *block = 2; });  // lower numbers go first
    std::thread owner([block] { delete block; });
    user.join();
    owner.join();
  });
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

std::string message_of(void (*body)()) {
  const Explored explored = explore_body([body](Recorder&) { body(); });
  return explored.findings.empty() ? "" : explored.findings.begin()->first;
}

alignas(16) int global_variable = 0;

TEST(Lifetime, FreeOfNoBlockSaysWhatItIs) {
  EXPECT_EQ(message_of([] {
              int on_stack = 0;
              std::free(hidden(&on_stack));
            }),
            "free of the address of a variable on a stack, which malloc never returned");
  EXPECT_EQ(message_of([] { delete hidden(&global_variable); }),
            "delete of the address of a global variable, which new never returned");
  EXPECT_EQ(message_of([] { delete[](hidden(new char[8]) + 3); }),
            "delete[] of a pointer into the middle of a block: byte 3 of 8");
  static char* const from_before = new char[32];
  EXPECT_EQ(message_of([] { std::free(hidden(from_before) + 3); }),
            "free of an address in the middle of something, which malloc never returned");
  EXPECT_EQ(message_of([] { delete[] hidden(from_before); }), "");
  delete[] from_before;
}

TEST(Lifetime, LargeBlocksAreWatchedToTheirEnd) {
  EXPECT_EQ(kinds_of([] {
              char* const block = hidden(new char[200'000]);
              delete[] block;
              hidden(block)[199'999] = 1;
            }),
            Kinds{FindingKind::use_after_free});
}

thread_local int* volatile kept_by_thread = nullptr;

TEST(Lifetime, ABlockThatAThreadLocalVariablePointsToIsNoLeak) {
  EXPECT_EQ(kinds_of([] { kept_by_thread = hidden(new int(1)); }), Kinds{});
  EXPECT_EQ(kinds_of([] { std::thread([] { kept_by_thread = hidden(new int(1)); }).join(); }), Kinds{});
}

TEST(Lifetime, ABlockThatThreadSpecificDataPointsToIsNoLeak) {
  EXPECT_EQ(kinds_of([] {
              pthread_key_t key{};
              pthread_key_create(&key, nullptr);
              pthread_setspecific(key, hidden(new int(1)));
            }),
            Kinds{});
}

TEST(Lifetime, ManyRacingRunsTakeNoMemory) {
  const auto race_often = [] {
    const Explored explored = explore_body([](Recorder&) {
      std::atomic<int> flag{0};
      std::atomic<int> word{0};
      std::thread a([&] {
        for (int i = 0; i < 4; ++i) flag.store(i, std::memory_order_relaxed);
      });
      std::thread b([&] {
        for (int i = 0; i < 4; ++i) (void)flag.load(std::memory_order_relaxed);
        new (hidden(&word)) std::atomic<int>(1);
      });
      word.store(2);
      a.join();
      b.join();
    });
    return explored.counts.failed;
  };
  race_often();  // what is kept for good
  const std::size_t before = mallinfo2().uordblks;
  const std::uint64_t races = race_often();
  EXPECT_GE(races, 50u);
  EXPECT_LT(mallinfo2().uordblks, before + 16 * races);
}

TEST(Lifetime, ABlockFromNewMustNotGoToFree) {
  EXPECT_EQ(kinds_of([] { std::free(hidden(new int(1))); }), Kinds{FindingKind::double_free});
}

TEST(Lifetime, ABlockThatNothingPointsToIsALeak) {
  EXPECT_EQ(kinds_of([] { *hidden(new int(1)) = 2; }), Kinds{FindingKind::leak});
}

TEST(Lifetime, AThreadHandleKeepsNoBlock) {
  [[maybe_unused]] static volatile pthread_t owner;
  EXPECT_EQ(kinds_of([] {
              *hidden(new int(1)) = 2;
              owner = pthread_self();
            }),
            Kinds{FindingKind::leak});
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
