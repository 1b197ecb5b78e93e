// Logical tasks of one thread: each has a column, their steps and notes stay in order, and two of them make an
// exploration worth something.
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "weft/weft.hpp"

namespace {

using weft::Result;

std::string columns_and_texts(const weft::FindingReport& finding) {
  std::string all;
  for (const weft::TraceStep& step : finding.steps)
    all += finding.columns[step.column].name + ": " + step.text + (step.changes.empty() ? "" : " {" + step.state() + "}") + "\n";
  return all;
}

TEST(TaskColumns, ShowWhatEachTaskDoesInOrder) {
  const Result result = weft::explore([] {
    int count = 0;
    weft::name_thread("Loop");
    weft::watch("count", count);
    const std::uint32_t a = weft::detail::new_task("A");
    const std::uint32_t b = weft::detail::new_task("B");
    weft::detail::enter_task(a);
    weft::note("a1");
    count = 1;
    weft::detail::enter_task(b);
    weft::note("b1");
    weft::choose(2);
    weft::detail::enter_task(a);
    weft::note("a2");
    count = 2;
    weft::detail::enter_task(0);
    weft::note("loop");
    weft::check(false, "stop here");
  });
  ASSERT_EQ(result.findings.size(), 1u) << result;
  EXPECT_EQ(columns_and_texts(result.findings[0]),
            "A: a1 {count=1}\n"
            "B: b1\n"
            "B: choose 0..1 -> 0\n"
            "A: a2 {count=2}\n"
            "Loop: loop\n"
            "Loop: invariant\n");
}

TEST(TaskColumns, TasksOfTwoThreadsAreToldApart) {
  const Result result = weft::explore([] {
    std::thread other([] {
      weft::name_thread("Other");
      weft::detail::enter_task(weft::detail::new_task("A"));
      weft::note("other's");
    });
    other.join();
    weft::detail::enter_task(weft::detail::new_task("A"));
    weft::note("main's");
    weft::check(false, "stop here");
  });
  ASSERT_EQ(result.findings.size(), 1u) << result;
  const std::string& trace = result.findings[0].trace;
  const std::string titles =
      trace.substr(trace.find("   # "), trace.find('\n', trace.find("   # ")) - trace.find("   # "));
  EXPECT_NE(titles.find("A", titles.find("A") + 1), std::string::npos) << trace;  // two columns of that name
}

TEST(TaskColumns, AThreadGoesOnWithItsTaskWhateverOthersEnter) {
  const Result result = weft::explore([] {
    weft::name_thread("Loop");
    weft::detail::enter_task(weft::detail::new_task("A"));
    std::thread other([] {
      weft::name_thread("Other");
      weft::detail::enter_task(weft::detail::new_task("B"));
      weft::detail::enter_task(weft::detail::new_task("C"));
      weft::note("other's");
    });
    other.join();
    weft::note("still of A");
    weft::check(false, "stop here");
  });
  ASSERT_EQ(result.findings.size(), 1u) << result;
  const std::string all = columns_and_texts(result.findings[0]);
  EXPECT_NE(all.find("C: other's\n"), std::string::npos) << all;
  EXPECT_NE(all.find("A: still of A\n"), std::string::npos) << all;
}

TEST(TaskColumns, TwoTasksOnOneThreadAreNotVacuous) {
  const auto run = [](int tasks) {
    return weft::explore([tasks] {
      for (int i = 0; i < tasks; ++i) weft::detail::new_task("task");
    });
  };
  EXPECT_EQ(run(1).verdict, weft::Verdict::vacuous);
  EXPECT_EQ(run(2).verdict, weft::Verdict::proved);
}

}  // namespace
