// Reports of the ThreadSanitizer, read from their text.
#include "stress/sanitizer_report.hpp"

#include <gtest/gtest.h>

namespace {

using namespace weft::stress;

constexpr const char* kRace = R"(before
==================
WARNING: ThreadSanitizer: data race (pid=8045)
  Read of size 4 at 0x7ffe16bfea74 by thread T2 (mutexes: write M12):
    #0 0x1000
    #1 0x1001

  Previous atomic write of size 1 at 0x7ffe16bfea70 by main thread:
    #0 0x2000

  Location is heap block of size 16 at 0x7ffe16bfea70 allocated by main thread:
    #0 0x3000

  Thread T2 'A (named) one' (tid=8049, running) created by main thread at:
    #0 0x4000

SUMMARY: ThreadSanitizer: data race (/weft-stress+0x106b3)
==================
after
)";

TEST(SanitizerReport, IsReadFromItsText) {
  const std::vector<SanitizerReport> reports = sanitizer_reports(kRace);
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].kind, "data race");
  ASSERT_EQ(reports[0].accesses.size(), 2u);
  const SanitizerAccess& later = reports[0].accesses[0];
  EXPECT_EQ(later.what, "read of 4 bytes");
  EXPECT_EQ(later.address, 0x7ffe16bfea74u);
  EXPECT_EQ(later.thread, "thread T2");
  EXPECT_EQ(later.frames, (std::vector<std::uintptr_t>{0x1000, 0x1001}));
  const SanitizerAccess& earlier = reports[0].accesses[1];
  EXPECT_EQ(earlier.what, "atomic write of 1 byte");
  EXPECT_EQ(earlier.thread, "main thread");
  EXPECT_EQ(earlier.frames, (std::vector<std::uintptr_t>{0x2000}));
  EXPECT_EQ(reports[0].threads.at("thread T2"), 8049);
  EXPECT_EQ(other_messages(kRace), "before\nafter\n");
}

TEST(SanitizerReport, SeveralFollowEachOther) {
  const std::string twice = std::string(kRace) + kRace;
  EXPECT_EQ(sanitizer_reports(twice).size(), 2u);
  EXPECT_EQ(other_messages(twice), "before\nafter\nbefore\nafter\n");
}

TEST(SanitizerReport, CountsWithoutItsEndOnceBothAccessesAreThere) {
  const std::string text = kRace;
  EXPECT_EQ(sanitizer_reports(text.substr(0, text.find("  Location"))).size(), 1u);
  EXPECT_EQ(sanitizer_reports(text.substr(0, text.find("  Previous"))).size(), 0u);
}

TEST(SanitizerReport, IsNotWhatASummaryOrAScenarioSays) {
  EXPECT_TRUE(sanitizer_reports("ThreadSanitizer: reported 1 warnings\n").empty());
  EXPECT_TRUE(sanitizer_reports("FATAL: ThreadSanitizer: unexpected memory mapping 0x1-0x2\n").empty());
  EXPECT_TRUE(sanitizer_reports("==================\na rule of the scenario's own\n").empty());
  EXPECT_EQ(other_messages("==================\na rule of the scenario's own\n"), "a rule of the scenario's own\n");
}

TEST(SanitizerReport, CanBeAboutAMutex) {
  const std::vector<SanitizerReport> reports = sanitizer_reports(
      "==================\nWARNING: ThreadSanitizer: unlock of an unlocked mutex (or by a wrong thread) (pid=4)\n    "
      "#0 0x1\n"
      "==================\n");
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].kind, "unlock of an unlocked mutex (or by a wrong thread)");
  EXPECT_TRUE(reports[0].accesses.empty());
}

}  // namespace
