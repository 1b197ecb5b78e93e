// Where a trace goes on in another column, and why.
#pragma once

#include "report/trace.hpp"

namespace weft {

/// Fills in TraceRow::switched, and Trace::switches: how often a row is of another thread or logical task than the one
/// before it. What an event loop itself does between two turns of one task counts for that task.
void find_switches(Trace& trace);

}  // namespace weft
