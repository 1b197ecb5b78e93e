// What the program tells the shell. `weft --help` lists these.
#pragma once

#include "weft/weft.hpp"

namespace weft::cli {

enum class ExitCode : int {
  as_expected = 0,
  bug = 1,
  missed = 2,  ///< a broken variant did not show all that it should, or something else
  bounded = 3,
  sampled = 4,
  truncated = 5,
  vacuous = 6,
  internal = 7,
  not_compiled = 8,  ///< the program given to `weft check` does not compile or link
  usage = 64,        ///< unknown command, option or scenario, impossible value, missing file
  token = 65,        ///< a schedule token that is malformed, foreign, or does not fit any more
  output = 74,       ///< the output could not be written
  skipped = 77,      ///< this machine or build cannot do what was asked for, or the variant says not to
};

/// Of an exploration that should have ended in a proof.
constexpr ExitCode exit_code(Verdict verdict) {
  switch (verdict) {
    case Verdict::proved:
      return ExitCode::as_expected;
    case Verdict::bounded:
      return ExitCode::bounded;
    case Verdict::sampled:
      return ExitCode::sampled;
    case Verdict::truncated:
      return ExitCode::truncated;
    case Verdict::bug:
      return ExitCode::bug;
    case Verdict::vacuous:
      return ExitCode::vacuous;
    case Verdict::internal:
      return ExitCode::internal;
  }
  return ExitCode::internal;
}

inline constexpr const char* kExitCodes =
    "Exit codes:\n"
    "   0  as expected: a fixed variant or checked program proved (stressed: it survived), a broken variant failed in "
    "its\n"
    "      expected way\n"
    "   1  bug: an unexpected finding\n"
    "   2  missed: a broken variant did not show all that it should\n"
    "   3  bounded: no finding, but bounds kept executions out\n"
    "   4  sampled: no finding in the schedules that were tried\n"
    "   5  truncated: a limit ended the exploration early, no finding so far\n"
    "   6  vacuous: proved, but a condition never held, or the body never ran two threads or tasks\n"
    "   7  internal: a fault of Weft's own\n"
    "   8  the program does not compile or link (weft check)\n"
    "  64  usage: unknown command, option or scenario, impossible value, missing file\n"
    "  65  a schedule token that is malformed, foreign, or no longer fits\n"
    "  74  the output could not be written (a full disk)\n"
    "  77  skipped: this build or machine cannot do it, such as fuzz without libFuzzer, or the variant says not to\n";

}  // namespace weft::cli
