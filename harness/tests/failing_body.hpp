// For tests of what happens when a thread of a scenario fails.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

#include "weft/weft.hpp"

/// Two threads, of which the second does `fail` in the executions in which it sees the first one's write: one of two.
template <class Fail>
weft::Result explore_failing_in_one_of_two(Fail fail) {
  return weft::explore(
      [&fail] {
        std::atomic<int> flag = 0;
        std::thread writer([&flag] { flag = 1; });
        std::thread reader([&flag, &fail] {
          if (flag == 1) fail();
        });
        writer.join();
        reader.join();
      },
      {.keep_going = true});
}

/// The failure is one finding with a trace, the other execution was explored too, and the next exploration is none the worse.
inline void expect_one(const weft::Result& result, const std::string& kind, const std::string& text) {
  EXPECT_EQ(result.verdict, weft::Verdict::bug);
  ASSERT_EQ(result.findings.size(), 1u) << result;
  EXPECT_TRUE(result.found(kind, text)) << result;
  EXPECT_EQ(result.executions, 2u) << result;
  const weft::FindingReport& finding = result.findings[0];
  ASSERT_FALSE(finding.steps.empty()) << result;
  EXPECT_TRUE(finding.steps.back().failing() || finding.trace.find("!! " + kind) != std::string::npos) << result;
  EXPECT_NE(finding.trace.find("REPLAY"), std::string::npos) << result;

  const weft::Result next = explore_failing_in_one_of_two([] {});
  EXPECT_TRUE(next.proved()) << next;
  EXPECT_EQ(next.executions, 2u) << next;
}
