// What racy_stack_test.cpp explores. Compiled twice, optimized and not: frames look different.
#pragma once

#include <cstdint>

namespace weft::test {

struct StackFunctions {
  const char* name;
  /// Fills the stack where other functions' variables are before and after, differently in each run; reads it back and
  /// counts what is different.
  std::uint64_t (*use_stack)();
  /// Two threads add 1 to a local variable that is 7.
  int (*two_increments)();
  /// The same, in a call that an exception ends.
  int (*two_increments_and_throw)();
  /// The same with a variable marked by weft::racy, by this thread and another one.
  int (*racy_increments)();
};

extern const StackFunctions kOptimized;
extern const StackFunctions kUnoptimized;

}  // namespace weft::test
