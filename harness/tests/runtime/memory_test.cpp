// Memory of the scenario: deterministic blocks, globals that every run finds as they were, copies that count as
// accesses.
#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "explore_body.hpp"
#include "runtime/arena.hpp"
#include "weft/weft.hpp"

namespace weft::test {
namespace {

using Outcomes = std::vector<std::string>;
using Kinds = std::vector<FindingKind>;

int counter = 5;
std::vector<int> numbers{1, 2, 3};
std::map<int, int> table{{1, 1}};
std::string text = "a text that does not fit into the string itself";
int calls_of_static_initializer = 0;

std::uint64_t static_local() {
  static std::vector<int> values = [] {
    ++calls_of_static_initializer;
    return std::vector<int>{1, 2};
  }();
  values.push_back(3);
  return values.size();
}

/// Runs `body` beside another thread, in more than one execution.
Explored in_several_executions(const std::function<void(Recorder&)>& body) {
  return explore_body([&](Recorder& record) {
    std::atomic<int> flag{0};
    std::thread other([&] { flag = 1; });
    record(static_cast<std::uint64_t>(flag.load()));
    body(record);
    other.join();
  });
}

TEST(Globals, AreTheSameAtTheStartOfEachRun) {
  const Explored explored = in_several_executions([](Recorder& record) {
    record(static_cast<std::uint64_t>(counter++));
    numbers.push_back(4);
    record(numbers.size());
    text += "!";
    record(text.size());
  });
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"0 5 4 48", "1 5 4 48"}));
  EXPECT_EQ(explored.counts.executions, 2u);
  EXPECT_TRUE(explored.kinds.empty());
  EXPECT_EQ(counter, 5);
  EXPECT_EQ(numbers, (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(text.size(), 47u);
}

TEST(Globals, AMapThatGrowsInTheStandardLibrarysOwnCodeIsPutBack) {
  const Explored explored = in_several_executions([](Recorder& record) {
    for (int i = 2; i < 20; ++i) table[i] = i;
    table.erase(1);
    record(table.size());
  });
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"0 18", "1 18"}));
  EXPECT_TRUE(explored.kinds.empty());
  EXPECT_EQ(table, (std::map<int, int>{{1, 1}}));
}

TEST(Globals, AStaticLocalIsInitializedInEachRun) {
  const Explored explored = in_several_executions([](Recorder& record) {
    record(static_local());
    record(static_cast<std::uint64_t>(calls_of_static_initializer));
  });
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"0 3 1", "1 3 1"}));
  EXPECT_TRUE(explored.kinds.empty());
}

TEST(Allocation, AddressesAndContentsDependOnNothingButTheThread) {
  const Explored explored = in_several_executions([](Recorder& record) {
    auto* const block = static_cast<unsigned char*>(std::malloc(24));
    record(reinterpret_cast<std::uintptr_t>(block) - arena::kBase < arena::kHeapLimit ? 1 : 0);
    record(reinterpret_cast<std::uintptr_t>(block) & 0xffff);
    record(block[0]);
    record(block[23]);
    block[0] = 1;
    std::free(block);
  });
  EXPECT_EQ(explored.counts.executions, 2u);
  ASSERT_EQ(explored.outcomes.size(), 2u);
  const Outcomes outcomes = explored.outcome_set();
  EXPECT_EQ(outcomes[0].substr(1), outcomes[1].substr(1));
  EXPECT_EQ(outcomes[0].substr(0, 3), "0 1");
  EXPECT_EQ(outcomes[0].substr(outcomes[0].size() - 8), " 190 190");
}

TEST(Allocation, TheWholeFamilyWorksInsideAnExecution) {
  const Explored explored = explore_body([](Recorder& record) {
    auto* text_block = static_cast<char*>(std::realloc(std::strcpy(static_cast<char*>(std::malloc(6)), "hello"), 100));
    record(std::strcmp(text_block, "hello") == 0);
    record(malloc_usable_size(text_block));
    std::free(text_block);
    auto* const zeros = static_cast<int*>(std::calloc(4, sizeof(int)));
    record(static_cast<std::uint64_t>(zeros[0] + zeros[3]));
    std::free(zeros);
    void* aligned = std::aligned_alloc(256, 512);
    record(reinterpret_cast<std::uintptr_t>(aligned) % 256);
    std::free(aligned);
    record(static_cast<std::uint64_t>(posix_memalign(&aligned, 3, 8)));
    record(static_cast<std::uint64_t>(posix_memalign(&aligned, 64, 8)));
    std::free(aligned);
    struct alignas(128) Wide {
      char bytes[128];
    };
    Wide* const wide = new Wide[2];
    record(reinterpret_cast<std::uintptr_t>(wide) % 128);
    delete[] wide;
    char* const copy = strdup("made by the C library");
    record(std::strlen(copy));
    std::free(copy);
    const volatile std::size_t impossible = std::size_t{1} << 63;
    void* volatile nothing = std::malloc(impossible);
    record(nothing == nullptr);
  });
  EXPECT_EQ(explored.outcome_set(), Outcomes{"1 100 0 0 22 0 0 21 1"});
  EXPECT_TRUE(explored.kinds.empty());
}

TEST(Allocation, BlocksFromBeforeTheExecutionMayBeFreedInEachRun) {
  auto* block = new std::string("a text that does not fit into the string itself");
  const Explored explored = in_several_executions([block](Recorder& record) {
    record(block->size());
    delete block;
  });
  EXPECT_EQ(explored.outcome_set(), (Outcomes{"0 47", "1 47"}));
  EXPECT_EQ(block->size(), 47u);
  delete block;
}

TEST(Allocation, TooMuchMemoryIsALimitNotACrash) {
  const Explored explored = explore_body([](Recorder&) {
    void* volatile block = std::malloc(arena::kHeapLimit + 1);
    std::free(block);
  });
  EXPECT_EQ(explored.kinds, Kinds{FindingKind::limit});
}

struct Wide {
  long words[24];
};

// One thread does `access` while the other reads a byte in the middle: a race if the access is seen at all.
Kinds kinds_beside_a_read(void (*access)(Wide&, const Wide&)) {
  return explore_body([access](Recorder&) {
           static Wide source{};
           // On the heap: clang 14 does not instrument accesses to parts of a function's own variables, even shared
           // ones.
           const auto target = std::make_unique<Wide>();
           std::thread other([&] { access(*target, source); });
           if (target->words[12] == 77) std::abort();
           other.join();
         })
      .kinds;
}

TEST(Copies, AStructCopyIsAWriteOfItsTarget) {
  EXPECT_EQ(kinds_beside_a_read([](Wide& to, const Wide& from) { to = from; }), Kinds{FindingKind::data_race});
}

TEST(Copies, MemcpyMemmoveAndMemsetAreWritesOfTheirTarget) {
  const Kinds race{FindingKind::data_race};
  EXPECT_EQ(kinds_beside_a_read([](Wide& to, const Wide& from) { std::memcpy(&to, &from, sizeof to); }), race);
  EXPECT_EQ(kinds_beside_a_read([](Wide& to, const Wide& from) { std::memmove(&to, &from, sizeof to); }), race);
  EXPECT_EQ(kinds_beside_a_read([](Wide& to, const Wide&) { std::memset(&to, 0, sizeof to); }), race);
}

TEST(Copies, ShortOnesOfConstantSizeAreSeenToo) {
  const Kinds race{FindingKind::data_race};
  EXPECT_EQ(kinds_beside_a_read([](Wide& to, const Wide& from) { std::memcpy(&to.words[12], &from, 8); }), race);
  EXPECT_EQ(kinds_beside_a_read([](Wide& to, const Wide& from) { std::memcpy(&to.words[11], &from, 24); }), race);
  EXPECT_EQ(kinds_beside_a_read([](Wide& to, const Wide&) { std::memset(&to.words[11], 0, 24); }), race);
  EXPECT_EQ(
      kinds_beside_a_read([](Wide& to, const Wide&) { std::strcpy(reinterpret_cast<char*>(&to.words[12]), "abc"); }),
      race);
}

TEST(Copies, ReadsBySeveralThreadsAreNoRace) {
  const Explored explored = explore_body([](Recorder&) {
    Wide source{};
    Wide first;
    std::thread other([&] { first = source; });
    Wide second = source;
    other.join();
    if (second.words[3] != 0) std::abort();
  });
  EXPECT_TRUE(explored.kinds.empty());
}

}  // namespace
}  // namespace weft::test
