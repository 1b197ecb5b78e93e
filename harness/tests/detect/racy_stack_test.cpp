// Racing variables on a stack: promoted for as long as they live, while other variables at the same address, before and
// after, stay what they are.
#include <gtest/gtest.h>

#include <thread>

#include "detect/racy_stack_functions.hpp"
#include "explore_body.hpp"
#include "weft/weft.hpp"

namespace weft::test {
namespace {

using Outcomes = std::vector<std::string>;
using Kinds = std::vector<FindingKind>;

Explored with_promotion(const std::function<void(Recorder&)>& body) {
  return explore_body(body, Model::rc11, 1000, nullptr, true);
}

std::string message_of(const Explored& explored) {
  return explored.findings.empty() ? "" : explored.findings.begin()->first;
}

std::uint64_t word(int value) { return static_cast<std::uint64_t>(value); }

TEST(RacyStack, ALostIncrementOfTheBodysOwnVariableIsShown) {
  const Explored explored = with_promotion([](Recorder& record) {
    int counter = 7;
    std::thread a([&] { counter += 1; });
    std::thread b([&] { counter += 1; });
    a.join();
    b.join();
    record(word(counter));
  });
  EXPECT_EQ(explored.counts.executions, 4u);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"8", "9"}));
  EXPECT_EQ(message_of(explored), "");
  ASSERT_EQ(explored.first_findings.size(), 1u);
  EXPECT_EQ(explored.first_findings[0].kind, FindingKind::data_race);
  EXPECT_TRUE(explored.first_findings[0].frame);
}

class RacyStackVariable : public testing::TestWithParam<const StackFunctions*> {
 protected:
  const StackFunctions& functions = *GetParam();
};

TEST_P(RacyStackVariable, WhatElseLivesAtTheSameAddressIsNoOperation) {
  const Explored explored = with_promotion([&](Recorder& record) {
    record(functions.use_stack());
    record(word(functions.two_increments()));
    record(functions.use_stack());
  });
  EXPECT_EQ(explored.counts.executions, 4u);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"0 8 0", "0 9 0"}));
  EXPECT_EQ(message_of(explored), "");
}

TEST_P(RacyStackVariable, EachCallHasOneOfItsOwn) {
  const Explored explored = with_promotion([&](Recorder& record) {
    for (int i = 0; i < 2; ++i) {
      record(word(functions.two_increments()));
      record(functions.use_stack());
    }
  });
  EXPECT_EQ(explored.counts.executions, 16u);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"8 0 8 0", "8 0 9 0", "9 0 8 0", "9 0 9 0"}));
  EXPECT_EQ(message_of(explored), "");
}

TEST_P(RacyStackVariable, MayBelongToAnotherThreadThanTheFirst) {
  const Explored explored = with_promotion([&](Recorder& record) {
    std::thread([&] {
      record(functions.use_stack());
      record(word(functions.two_increments()));
      record(functions.use_stack());
    }).join();
  });
  EXPECT_EQ(explored.counts.executions, 4u);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"0 8 0", "0 9 0"}));
  EXPECT_EQ(message_of(explored), "");
}

TEST_P(RacyStackVariable, EndsWithAnException) {
  const Explored explored = with_promotion([&](Recorder& record) {
    record(word(functions.two_increments_and_throw()));
    record(functions.use_stack());
    record(word(functions.two_increments_and_throw()));
  });
  EXPECT_EQ(explored.counts.executions, 16u);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"8 0 8", "8 0 9", "9 0 8", "9 0 9"}));
  EXPECT_EQ(message_of(explored), "");
}

TEST_P(RacyStackVariable, MarkedAsRacyEndsWithItsCallToo) {
  const Explored explored = explore_body([&](Recorder& record) {
    record(word(functions.racy_increments()));
    record(functions.use_stack());
  });
  EXPECT_EQ(explored.counts.executions, 4u);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"8 0", "9 0"}));
  EXPECT_EQ(message_of(explored), "");
}

INSTANTIATE_TEST_SUITE_P(Code, RacyStackVariable, testing::Values(&kOptimized, &kUnoptimized),
                         [](const auto& variant) { return std::string(variant.param->name); });

}  // namespace
}  // namespace weft::test
