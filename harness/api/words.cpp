// Results as words: verdicts, models, and a whole result printed for a person.
#include <fmt/format.h>

#include <ostream>

#include "weft/weft.hpp"

namespace weft {

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::proved:
      return "proved";
    case Verdict::bounded:
      return "bounded";
    case Verdict::sampled:
      return "sampled";
    case Verdict::truncated:
      return "truncated";
    case Verdict::bug:
      return "bug";
    case Verdict::vacuous:
      return "vacuous";
    case Verdict::internal:
      return "internal";
  }
  return "unknown";
}

const char* to_string(Strategy strategy) {
  switch (strategy) {
    case Strategy::random:
      return "random";
    case Strategy::pct:
      return "pct";
    case Strategy::pos:
      return "pos";
  }
  return "unknown";
}

const char* to_string(Model model) { return model == Model::sc ? "sc" : "rc11"; }

bool Result::found(const std::string& kind, const std::string& text) const {
  for (const FindingReport& finding : findings) {
    if (finding.kind == kind && finding.message.find(text) != std::string::npos) return true;
  }
  return false;
}

std::ostream& operator<<(std::ostream& out, const Result& result) {
  out << fmt::format("{} ({}): {} executions, {} blocked, {:.2f} s", to_string(result.verdict), to_string(result.model),
                     result.executions, result.blocked, result.seconds);
  if (result.duplicates) out << fmt::format(", {} duplicates", *result.duplicates);
  if (!result.reason.empty()) out << "\n  " << result.reason;
  out << '\n';
  for (const FindingReport& finding : result.findings) {
    out << '\n' << finding.trace;
  }
  return out;
}

}  // namespace weft
