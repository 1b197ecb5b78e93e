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

// --- copies of structures, which g++ announces before it does them: the write first, then the read. Told by debug information. ---

template <std::size_t n>
struct Numbers {
  int at[n];
};

/// The compiler must not join what is before with what comes after.
void compile_in_order() { __asm__ volatile("" ::: "memory"); }

/// One thread copies x to y; the other one changes x and looks at y.
template <std::size_t n, class Copy>
Explored copied_while_it_changes(Copy copy, Model model) {
  return explore_body(
      [=](Recorder& record) {
        Numbers<n> x{}, y{};
        int& from = x.at[n - 1] = 1;
        int& to = y.at[n - 1] = 2;
        weft::racy(from);
        weft::racy(to);
        int copied = 0;
        int seen = 0;
        std::thread a([&] {
          copy(y, x);
          compile_in_order();
          copied = to;
        });
        std::thread b([&] {
          from = 3;
          compile_in_order();
          seen = to;
        });
        a.join();
        b.join();
        record(static_cast<std::uint64_t>(100 * to + 10 * copied + seen));
      },
      model);
}

template <std::size_t n>
void expect_that_a_copy_is_a_read_and_a_write() {
  for (const Model model : {Model::sc, Model::rc11}) {
    const Explored by_statement =
        copied_while_it_changes<n>([](Numbers<n>& to, const Numbers<n>& from) { to = from; }, model);
    const Explored by_hand = copied_while_it_changes<n>(
        [](Numbers<n>& to, const Numbers<n>& from) {
          const int value = *hidden(&from.at[n - 1]);
          *hidden(&to.at[n - 1]) = value;
        },
        model);
    EXPECT_EQ(by_statement.kinds, kNothing) << to_string(model) << ' ' << n;
    EXPECT_EQ(by_statement.outcome_set(), by_hand.outcome_set()) << to_string(model) << ' ' << n;
    EXPECT_EQ(by_hand.outcome_set(), (Outcomes{"111", "112", "332", "333"})) << to_string(model) << ' ' << n;
  }
}

TEST(RacyCopies, OfAStructureAreAReadAndThenAWrite) {
  expect_that_a_copy_is_a_read_and_a_write<1>();
  expect_that_a_copy_is_a_read_and_a_write<2>();
  expect_that_a_copy_is_a_read_and_a_write<3>();
  expect_that_a_copy_is_a_read_and_a_write<8>();
  expect_that_a_copy_is_a_read_and_a_write<100>();
  expect_that_a_copy_is_a_read_and_a_write<5000>();  // by memcpy
}

/// One thread empties it; the other one writes a number and looks what is there.
template <std::size_t n, class Empty>
std::vector<std::string> emptied_while_it_changes(Empty empty) {
  const Explored explored = explore_body([=](Recorder& record) {
    Numbers<n> numbers;
    for (int& number : numbers.at) number = 7;
    int& last = numbers.at[n - 1];
    weft::racy(last);
    int first = 0;
    int second = 0;
    std::thread a([&] {
      empty(numbers);
      compile_in_order();
      first = last;
    });
    std::thread b([&] {
      last = 5;
      compile_in_order();
      second = last;
    });
    a.join();
    b.join();
    record(static_cast<std::uint64_t>(100 * last + 10 * first + second));
  });
  EXPECT_EQ(explored.kinds, kNothing) << n;
  return explored.outcome_set();
}

template <std::size_t n>
void expect_that_a_structure_is_emptied_at_once() {
  const auto by_statement = emptied_while_it_changes<n>([](Numbers<n>& numbers) { numbers = {}; });
  EXPECT_EQ(by_statement, emptied_while_it_changes<n>([](Numbers<n>& numbers) { *hidden(&numbers.at[n - 1]) = 0; })) << n;
  EXPECT_EQ(by_statement, (Outcomes{"0", "5", "505", "555"})) << n;
}

TEST(RacyCopies, OfNothingAreOneWrite) {
  expect_that_a_structure_is_emptied_at_once<1>();
  expect_that_a_structure_is_emptied_at_once<3>();
  expect_that_a_structure_is_emptied_at_once<100>();
  expect_that_a_structure_is_emptied_at_once<5000>();  // by memset
}

TEST(RacyCopies, AreNoWritesOfWhatIsThereAlready) {
  // Dekker's: sequentially consistent threads do not both read what was there before.
  const Explored explored = explore_body(
      [](Recorder& record) {
        int x = 1;
        int y = 1;
        weft::racy(x);
        weft::racy(y);
        int first = 0;
        int second = 0;
        const auto write_twice_then_read = [](int& mine, const int& other) {
          mine = 2;
          compile_in_order();
          mine = 2;
          compile_in_order();
          return other;
        };
        std::thread a([&] { first = write_twice_then_read(x, y); });
        std::thread b([&] { second = write_twice_then_read(y, x); });
        a.join();
        b.join();
        record(static_cast<std::uint64_t>(10 * first + second));
      },
      Model::sc);
  EXPECT_EQ(explored.kinds, kNothing);
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"12", "21", "22"}));
}

}  // namespace
}  // namespace weft::test
