#include "weft/shared.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "weft/weft.hpp"

namespace {

using weft::Model;

class SharedObject : public testing::TestWithParam<Model> {
 protected:
  weft::Options options() const {
    weft::Options o;
    o.model = GetParam();
    o.count_duplicates = true;
    return o;
  }
};

TEST_P(SharedObject, CostsOneOrderPerOrderOfItsUpdates) {
  std::set<std::vector<int>> orders;
  const weft::Result result = weft::explore(
      [&] {
        weft::shared<std::vector<int>> log;
        std::vector<std::thread> threads;
        for (int i = 0; i < 3; ++i) threads.emplace_back([&log, i] { log.update([i](auto& l) { l.push_back(i); }); });
        for (std::thread& t : threads) t.join();
        const weft::detail::OutsideScope outside;
        orders.insert(log.get());
      },
      options());
  EXPECT_TRUE(result.proved()) << result;
  EXPECT_EQ(result.executions, 6u);
  EXPECT_EQ(result.blocked, 0u);
  EXPECT_EQ(result.duplicates, 0u);
}

TEST_P(SharedObject, HandsEachItemToOneConsumerInOrder) {
  std::set<std::vector<int>> seen;
  const weft::Result result = weft::explore(
      [&] {
        weft::shared<std::deque<int>> queue;
        std::vector<int> got;
        std::thread producer([&] {
          for (int i = 1; i <= 2; ++i) queue.update([i](auto& q) { q.push_back(i); });
        });
        for (int i = 0; i < 2; ++i) {
          got.push_back(queue.when([](const auto& q) { return !q.empty(); },
                                   [](auto& q) {
                                     const int front = q.front();
                                     q.pop_front();
                                     return front;
                                   }));
        }
        producer.join();
        weft::check((got == std::vector<int>{1, 2}), "first in, first out");
        weft::check(queue.get().empty(), "nothing is left");
      },
      options());
  EXPECT_TRUE(result.proved()) << result;
  EXPECT_EQ(result.executions, 2u);  // the first item is taken before or after the second is put in
}

TEST_P(SharedObject, SynchronizesPlainDataAroundItsOperations) {
  const weft::Result result = weft::explore(
      [] {
        weft::shared<int> turns(0);
        int data = 0;
        std::thread other([&] {
          turns.when([](int t) { return t == 1; }, [](int& t) { t = 2; });
          ++data;
        });
        data = 1;
        turns.update([](int& t) { t = 1; });
        other.join();
        weft::check(data == 2, "the other thread saw the data");
      },
      options());
  EXPECT_TRUE(result.proved()) << result;
}

TEST_P(SharedObject, StartsAnewWhereAnotherOneLived) {
  const weft::Result result = weft::explore(
      [] {
        for (int i = 0; i < 3; ++i) {
          weft::shared<int> counter(10 * i);
          std::thread other([&] { counter.update([](int& c) { ++c; }); });
          counter.update([](int& c) { ++c; });
          other.join();
          weft::check(counter.get() == 10 * i + 2, "only this object's updates count");
        }
      },
      options());
  EXPECT_TRUE(result.proved()) << result;
  EXPECT_EQ(result.executions, 8u);  // two orders, three times
}

TEST_P(SharedObject, ThatIsNeverReadyIsADeadlock) {
  const weft::Result result = weft::explore(
      [] {
        weft::shared<int> state(0);
        std::thread other([&] { state.when([](int s) { return s == 5; }, [](int&) {}); });
        state.update([](int& s) { s = 4; });
        other.join();
      },
      options());
  EXPECT_TRUE(result.found("deadlock")) << result;
}

/// A change that gets half way.
void increment_and_fail(int& state) {
  ++state;
  throw std::runtime_error("half way");
}

TEST_P(SharedObject, HasTheStateAtTheThrowOfAChange) {
  const weft::Result result = weft::explore(
      [] {
        weft::shared<int> counter(10);
        std::thread other([&] { counter.update([](int& c) { c += 100; }); });
        bool caught = false;
        try {
          counter.update(increment_and_fail);
        } catch (const std::runtime_error&) {
          caught = true;
        }
        other.join();
        weft::check(caught, "the exception comes to the caller");
        weft::check(counter.get() == 111, "what was done stays done");
      },
      options());
  EXPECT_TRUE(result.proved()) << result;
  EXPECT_EQ(result.executions, 2u);
}

TEST_P(SharedObject, ThatAFailedChangeLeavesBehindIsNoFindingOfItsOwn) {
  const weft::Result result = weft::explore(
      [] {
        weft::shared<int> counter(0);
        std::thread other([&] { counter.update([](int&) { weft::check(false, "fails in its change"); }); });
        counter.update([](int& c) { ++c; });
        other.join();
      },
      {.model = GetParam(), .keep_going = true});
  ASSERT_EQ(result.findings.size(), 1u) << result;
  EXPECT_TRUE(result.found("invariant", "fails in its change")) << result;
}

TEST_P(SharedObject, WhoseChangeDropsTheExecutionDropsItForAll) {
  const weft::Result result = weft::explore(
      [] {
        weft::shared<int> counter(0);
        std::thread other([&] { counter.update([](int& c) { weft::assume(c != 0); }); });
        counter.update([](int& c) { ++c; });
        other.join();
        weft::check(counter.get() == 1, "the order that was assumed");
      },
      options());
  EXPECT_TRUE(result.proved()) << result;
  EXPECT_EQ(result.executions, 1u);
}

TEST_P(SharedObject, WhoseChangeIsStoppedIsRefused) {
  const weft::Result result = weft::explore(
      [] {
        weft::shared<int> counter(0);
        weft::detail::run_stoppable([&] { counter.update([](int&) { weft::detail::stop_running(); }); });
        std::thread other([&] { counter.update([](int& c) { ++c; }); });
        other.join();
      },
      options());
  EXPECT_TRUE(result.found("unsupported", "a change that never ended")) << result;
}

TEST_P(SharedObject, ThatWasGivenBackIsUsedAfterFree) {
  const weft::Result result = weft::explore(
      [] {
        auto* const counter = new weft::shared<int>(0);
        std::thread other([counter] { counter->update([](int& c) { ++c; }); });
        counter->get();
        delete counter;
        other.join();
      },
      {.model = GetParam(), .keep_going = true});
  EXPECT_TRUE(result.found("use after free")) << result;
  EXPECT_FALSE(result.found("nondeterminism")) << result;
}

INSTANTIATE_TEST_SUITE_P(Models, SharedObject, testing::Values(Model::sc, Model::rc11),
                         [](const auto& p) { return std::string(weft::to_string(p.param)); });

TEST(SharedObjectOutside, IsAMutexAndACondition) {
  weft::shared<int> turns(0);
  std::thread other([&] { turns.when([](int t) { return t == 1; }, [](int& t) { t = 2; }); });
  turns.update([](int& t) { t = 1; });
  other.join();
  EXPECT_EQ(turns.get(), 2);
}

TEST(SharedObjectOutside, HasTheStateAtTheThrowOfAChange) {
  weft::shared<int> counter(10);
  EXPECT_THROW(counter.update(increment_and_fail), std::runtime_error);
  EXPECT_EQ(counter.get(), 11);
}

}  // namespace
