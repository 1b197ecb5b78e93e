// Detectors know threads by their numbers; a reader of the trace knows them by the names of its columns.
#pragma once

#include <string>
#include <string_view>

#include "report/trace.hpp"

namespace weft {

/// `text` with "thread 2" replaced by the name of that thread's column.
std::string with_names_of_threads(std::string_view text, const Trace& trace);

}  // namespace weft
