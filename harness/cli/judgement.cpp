#include "cli/judgement.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace weft::cli {
namespace {

bool matches(const Expectation& expected, const FindingReport& finding) {
  return finding.kind == expected.kind && finding.message.find(expected.text) != std::string::npos;
}

}  // namespace

Judgement judge(const Variant& variant, const Result& result) {
  if (variant.expected.empty() || result.verdict == Verdict::internal) {
    const ExitCode code = exit_code(result.verdict);
    if (code == ExitCode::as_expected) return {code, {}};
    return {code, fmt::format("expected proved, got {}{}{}", to_string(result.verdict),
                              result.reason.empty() ? "" : ": ", result.reason)};
  }
  for (const Expectation& expected : variant.expected) {
    const bool shown = std::any_of(result.findings.begin(), result.findings.end(),
                                   [&](const auto& f) { return matches(expected, f); });
    if (!shown)
      return {ExitCode::missed,
              fmt::format("expected a finding `{}: {}', it was not found", expected.kind, expected.text)};
  }
  for (const FindingReport& finding : result.findings) {
    const bool wanted =
        finding.is_warning || std::any_of(variant.expected.begin(), variant.expected.end(),
                                          [&](const Expectation& expected) { return matches(expected, finding); });
    if (!wanted) return {ExitCode::bug, fmt::format("unexpected finding `{}: {}'", finding.kind, finding.message)};
  }
  return {ExitCode::as_expected, {}};
}

}  // namespace weft::cli
