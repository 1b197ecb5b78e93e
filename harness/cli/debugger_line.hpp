// What to paste into a shell to see in a debugger what a finding is about.
#pragma once

#include <string>

#include "weft/weft.hpp"

namespace weft::cli {

/// `arguments`, which begin with `replay', under gdb, which stops before this step of the trace and shows the
/// scenario's line there.
std::string debugger_line(const std::string& program, const std::string& arguments, const std::string& step = "last");

/// The same for a finding; empty if it is none that `weft replay` replays.
std::string debugger_line(const std::string& program, const FindingReport& finding);

/// This program, as it was called.
std::string own_program();

}  // namespace weft::cli
