// What libraries without instrumentation read of the scenario's memory.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <thread>

#include "explore_body.hpp"

namespace weft::test {
namespace {

using Kinds = std::vector<FindingKind>;

// One thread reads through the C library what the other writes.
Kinds kinds_beside_a_write(std::uint64_t (*read)(const char*)) {
  return explore_body([read](Recorder& record) {
           const auto text = std::make_unique<char[]>(16);
           std::memcpy(text.get(), "abcdefghijklmno", 16);
           char* const bytes = text.get();
           std::thread other([bytes] { bytes[7] = 'H'; });
           record(read(bytes));
           other.join();
         })
      .kinds;
}

TEST(Libraries, ReadsInComparisonsAndSearchesAreSeen) {
  const Kinds race{FindingKind::data_race};
  static const char same[] = "abcdefghijklmno";
  EXPECT_EQ(kinds_beside_a_write([](const char* t) -> std::uint64_t { return std::memcmp(t, same, 16) == 0; }), race);
  EXPECT_EQ(kinds_beside_a_write([](const char* t) -> std::uint64_t { return std::memcmp(t, same, 8) == 0; }), race);
  EXPECT_EQ(kinds_beside_a_write([](const char* t) -> std::uint64_t { return std::strlen(t); }), race);
  EXPECT_EQ(kinds_beside_a_write([](const char* t) -> std::uint64_t { return std::strcmp(t, same) == 0; }), race);
  EXPECT_EQ(kinds_beside_a_write([](const char* t) -> std::uint64_t { return std::strncmp(t, same, 9) == 0; }), race);
  EXPECT_EQ(kinds_beside_a_write([](const char* t) -> std::uint64_t { return std::strchr(t, 'k') != nullptr; }), race);
  EXPECT_EQ(kinds_beside_a_write([](const char* t) -> std::uint64_t { return std::strrchr(t, 'b') != nullptr; }), race);
  EXPECT_EQ(kinds_beside_a_write([](const char* t) -> std::uint64_t { return std::memchr(t, 'k', 16) != nullptr; }), race);
  EXPECT_EQ(kinds_beside_a_write([](const char* t) -> std::uint64_t { return std::strstr(t, "kl") != nullptr; }), race);
}

TEST(Libraries, ReadsEndWhereTheAnswerIsKnown) {
  EXPECT_EQ(kinds_beside_a_write([](const char* t) -> std::uint64_t { return std::memcmp(t, "abcdefg", 7) == 0; }), Kinds{});
  EXPECT_EQ(kinds_beside_a_write([](const char* t) -> std::uint64_t { return std::strcmp(t, "abcd") == 0; }), Kinds{});
  EXPECT_EQ(kinds_beside_a_write([](const char* t) -> std::uint64_t { return std::strncmp(t, "abcdefghij", 7) == 0; }), Kinds{});
  EXPECT_EQ(kinds_beside_a_write([](const char* t) -> std::uint64_t { return strnlen(t, 7); }), Kinds{});
  EXPECT_EQ(kinds_beside_a_write([](const char* t) -> std::uint64_t { return std::strchr(t, 'g') != nullptr; }), Kinds{});
  EXPECT_EQ(kinds_beside_a_write([](const char* t) -> std::uint64_t { return std::memchr(t, 'g', 16) != nullptr; }), Kinds{});
}

}  // namespace
}  // namespace weft::test
