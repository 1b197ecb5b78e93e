// Whether an exploration ended as its variant says that it must.
#pragma once

#include <string>

#include "cli/exit_code.hpp"
#include "weft/scenario.hpp"

namespace weft::cli {

struct Judgement {
  ExitCode code = ExitCode::internal;
  std::string problem;  ///< one line; empty if all is as expected
};

/// A broken variant must show each of its expectations, by kind and text, and no other bug; a fixed one must be proved.
Judgement judge(const Variant& variant, const Result& result);

}  // namespace weft::cli
