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
/// `loads` relaxed loads, then a choice of `executions`: all executions but the first re-run the loads.
void loads_and_choice(std::size_t loads, std::size_t executions);

}  // namespace weft::bench
