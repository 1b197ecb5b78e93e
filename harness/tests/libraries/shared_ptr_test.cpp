// std::shared_ptr and std::atomic<std::shared_ptr> of libstdc++: reference counts that several threads change.
#include <atomic>
#include <memory>
#include <thread>
#include <utility>

#include "models.hpp"

namespace weft::test {
namespace {

class SharedPtr : public UnderEachModel {};
INSTANTIATE_TEST_SUITE_P(Models, SharedPtr, models(), model_name);

/// Counts its own destruction in a variable that is not atomic: two destructors, or one that does not come after the
/// last use, would race.
struct Tracked {
  explicit Tracked(int* destructions) : destroyed(destructions) {}
  ~Tracked() { ++*destroyed; }
  Tracked(const Tracked&) = delete;
  Tracked& operator=(const Tracked&) = delete;
  int* destroyed;
  int value = 7;
};

TEST_P(SharedPtr, TheLastOfTwoOwnersDestroysOnce) {
  const Result result = explore([] {
    int destroyed = 0;
    auto owner = std::make_shared<Tracked>(&destroyed);
    std::thread first([mine = owner]() mutable {
      EXPECT_EQ(mine->value, 7);
      mine.reset();
    });
    std::thread second([mine = std::move(owner)]() mutable {
      EXPECT_EQ(mine->value, 7);
      mine.reset();
    });
    first.join();
    second.join();
    EXPECT_EQ(destroyed, 1);
  });
  EXPECT_TRUE(result.proved()) << result;
  EXPECT_EQ(result.executions, 2u);  // who gives up the last reference
  EXPECT_EQ(result.duplicates, 0u);
}

TEST_P(SharedPtr, CopiesMadeByTwoThreadsKeepTheObjectAlive) {
  const Result result = explore([] {
    int destroyed = 0;
    {
      const auto owner = std::make_shared<Tracked>(&destroyed);
      const auto use = [&owner] {
        const std::shared_ptr<Tracked> copy = owner;
        EXPECT_EQ(copy->value, 7);
      };
      std::thread first(use);
      std::thread second(use);
      first.join();
      second.join();
      EXPECT_EQ(owner.use_count(), 1);
      EXPECT_EQ(destroyed, 0);
    }
    EXPECT_EQ(destroyed, 1);
  });
  EXPECT_TRUE(result.proved()) << result;
  EXPECT_EQ(result.executions, 6u);  // two threads with two changes of one counter: 4!/(2! 2!)
  EXPECT_EQ(result.duplicates, 0u);
}

TEST_P(SharedPtr, AWeakReferenceGetsTheObjectOrNothing) {
  OutcomeSet outcomes;
  const Result result = explore([&] {
    int destroyed = 0;
    auto owner = std::make_shared<Tracked>(&destroyed);
    int found = 0;
    std::thread observer([&found, weak = std::weak_ptr<Tracked>(owner)] {
      if (const std::shared_ptr<Tracked> alive = weak.lock()) found = alive->value;
    });
    owner.reset();
    observer.join();
    EXPECT_EQ(destroyed, 1);
    outcomes.record(found);
  });
  EXPECT_TRUE(result.proved()) << result;
  EXPECT_EQ(result.executions, 8u);
  EXPECT_EQ(result.duplicates, 0u);
  EXPECT_EQ(outcomes.all(), (Outcomes{"0", "7"}));
}

// The count is atomic, the pointer itself is not.
TEST_P(SharedPtr, AssigningOnePointerFromTwoThreadsIsADataRace) {
  const Result result = explore([] {
    std::shared_ptr<int> pointer;
    std::thread first([&] { pointer = std::make_shared<int>(1); });
    std::thread second([&] { pointer = std::make_shared<int>(2); });
    first.join();
    second.join();
  });
  EXPECT_EQ(result.verdict, Verdict::bug);
  EXPECT_TRUE(result.found("data race")) << result;
}

// libstdc++ 12 guards the pointer in std::atomic<std::shared_ptr> with a lock bit, which load() gives back by a relaxed
// operation: nothing orders its read of the pointer before the write of a later store(). A data race by the standard,
// if one that x86-64 does not show.
TEST_P(SharedPtr, AtomicPointerUnlocksRelaxedInLoadWhichIsADataRace) {
#if _GLIBCXX_RELEASE != 12
  GTEST_SKIP() << "about libstdc++ 12";
#endif
  const Result result = explore_to_first_finding([&] {
    int destroyed = 0;
    // Not on the stack: clang 14 leaves out accesses to a part of a local object, even if others know its address.
    const auto pointer = std::make_unique<std::atomic<std::shared_ptr<Tracked>>>(std::make_shared<Tracked>(&destroyed));
    std::thread writer([&] { pointer->store(std::make_shared<Tracked>(&destroyed)); });
    EXPECT_EQ(pointer->load()->value, 7);
    writer.join();
  });
  EXPECT_EQ(kinds_of_findings(result), Kinds{"data race"}) << result;
}

// With every user an exchange(), which locks and unlocks with the right orders, the same pointer is fine.
TEST_P(SharedPtr, AtomicPointerThatIsExchangedGivesEachObjectOnce) {
  OutcomeSet outcomes;
  const Result result = explore([&] {
    int destroyed[3] = {};
    int first_got = 0, second_got = 0, left = 0;
    {
      const auto make = [&destroyed](int value) {
        auto object = std::make_shared<Tracked>(&destroyed[value]);
        object->value = value;
        return object;
      };
      std::atomic<std::shared_ptr<Tracked>> pointer(make(0));
      std::thread first([&] { first_got = pointer.exchange(make(1))->value; });
      std::thread second([&] { second_got = pointer.exchange(make(2))->value; });
      first.join();
      second.join();
      left = pointer.exchange(nullptr)->value;
    }
    for (const int times : destroyed) EXPECT_EQ(times, 1);
    outcomes.record(first_got, second_got, left);
  });
  EXPECT_TRUE(result.proved()) << result;
  EXPECT_EQ(result.executions, by_compiler(6, 8));
  EXPECT_EQ(result.duplicates, 0u);
  EXPECT_EQ(outcomes.all(), (Outcomes{"0 1 2", "2 0 1"}));
}

}  // namespace
}  // namespace weft::test
