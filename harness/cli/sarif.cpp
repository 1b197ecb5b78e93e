#include "cli/sarif.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

namespace weft::cli {
namespace {

using nlohmann::ordered_json;

/// Rules have names without spaces.
std::string rule_of(const FindingReport& finding) {
  std::string rule = finding.kind;
  std::replace(rule.begin(), rule.end(), ' ', '-');
  return rule;
}

/// SARIF wants absolute paths as URIs.
std::string uri_of(const std::string& file) {
  std::string uri = file.starts_with('/') ? "file://" : "";
  for (const char c : file) {
    const bool plain = c == '/' || c == '.' || c == '-' || c == '_' || c == '~' || (c >= '0' && c <= '9') ||
                       (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

ordered_json location_of(const TraceStep& step) {
  ordered_json location = {{"message", {{"text", step.text}}}};
  if (!step.file.empty() && step.line > 0) {
    location["physicalLocation"] = {{"artifactLocation", {{"uri", uri_of(step.file)}}},
                                    {"region", {{"startLine", step.line}}}};
  }
  return location;
}

ordered_json thread_flows_of(const FindingReport& finding) {
  ordered_json flows = ordered_json::array();
  for (std::size_t column = 0; column < finding.columns.size(); ++column) {
    ordered_json locations = ordered_json::array();
    for (std::size_t i = 0; i < finding.steps.size(); ++i) {
      const TraceStep& step = finding.steps[i];
      if (step.column != column) continue;
      locations.push_back({{"location", location_of(step)},
                           {"executionOrder", i + 1},
                           {"importance", step.marked ? "essential" : "important"}});
    }
    if (!locations.empty())
      flows.push_back({{"id", std::to_string(column)},
                       {"message", {{"text", finding.columns[column].name}}},
                       {"locations", std::move(locations)}});
  }
  return flows;
}

/// The last step with a place, from the failure back.
ordered_json locations_of(const FindingReport& finding) {
  const auto step = std::find_if(finding.steps.rbegin(), finding.steps.rend(),
                                 [](const TraceStep& s) { return !s.file.empty() && s.line > 0; });
  return step == finding.steps.rend() ? ordered_json::array() : ordered_json::array({location_of(*step)});
}

ordered_json result_of(const Explored& one, const FindingReport& finding) {
  std::string text = fmt::format("{}: {}", one.selected.name(), finding.message);
  for (const std::string& sentence : finding.why) text += " " + sentence;
  ordered_json result = {{"ruleId", rule_of(finding)},
                         {"level", finding.is_warning              ? "warning"
                                   : one.judgement.problem.empty() ? "note"
                                                                   : "error"},
                         {"message", {{"text", text}}},
                         {"locations", locations_of(finding)},
                         {"properties", {{"replay", finding.replay}}}};
  ordered_json flows = thread_flows_of(finding);
  if (!flows.empty()) result["codeFlows"] = ordered_json::array({{{"threadFlows", std::move(flows)}}});
  return result;
}

}  // namespace

ordered_json sarif_json(const std::vector<Explored>& explored) {
  ordered_json results = ordered_json::array();
  ordered_json rules = ordered_json::array();
  std::set<std::string> known;
  for (const Explored& one : explored) {
    for (const FindingReport& finding : one.result.findings) {
      if (known.insert(rule_of(finding)).second)
        rules.push_back({{"id", rule_of(finding)}, {"shortDescription", {{"text", finding.kind}}}});
      results.push_back(result_of(one, finding));
    }
  }
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", ordered_json::array({{{"tool", {{"driver", {{"name", "weft"}, {"rules", std::move(rules)}}}}},
                                         {"results", std::move(results)}}})}};
}

}  // namespace weft::cli
