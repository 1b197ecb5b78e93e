#include "cli/junit.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace weft::cli {
namespace {

/// XML 1.0 has no way to write most control characters, nor bytes that are no UTF-8.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\n':
        result += "&#10;";
        break;
      case '\t':
        result += c;
        break;
      default: {
        const auto byte = static_cast<unsigned char>(c);
        result += byte < 0x20 || byte >= 0x7f ? '?' : c;
      }
    }
  }
  return result;
}

std::string case_xml(const Explored& one) {
  std::string text =
      fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"", escaped(one.selected.scenario->name()),
                  escaped(one.selected.variant->name), one.result.seconds);
  if (one.judgement.problem.empty()) return text + "/>\n";
  if (one.judgement.code == ExitCode::sampled)  // neither passed nor failed
    return text + fmt::format(">\n      <skipped message=\"{}\"/>\n    </testcase>\n", escaped(one.judgement.problem));
  std::string traces;
  for (const FindingReport& finding : one.result.findings) traces += finding.trace + "\n";
  return text + fmt::format(">\n      <failure type=\"{}\" message=\"{}\">{}</failure>\n    </testcase>\n",
                            to_string(one.result.verdict), escaped(one.judgement.problem), escaped(traces));
}

}  // namespace

std::string junit_xml(const std::vector<Explored>& explored) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (std::size_t begin = 0; begin < explored.size();) {
    std::size_t end = begin;
    std::size_t failures = 0;
    std::size_t skipped = 0;
    double seconds = 0;
    std::string cases;
    for (; end < explored.size() && explored[end].selected.scenario == explored[begin].selected.scenario; ++end) {
      const bool is_sample = explored[end].judgement.code == ExitCode::sampled;
      skipped += is_sample ? 1 : 0;
      failures += explored[end].judgement.problem.empty() || is_sample ? 0 : 1;
      seconds += explored[end].result.seconds;
      cases += case_xml(explored[end]);
    }
    text += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" time=\"{:.3f}\">\n{}  </testsuite>\n",
        escaped(explored[begin].selected.scenario->name()), end - begin, failures, skipped, seconds, cases);
    begin = end;
  }
  return text + "</testsuites>\n";
}

}  // namespace weft::cli
