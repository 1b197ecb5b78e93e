// A trace in the form that reports carry it.
#pragma once

#include <vector>

#include "report/trace.hpp"
#include "weft/weft.hpp"

namespace weft {

/// The rows that are shown.
std::vector<TraceStep> steps_of(const Trace& trace);
std::vector<TraceColumn> columns_of(const Trace& trace);

}  // namespace weft
