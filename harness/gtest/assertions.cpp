// GoogleTest assertions inside an exploration: a failed EXPECT or ASSERT ends its execution as a finding.
//
// GoogleTest would keep the failure, whose memory ends with the execution, and go on. Its own test for failures inside
// tests (gtest-spi.h) offers a place to stand in between. Link weft::gtest to have this.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "weft/shared.hpp"
#include "weft/weft.hpp"

namespace weft {
namespace {

class AssertionsAsFindings final : public testing::ScopedFakeTestPartResultReporter {
 public:
  explicit AssertionsAsFindings(testing::TestPartResultArray* outside)
      : ScopedFakeTestPartResultReporter(INTERCEPT_ALL_THREADS, outside) {}

  void ReportTestPartResult(const testing::TestPartResult& result) override {
    if (detail::in_execution() && result.failed()) check(false, result.message());
  }
};

std::unique_ptr<testing::TestPartResultArray> results;
std::unique_ptr<AssertionsAsFindings> reporter;

void around_exploration(bool begins) {
  if (begins) {
    results = std::make_unique<testing::TestPartResultArray>();
    reporter = std::make_unique<AssertionsAsFindings>(results.get());
  } else {
    reporter.reset();
    results.reset();
  }
}

[[gnu::constructor]] void stand_in_between() { detail::set_exploration_hook(&around_exploration); }

}  // namespace
}  // namespace weft
