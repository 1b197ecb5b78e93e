// A trace as plain text: a column per thread and logical task, time going down.
#pragma once

#include <string>

#include "report/trace.hpp"

namespace weft {

/// A table with a column for each thread that has rows, the watched state, and the source place of each row. Long
/// traces lose rows in the middle, and say how many. At most about 100 characters wide when the scenario has two
/// threads.
std::string trace_table(const Trace& trace);

}  // namespace weft
