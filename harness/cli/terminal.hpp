// What a terminal makes of what is printed: how wide lines may be, and colours.
//
// COLUMNS sets the width, else the terminal does. Colours are for terminals only, as no-color.org and
// bixense.com/clicolors have it: none with a NO_COLOR that is not empty, or with TERM=dumb; a CLICOLOR_FORCE that is
// neither empty nor 0 asks for them everywhere else.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "weft/weft.hpp"

namespace weft::cli {

/// Characters in a line of standard output. Never fewer than kNarrowest nor more than kWidest; 100 where nobody says.
std::size_t text_width();
inline constexpr std::size_t kNarrowest = 60;
inline constexpr std::size_t kWidest = 240;

/// The same for a reader of `weft --help`.
inline constexpr const char* kEnvironment =
    "Environment:\n"
    "  COLUMNS         characters in a line of a report, 60 to 240; else those of the terminal, or 100\n"
    "  NO_COLOR        if it is not empty, no colours; they are for terminals only, and not for TERM=dumb\n"
    "  CLICOLOR_FORCE  if it is neither empty nor 0, colours without a terminal, too; never in files or JSON\n";

/// Whether standard output gets colours.
bool has_colours();

/// A report (FindingReport::trace) as it is printed: with colours if there are any.
std::string for_terminal(std::string_view report);
/// The word of a verdict, padded to `width`, in its colour.
std::string for_terminal(Verdict verdict, std::size_t width);
/// Text that tells of something wrong.
std::string alarming(std::string_view text);

}  // namespace weft::cli
