// Bodies for weft_bench. Their source is instrumented.
#pragma once

#include <cstddef>

namespace weft::bench {

inline constexpr std::size_t kCells = 16'384;

/// `times` reads of one variable, whose first access is over: each is a call of __tsan_read4.
void read_again(std::size_t times);
/// One read of each of kCells variables, eight bytes apart, that the execution has not accessed before.
void read_first();
/// The same with writes, which are put back after the execution.
void write_first();
inline constexpr std::size_t kLoads = 100;

/// A choice of `executions`.
void choice(std::size_t executions);
/// kLoads relaxed loads first: all executions but the first re-run them.
void loads_then_choice(std::size_t executions);
/// kLoads relaxed loads after it: they are new in every execution.
void choice_then_loads(std::size_t executions);

}  // namespace weft::bench
