#include "cli/judgement.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace weft::cli {
namespace {

bool matches(const Expectation& expected, const FindingReport& finding) {
  return finding.kind == expected.kind && finding.message.find(expected.text) != std::string::npos;
}

/// A watchdog sees that threads hang, not what for. It cannot tell a spin loop that others could end from one that
/// nobody can.
bool matches_on_threads(const Expectation& expected, const FindingReport& finding) {
  if (finding.kind == "deadlock") return expected.kind == "deadlock";
  if (finding.kind == "livelock") return expected.kind == "livelock" || expected.kind == "endless loop";
  return matches(expected, finding);
}

std::string all_expectations(const Variant& variant) {
  std::string text;
  for (const Expectation& expected : variant.expected)
    text += fmt::format("{}`{}: {}'", text.empty() ? "" : " or ", expected.kind, expected.text);
  return text;
}

}  // namespace

Judgement judge(const Variant& variant, const Result& result) {
  if (variant.expected.empty() || result.verdict == Verdict::internal) {
    const ExitCode code = exit_code(result.verdict);
    if (code == ExitCode::as_expected) return {code, {}};
    const auto bug =
        std::find_if(result.findings.begin(), result.findings.end(), [](const auto& f) { return !f.is_warning; });
    if (bug != result.findings.end())
      return {code, fmt::format("expected proved, found `{}: {}'", bug->kind, bug->message)};
    return {code, fmt::format("expected proved, got {}{}{}", to_string(result.verdict),
                              result.reason.empty() ? "" : ": ", result.reason)};
  }
  for (const Expectation& expected : variant.expected) {
    const bool shown = std::any_of(result.findings.begin(), result.findings.end(),
                                   [&](const auto& f) { return matches(expected, f); });
    if (shown) continue;
    const bool truncated = result.verdict == Verdict::truncated;  // it may yet be found
    const bool sampled = result.verdict == Verdict::sampled;
    return {truncated ? ExitCode::truncated : ExitCode::missed,
            fmt::format("expected a finding `{}: {}', it was not found{}{}", expected.kind, expected.text,
                        truncated ? " so far: "
                        : sampled ? ": "
                                  : "",
                        truncated || sampled ? result.reason : "")};
  }
  for (const FindingReport& finding : result.findings) {
    const bool wanted =
        finding.is_warning || std::any_of(variant.expected.begin(), variant.expected.end(),
                                          [&](const Expectation& expected) { return matches(expected, finding); });
    if (!wanted) return {ExitCode::bug, fmt::format("unexpected finding `{}: {}'", finding.kind, finding.message)};
  }
  return {ExitCode::as_expected, {}};
}

Judgement judge_part(const Variant& variant, const Result& result) {
  const Judgement judgement = judge(variant, result);
  const bool is_whole_part = result.verdict == Verdict::bounded || result.verdict == Verdict::bug;
  const bool is_missing = judgement.code == ExitCode::missed || judgement.code == ExitCode::bounded;
  return is_whole_part && is_missing ? Judgement{ExitCode::as_expected, {}} : judgement;
}

StressJudgement judge_stress(const Variant& variant, Verdict verdict, const std::string& reason,
                             const std::vector<FindingReport>& findings) {
  for (const FindingReport& finding : findings) {
    const bool wanted = std::any_of(variant.expected.begin(), variant.expected.end(),
                                    [&](const Expectation& expected) { return matches_on_threads(expected, finding); });
    if (!wanted) return {ExitCode::bug, fmt::format("unexpected finding `{}: {}'", finding.kind, finding.message), {}};
  }
  if (!findings.empty()) return {ExitCode::as_expected, {}, {}};
  if (verdict != Verdict::sampled)
    return {exit_code(verdict), fmt::format("expected sampled, got {}: {}", to_string(verdict), reason), {}};
  if (variant.expected.empty()) return {ExitCode::as_expected, {}, {}};
  if (variant.stress.kind == stress::Policy::Kind::may_miss)
    return {ExitCode::as_expected, {}, fmt::format("missed, as it may be: {}", variant.stress.why)};
  return {ExitCode::missed, fmt::format("expected a finding {}, there was none", all_expectations(variant)), {}};
}

}  // namespace weft::cli
