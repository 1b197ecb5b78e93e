// Mutations and cross-overs change decisions, and only those; the same seed makes the same change.
#include "fuzz/mutations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace weft::fuzz {
namespace {

constexpr std::size_t kMost = 4096;

std::vector<TakenDecision> some_decisions() {
  return {{DecisionKind::thread, 2, 0},  {DecisionKind::thread, 3, 2}, {DecisionKind::choice, 1000, 700},
          {DecisionKind::source, 2, 1},  {DecisionKind::thread, 2, 0}, {DecisionKind::position, 4, 3},
          {DecisionKind::choice, 10, 0}, {DecisionKind::thread, 3, 1}};
}

/// What the bytes decide in a program whose decisions are between so many, whatever is decided.
std::vector<TakenDecision> decided(const Bytes& bytes, const std::vector<TakenDecision>& like) {
  std::vector<TakenDecision> taken;
  ByteDecisions decisions(bytes);
  decisions.record(&taken);
  decisions.begin();
  for (const TakenDecision& decision : like) decisions.decide(decision.kind, decision.options);
  return taken;
}

std::size_t differences(const std::vector<TakenDecision>& one, const std::vector<TakenDecision>& other) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < one.size(); ++i) count += one[i].taken != other[i].taken;
  return count;
}

TEST(Mutations, AreTheSameForTheSameSeed) {
  std::set<Bytes> different;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    const Bytes bytes = mutate(some_decisions(), kMost, seed);
    EXPECT_EQ(bytes, mutate(some_decisions(), kMost, seed));
    different.insert(bytes);
  }
  EXPECT_GT(different.size(), 200u);
}

TEST(Mutations, OftenChangeOneDecisionAndNothingElse) {
  const std::vector<TakenDecision> before = some_decisions();
  std::size_t ones = 0;
  std::set<std::size_t> changed;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    const std::vector<TakenDecision> after = decided(mutate(before, kMost, seed), before);
    if (differences(before, after) != 1) continue;
    ++ones;
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (before[i].taken != after[i].taken) changed.insert(i);
    }
  }
  EXPECT_GT(ones, 400u);
  EXPECT_EQ(changed.size(), before.size()) << "every decision is changed by some seed";
}

TEST(Mutations, ReachEveryOption) {
  const std::vector<TakenDecision> before = some_decisions();
  std::set<std::uint32_t> options;
  for (std::uint32_t seed = 0; seed < 2000; ++seed)
    options.insert(decided(mutate(before, kMost, seed), before)[5].taken);
  EXPECT_EQ(options, (std::set<std::uint32_t>{0, 1, 2, 3}));
}

TEST(Mutations, ExtendARunThatFollowedItsUsualCourse) {
  std::vector<TakenDecision> usual = some_decisions();
  for (TakenDecision& decision : usual) decision.taken = 0;
  EXPECT_TRUE(bytes_of(usual).empty());
  std::size_t last_changed = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed)
    last_changed += decided(mutate(usual, kMost, seed), usual).back().taken != 0;
  EXPECT_GT(last_changed, 50u);
}

TEST(Mutations, KeepToTheSizeTheyAreGiven) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    EXPECT_LE(mutate(some_decisions(), 3, seed).size(), 3u);
    EXPECT_LE(cross_over(some_decisions(), some_decisions(), 3, seed).size(), 3u);
  }
  EXPECT_TRUE(mutate({}, kMost, 1).empty()) << "a run without decisions has no other";
}

TEST(CrossOver, IsTheBeginningOfOneAndTheEndOfTheOther) {
  const std::vector<TakenDecision> one(6, {DecisionKind::choice, 1000, 111});
  const std::vector<TakenDecision> other(9, {DecisionKind::choice, 1000, 999});
  std::set<std::size_t> cuts;
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    const Bytes bytes = cross_over(one, other, kMost, seed);
    EXPECT_EQ(bytes, cross_over(one, other, kMost, seed));
    ASSERT_EQ(bytes.size() % 2, 0u) << "never cut inside of a decision";
    const std::vector<TakenDecision> spliced = decided(bytes, std::vector(bytes.size() / 2, one.front()));
    const auto end = std::ranges::find_if(spliced, [](const TakenDecision& d) { return d.taken != 111; });
    cuts.insert(static_cast<std::size_t>(end - spliced.begin()));
    EXPECT_TRUE(std::all_of(end, spliced.end(), [](const TakenDecision& d) { return d.taken == 999; }));
  }
  EXPECT_EQ(cuts.size(), one.size() + 1) << "every cut is made by some seed";
}

}  // namespace
}  // namespace weft::fuzz
