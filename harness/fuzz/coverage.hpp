// What counts as new in an execution: which read took which write, and what was chosen after what.
#pragma once

#include "explore/directed.hpp"

namespace weft::fuzz {

/// Adds an execution to the counters that libFuzzer reads after each run.
void count_coverage(const DirectedExplorer& explorer);

}  // namespace weft::fuzz
