// Data races: found when nothing orders two conflicting accesses, and only then; what a race does is shown by
// promotion.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "explore_body.hpp"
#include "hidden.hpp"
#include "weft/weft.hpp"

namespace weft::test {
namespace {

using Outcomes = std::vector<std::string>;
using Kinds = std::vector<FindingKind>;
const Kinds kNothing;
const Kinds kOneRace{FindingKind::data_race};

struct Shared {
  std::atomic<int> flag{0};
  int data = 7;
  char bytes[8] = {};
};

template <class First, class Second>
Explored two_threads(First first, Second second, bool promote_races = false) {
  return explore_body(
      [=](Recorder& record) {
        Shared shared;
        std::thread a([&] { first(shared); });
        std::thread b([&] { second(shared); });
        a.join();
        b.join();
        record(static_cast<std::uint64_t>(shared.data));
      },
      Model::rc11, 1000, nullptr, promote_races);
}

void increment(Shared& shared) { shared.data += 1; }

TEST(DataRace, TwoPlainIncrementsRaceAndBothPlacesAreNamed) {
  const Explored explored = two_threads(increment, increment);
  EXPECT_EQ(explored.kinds, kOneRace);
  ASSERT_EQ(explored.first_findings.size(), 1u);
  const Finding& race = explored.first_findings[0];
  EXPECT_EQ(race.size, 4u);
  ASSERT_EQ(race.sites.size(), 2u);
  EXPECT_EQ(race.sites[0].thread, ThreadId{1});
  EXPECT_EQ(race.sites[1].thread, ThreadId{2});
  EXPECT_EQ(race.sites[0].what, "write of 4 bytes");
  EXPECT_EQ(race.sites[1].what, "read of 4 bytes");
  EXPECT_NE(race.sites[0].place, nullptr);
  EXPECT_NE(race.sites[1].place, nullptr);
  EXPECT_NE(race.sites[0].place, race.sites[1].place);  // the write is another call than the read
}

TEST(DataRace, PromotionShowsThatOneIncrementIsLost) {
  const Explored explored = two_threads(increment, increment, true);
  // Both read 7 (two orders of the writes), or one reads what the other wrote.
  EXPECT_EQ(explored.counts.executions, 4u);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"8", "9"}));
  EXPECT_TRUE(explored.kinds.empty());
  EXPECT_EQ(explored.first_findings.size(), 1u);
}

TEST(DataRace, RacyMemoryIsNoFindingAndLosesAnIncrementToo) {
  const Explored explored = explore_body([](Recorder& record) {
    int value = 7;
    weft::racy(value);
    std::thread a([&] { value += 1; });
    std::thread b([&] { value += 1; });
    a.join();
    b.join();
    record(static_cast<std::uint64_t>(value));
  });
  EXPECT_EQ(explored.kinds, kNothing);
  EXPECT_EQ(explored.counts.executions, 4u);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"8", "9"}));
}

// The racing write is taken from memory when the next hook comes, here that of another plain access. (Once that copying
// itself was seen as accesses of the scenario's: the old value was written over the new one.)
TEST(DataRace, RacyWriteFollowedByAPlainAccessKeepsItsValue) {
  const Explored explored = explore_body([](Recorder& record) {
    std::uint64_t racing = 7;
    int plain = 0;
    weft::racy(racing);
    int* const other = hidden(&plain);
    std::thread writer([&] {
      racing = 8;
      *other = 1;
    });
    const std::uint64_t early = racing;
    writer.join();
    record(early);
    record(racing);
    record(static_cast<std::uint64_t>(plain));
  });
  EXPECT_EQ(explored.kinds, kNothing);
  EXPECT_EQ(explored.counts.executions, 2u);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"7 8 1", "8 8 1"}));
}

TEST(DataRace, NeighbouringBytesDoNotRace) {
  const Explored explored = two_threads([](Shared& s) { s.bytes[0] = 1; }, [](Shared& s) { s.bytes[1] = 2; });
  EXPECT_EQ(explored.kinds, kNothing);
  EXPECT_EQ(explored.counts.executions, 1u);
  EXPECT_EQ(two_threads([](Shared& s) { s.bytes[1] = 1; }, [](Shared& s) { s.bytes[1] = 2; }).kinds, kOneRace);
}

// Threads run in the order of their numbers here, so the reads are recorded when the write comes.
TEST(DataRace, AWriteRacesWithReadsThatCameFirst) {
  const Explored explored = explore_body(
      [](Recorder&) {
        int data = 7;
        int* const shared = hidden(&data);
        std::thread first([shared] { hidden(shared)[0] == 7 ? void() : std::abort(); });
        std::thread second([shared] { hidden(shared)[0] == 7 ? void() : std::abort(); });
        std::thread writer([shared] { *shared = 8; });
        first.join();
        second.join();
        writer.join();
      },
      Model::sc, 10);
  EXPECT_EQ(explored.kinds, kOneRace);
}

TEST(DataRace, TwoReadsDoNotRaceButAWriteRacesWithAnyOfThem) {
  const auto body = [](bool with_write) {
    return [with_write](Recorder&) {
      int data = 7;
      std::atomic<int> sum = 0;
      std::vector<std::thread> threads;
      for (int i = 0; i < 5; ++i)
        threads.emplace_back([&] {
          if (data == 7) sum.store(1, std::memory_order_relaxed);
        });
      if (with_write) {
        threads[4].join();  // ordered with the last reader only
        data = 8;
        threads.pop_back();
      }
      for (std::thread& thread : threads) thread.join();
    };
  };
  EXPECT_EQ(explore_body(body(false), Model::sc, 10).kinds, kNothing);
  EXPECT_FALSE(explore_body(body(true), Model::sc, 10).kinds.empty());
}

TEST(DataRace, ReleaseAndAcquireOrderPlainAccesses) {
  const auto publish = [](std::memory_order order) {
    return [order](Shared& s) {
      s.data = 1;
      s.flag.store(1, order);
    };
  };
  const auto consume = [](std::memory_order order) {
    return [order](Shared& s) {
      if (s.flag.load(order) == 1) s.data = 2;
    };
  };
  const Explored ordered = two_threads(publish(std::memory_order_release), consume(std::memory_order_acquire));
  EXPECT_EQ(ordered.kinds, kNothing);
  EXPECT_EQ(ordered.counts.executions, 2u);
  EXPECT_EQ(ordered.outcome_set(), (Outcomes{"1", "2"}));
  EXPECT_EQ(two_threads(publish(std::memory_order_relaxed), consume(std::memory_order_acquire)).kinds, kOneRace);
  EXPECT_EQ(two_threads(publish(std::memory_order_release), consume(std::memory_order_relaxed)).kinds, kOneRace);
}

TEST(DataRace, APlainAccessRacesWithAnAtomicOneWhicheverComesFirst) {
  const auto plain_write = [](Shared& s) { new (&s.flag) std::atomic<int>(5); };
  const auto atomic_write = [](Shared& s) { s.flag.store(1); };
  for (const bool plain_first : {true, false}) {
    const Explored explored =
        plain_first ? two_threads(plain_write, atomic_write) : two_threads(atomic_write, plain_write);
    ASSERT_EQ(explored.kinds, kOneRace);
    EXPECT_EQ(explored.first_findings[0].sites[plain_first ? 1 : 0].what, "atomic write of 4 bytes");
    EXPECT_NE(explored.first_findings[0].sites[plain_first ? 1 : 0].place, nullptr);
  }
}

TEST(DataRace, AnAtomicObjectMayFollowAnotherOneOfAnotherSizeOnAStack) {
  const Explored explored = explore_body([](Recorder& record) {
    alignas(8) unsigned char bytes[8];
    unsigned char* const storage = hidden(bytes);
    std::uint64_t sum = 0;
    for (int round = 0; round < 3; ++round) {
      auto* const narrow = new (storage) std::atomic<int>(round);
      std::thread([&] { narrow->fetch_add(1); }).join();
      sum += static_cast<std::uint64_t>(narrow->load());
      auto* const wide = new (storage) std::atomic<long>(round);
      std::thread([&] { wide->fetch_add(10); }).join();
      sum += static_cast<std::uint64_t>(wide->load());
    }
    record(sum);
  });
  EXPECT_EQ(explored.kinds, kNothing);
  EXPECT_EQ(explored.outcome_set(), Outcomes{"39"});  // 1 + 10 + 2 + 11 + 3 + 12
}

TEST(DataRace, MixedSizesOfOneAtomicObjectAreRefused) {
  const Explored explored = explore_body([](Recorder&) {
    alignas(8) std::uint64_t word = 0;
    __atomic_store_n(hidden(&word), 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(reinterpret_cast<std::uint32_t*>(hidden(&word)), 1, __ATOMIC_SEQ_CST);
  });
  EXPECT_EQ(explored.kinds, Kinds{FindingKind::unsupported});
}

}  // namespace
}  // namespace weft::test
