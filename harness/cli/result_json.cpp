#include "cli/result_json.hpp"

#include <cstdio>

namespace weft::cli {

using nlohmann::ordered_json;

ordered_json finding_json(const FindingReport& finding) {
  ordered_json steps = ordered_json::array();
  for (const TraceStep& step : finding.steps) {
    steps.push_back({{"step", step.number},
                     {"thread", step.thread},
                     {"text", step.text},
                     {"place", step.place},
                     {"state", step.state},
                     {"failing", step.failing}});
  }
  return {{"kind", finding.kind},           {"message", finding.message},   {"warning", finding.is_warning},
          {"execution", finding.execution}, {"schedule", finding.schedule}, {"steps", std::move(steps)},
          {"trace", finding.trace}};
}

ordered_json result_json(const Result& result) {
  ordered_json findings = ordered_json::array();
  for (const FindingReport& finding : result.findings) findings.push_back(finding_json(finding));
  ordered_json json = {
      {"verdict", to_string(result.verdict)},
      {"reason", result.reason},
      {"model", to_string(result.model)},
      {"executions", result.executions},
      {"blocked", result.blocked},
      {"deadlocks", result.deadlocks},
      {"duplicates", nullptr},
      {"fraction_done", result.fraction_done},
      {"seconds", result.seconds},
      {"executions_per_second", result.seconds > 0 ? static_cast<double>(result.executions) / result.seconds : 0.0},
      {"findings", std::move(findings)}};
  if (result.duplicates) json["duplicates"] = *result.duplicates;
  return json;
}

void print_json(const ordered_json& object) {
  const std::string text = object.dump(2, ' ', false, ordered_json::error_handler_t::replace);
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fputc('\n', stdout);
}

}  // namespace weft::cli
