// The entry points of -fsanitize=thread for atomic objects: every size and operation does inside an execution what it
// does outside.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "explore_body.hpp"

namespace weft::test {
namespace {

template <class T>
std::vector<std::uint64_t> all_operations(std::atomic<T>& object) {
  std::vector<std::uint64_t> seen;
  const auto see = [&](auto value) { seen.push_back(static_cast<std::uint64_t>(value)); };
  object.store(static_cast<T>(200), std::memory_order_release);
  see(object.load(std::memory_order_acquire));
  see(object.exchange(static_cast<T>(7)));
  see(object.fetch_add(static_cast<T>(255), std::memory_order_acq_rel));
  see(object.fetch_sub(static_cast<T>(9), std::memory_order_relaxed));
  see(object.fetch_and(static_cast<T>(0x7f)));
  see(object.fetch_or(static_cast<T>(0x41)));
  see(object.fetch_xor(static_cast<T>(0xff)));
  T expected = static_cast<T>(1);
  see(object.compare_exchange_strong(expected, static_cast<T>(3)));
  see(expected);
  see(object.compare_exchange_weak(expected, static_cast<T>(4), std::memory_order_acq_rel, std::memory_order_relaxed));
  see(object.load());
  std::atomic_thread_fence(std::memory_order_seq_cst);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  return seen;
}

template <class T>
class AtomicsOf : public testing::Test {};
using Types =
    testing::Types<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::uint32_t, int, std::uint64_t, long>;
TYPED_TEST_SUITE(AtomicsOf, Types);

TYPED_TEST(AtomicsOf, MeanTheSameInsideAndOutsideOfAnExecution) {
  std::atomic<TypeParam> outside{};
  const std::vector<std::uint64_t> expected = all_operations(outside);
  std::string words;
  for (const std::uint64_t value : expected) words += (words.empty() ? "" : " ") + std::to_string(value);
  const Explored explored = explore_body([](Recorder& record) {
    std::atomic<TypeParam> object{};
    std::thread([&] {
      for (const std::uint64_t value : all_operations(object)) record(value);
    }).join();
  });
  EXPECT_EQ(explored.outcome_set(), std::vector<std::string>{words});
  EXPECT_EQ(explored.counts.executions, 1u);
  EXPECT_TRUE(explored.kinds.empty());
}

TEST(Atomics, AFailedCompareExchangeWritesNothing) {
  const Explored explored = explore_body([](Recorder& record) {
    std::atomic<int> object{0};
    const auto claim = [&](int who) {
      int expected = 0;
      object.compare_exchange_strong(expected, who);
    };
    std::thread a(claim, 1);
    std::thread b(claim, 2);
    a.join();
    b.join();
    record(static_cast<std::uint64_t>(object.load()));
  });
  EXPECT_EQ(explored.outcome_set(), (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(explored.counts.executions, 2u);
}

}  // namespace
}  // namespace weft::test
