// Whether an exploration, or a run on real threads, ended as its variant says that it must.
#pragma once

#include <string>
#include <vector>

#include "cli/exit_code.hpp"
#include "weft/scenario.hpp"

namespace weft::cli {

struct Judgement {
  ExitCode code = ExitCode::internal;
  std::string problem;  ///< one line; empty if all is as expected
};

/// A broken variant must show each of its expectations, by kind and text, and no other bug; a fixed one must be proved.
/// So one that was only sampled has an exit code of its own. A broken one that did not fail in the schedules that were
/// tried is missed.
Judgement judge(const Variant& variant, const Result& result);

/// Of one part of an exploration: what is missing may be in another part.
Judgement judge_part(const Variant& variant, const Result& result);

struct StressJudgement {
  ExitCode code = ExitCode::internal;
  std::string problem;  ///< one line; empty if all is as expected
  std::string remark;   ///< what is as expected and should be seen all the same
};

/// On real threads chance decides what is met: a broken variant must show one of its expectations and nothing else, or
/// nothing if it may be missed; a fixed one must survive. What hangs has no words of its own: there, the kind alone is
/// compared.
StressJudgement judge_stress(const Variant& variant, Verdict verdict, const std::string& reason,
                             const std::vector<FindingReport>& findings);

}  // namespace weft::cli
