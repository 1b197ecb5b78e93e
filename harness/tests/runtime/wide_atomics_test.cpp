// Atomic objects that no atomic instruction fits: refused inside an execution, usable outside. What the compilers call
// for them differs (__tsan_atomic128_*, __atomic_*_16, __atomic_load and so on); the tests are the same.
#include <gtest/gtest.h>

#include <atomic>

#include "explore_body.hpp"

namespace weft::test {
namespace {

using Kinds = std::vector<FindingKind>;

struct Pair {
  long first;
  long second;
  friend bool operator==(const Pair&, const Pair&) = default;
};
struct Triple {
  long words[3];
};

std::atomic<Pair> pair{{1, 2}};
std::atomic<Triple> triple{{{1, 2, 3}}};
__extension__ typedef unsigned __int128 WideInteger;
WideInteger wide = 1;

WideInteger add_to_wide(WideInteger operand) {
// The call of a library function that clang warns of is what is tested.
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Watomic-alignment"
#endif
  return __atomic_fetch_add(&wide, operand, __ATOMIC_SEQ_CST);
#ifdef __clang__
#pragma clang diagnostic pop
#endif
}

void expect_refused(void (*operation)()) {
  const Explored explored = explore_body([=](Recorder&) { operation(); });
  EXPECT_EQ(explored.kinds, Kinds{FindingKind::unsupported});
  ASSERT_EQ(explored.first_findings.size(), 1u);
  EXPECT_NE(explored.first_findings[0].message.find("bytes: Weft explores atomic objects of up to 8 bytes"),
            std::string::npos)
      << explored.first_findings[0].message;
}

TEST(WideAtomics, AreRefusedInsideAnExecution) {
  expect_refused([] { pair.store({3, 4}); });
  expect_refused([] { (void)pair.load(); });
  expect_refused([] { (void)pair.exchange({3, 4}); });
  expect_refused([] {
    Pair expected{1, 2};
    pair.compare_exchange_strong(expected, {3, 4});
  });
  expect_refused([] { (void)triple.load(); });
  expect_refused([] { (void)add_to_wide(1); });
  EXPECT_EQ(pair.load(), (Pair{1, 2}));
}

TEST(WideAtomics, WorkOutside) {
  pair.store({5, 6});
  EXPECT_EQ(pair.load(), (Pair{5, 6}));
  EXPECT_EQ(pair.exchange({7, 8}), (Pair{5, 6}));
  Pair expected{5, 6};
  EXPECT_FALSE(pair.compare_exchange_strong(expected, {9, 9}));
  EXPECT_EQ(expected, (Pair{7, 8}));
  EXPECT_TRUE(pair.compare_exchange_strong(expected, {1, 2}));
  triple.store({{4, 5, 6}});
  EXPECT_EQ(triple.load().words[2], 6);
  EXPECT_TRUE(add_to_wide(4) == 1);
  EXPECT_TRUE(wide == 5);
}

}  // namespace
}  // namespace weft::test
