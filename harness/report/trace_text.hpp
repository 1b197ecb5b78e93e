// A trace as plain text: a column per thread and logical task, time going down.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/trace.hpp"

namespace weft {

/// A table with a column for each thread and task that has rows, the watched state, and the source line of each row.
/// Between columns it says why the one before goes no further. Steps on objects that nobody else touches are folded,
/// unless they are among `cited`. Long traces lose rows in the middle, and say how many. Texts are broken into lines so
/// that the table is at most `width` characters wide, if its columns can be that narrow.
std::string trace_table(const Trace& trace, const std::vector<std::uint32_t>& cited = {},
                        std::size_t width = Options{}.report_width);

/// The words of `text` in lines of at most `width` characters; longer words are broken.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

}  // namespace weft
