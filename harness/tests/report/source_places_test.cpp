// Where code comes from, under inlining: the same whichever compiler has built this file.
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "by_compiler.hpp"
#include "report/source_places.hpp"
#include "weft/weft.hpp"

namespace {

using weft::SourceLine;
using weft::SourcePlaces;

__attribute__((noinline)) const void* here() { return __builtin_return_address(0); }

struct Place {
  const void* address = nullptr;
  int line = 0;  ///< of the innermost call
};

// In an unnamed namespace, whose functions clang describes inside of it.
__attribute__((noinline)) Place plain_function() {
  Place place;
  place = {.address = here(), .line = __LINE__};
  return place;
}

constexpr int kLineOfInner = __LINE__ + 2;
__attribute__((always_inline)) inline const void* inner() {
  return here();  // on a line of its own
}
constexpr int kLineOfMiddle = __LINE__ + 1;
__attribute__((always_inline)) inline const void* middle() { return inner(); }

struct Outer {
  __attribute__((noinline)) static Place method() {
    Place place;
    place = {.address = middle(), .line = __LINE__};
    return place;
  }
};

std::string text(const SourceLine& line) { return line.function + " at " + SourcePlaces::short_text(line); }
std::string at(int line) { return " at source_places_test.cpp:" + std::to_string(line); }

TEST(SourcePlaces, AFunctionInANamespaceHasItsLineAndName) {
  SourcePlaces places;
  const Place place = plain_function();
  ASSERT_EQ(places.inlined_calls(place.address).size(), 1u);
  EXPECT_EQ(text(places.inlined_calls(place.address)[0]), "plain_function()" + at(place.line));
  EXPECT_EQ(SourcePlaces::short_text(places.line_of(place.address)),
            "source_places_test.cpp:" + std::to_string(place.line));
}

TEST(SourcePlaces, CallsThatWereInlinedIntoEachOtherAreAllThere) {
  SourcePlaces places;
  const Place place = Outer::method();
  const std::vector<SourceLine>& calls = places.inlined_calls(place.address);
  ASSERT_EQ(calls.size(), 3u);
  EXPECT_EQ(text(calls[0]), "inner()" + at(kLineOfInner));
  EXPECT_EQ(text(calls[1]), "middle()" + at(kLineOfMiddle));
  EXPECT_EQ(text(calls[2]), "Outer::method()" + at(place.line));
  EXPECT_EQ(places.line_of(place.address)->line, kLineOfInner) << "the innermost";
}

TEST(SourcePlaces, ALambdaIsNamedAfterWhereItIs) {
  SourcePlaces places;
  const auto lambda = []() __attribute__((noinline)) { return Place{.address = here(), .line = __LINE__}; };
  const Place place = lambda();
  ASSERT_FALSE(places.inlined_calls(place.address).empty());
  const std::string name = text(places.inlined_calls(place.address)[0]);
  EXPECT_TRUE(name.starts_with("a lambda in ") && name.ends_with("TestBody()" + at(place.line))) << name;
}

TEST(SourcePlaces, ALineOfTheLibraryIsItsCallersLine) {
  const weft::Result result = weft::explore([] {
    std::atomic<int> counter = 0;
    weft::name(counter, "counter");
    std::thread other([&] { counter.fetch_add(1); });
    const int line = __LINE__ + 1;
    const bool is_first = counter.fetch_add(1) == 0;
    other.join();
    weft::check(is_first, std::to_string(line).c_str());
  });
  ASSERT_EQ(result.findings.size(), 1u) << result;
  const int line = std::stoi(result.findings[0].message);
  EXPECT_NE(result.findings[0].trace.find("update counter: 1 -> 2"), std::string::npos) << result;
  for (const weft::TraceStep& step : result.findings[0].steps) {
    if (step.text == "update counter: 1 -> 2") {
      EXPECT_EQ(step.line, line) << result;
    }
  }
}

// The one thing in which they differ: README.md names it.
TEST(SourcePlaces, OfACallOnSeveralLinesCompilersNameDifferentOnes) {
  const weft::Result result = weft::explore([] {
    std::thread other([] {
      weft::check(false, std::to_string(__LINE__ - 1).c_str());
      weft::note("the call ends two lines below");
    });
    other.join();
  });
  ASSERT_EQ(result.findings.size(), 1u) << result;
  const int first = std::stoi(result.findings[0].message);
  ASSERT_FALSE(result.findings[0].steps.empty());
  EXPECT_EQ(result.findings[0].steps[0].line, first + static_cast<int>(weft::test::by_compiler(3, 0))) << result;
}

TEST(SourcePlaces, TheEngineKnowsItsOwnCode) {
  EXPECT_TRUE(SourcePlaces::is_own_code(
      reinterpret_cast<const void*>(static_cast<const char* (*)(weft::Verdict)>(&weft::to_string))));
  EXPECT_FALSE(SourcePlaces::is_own_code(reinterpret_cast<const void*>(&plain_function)));
}

}  // namespace
