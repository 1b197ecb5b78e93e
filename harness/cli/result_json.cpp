#include "cli/result_json.hpp"

#include <cstdio>
#include <fstream>
#include <map>
#include <vector>

namespace weft::cli {

using nlohmann::ordered_json;

namespace {

const char* word(TraceStep::Kind kind) {
  switch (kind) {
    case TraceStep::Kind::operation:
      return "operation";
    case TraceStep::Kind::note:
      return "note";
    case TraceStep::Kind::failure:
      return "failure";
  }
  return "unknown";
}

/// The line of a source file, as far as that can be read; without the white space around it.
std::string source_line(const std::string& file, int line) {
  static std::map<std::string, std::vector<std::string>> files;
  if (file.empty() || line <= 0) return {};
  const auto [known, is_new] = files.try_emplace(file);
  if (is_new) {
    std::ifstream in(file);
    for (std::string text; std::getline(in, text);) known->second.push_back(text);
  }
  if (static_cast<std::size_t>(line) > known->second.size()) return {};
  const std::string& text = known->second[static_cast<std::size_t>(line) - 1];
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

ordered_json step_json(const TraceStep& step, const std::vector<TraceColumn>& columns) {
  ordered_json changes = ordered_json::array();
  for (const TraceStep::Change& change : step.changes)
    changes.push_back({{"name", change.name}, {"value", change.value}});
  return {{"step", step.number},
          {"kind", word(step.kind)},
          {"column", step.column},
          {"thread", columns[step.column].name},
          {"text", step.text},
          {"place", step.place},
          {"file", step.file},
          {"line", step.line},
          {"source", source_line(step.file, step.line)},
          {"changes", std::move(changes)},
          {"object", step.object},
          {"reads", step.reads},
          {"writes", step.writes},
          {"reads_from", step.reads_from},
          {"overwritten_by", step.overwritten_by},
          {"overwrites", step.overwrites},
          {"happens_after", step.happens_after},
          {"waited_for", step.waited_for},
          {"marked", step.marked},
          {"switched", step.switched}};
}

ordered_json part_json(const SearchPartReport& part) {
  ordered_json conditions = ordered_json::array();
  for (const SearchPartReport::Condition& condition : part.conditions)
    conditions.push_back({{"name", condition.name}, {"held", condition.held}});
  return {{"shard", part.shard},
          {"shards", part.shards},
          {"learned", part.learned},
          {"threads", part.threads},
          {"bound", part.bound},
          {"conditions", std::move(conditions)},
          {"is_concurrent", part.is_concurrent}};
}

}  // namespace

ordered_json columns_json(const std::vector<TraceColumn>& columns) {
  ordered_json json = ordered_json::array();
  for (const TraceColumn& column : columns)
    json.push_back({{"name", column.name}, {"thread", column.thread}, {"task", column.is_task}});
  return json;
}

ordered_json steps_json(const std::vector<TraceStep>& steps, const std::vector<TraceColumn>& columns) {
  ordered_json json = ordered_json::array();
  for (const TraceStep& step : steps) json.push_back(step_json(step, columns));
  return json;
}

ordered_json finding_json(const FindingReport& finding) {
  ordered_json places = ordered_json::array();
  for (const FindingPlace& place : finding.places)
    places.push_back({{"column", place.column},
                      {"what", place.what},
                      {"place", place.place},
                      {"step", place.step},
                      {"stack", place.stack}});
  ordered_json json = {{"kind", finding.kind},
                       {"message", finding.message},
                       {"warning", finding.is_warning},
                       {"execution", finding.execution},
                       {"from_before", finding.from_before},
                       {"schedule", finding.schedule},
                       {"replay", finding.replay},
                       {"why", finding.why},
                       {"near", finding.near},
                       {"places", std::move(places)},
                       {"switches", finding.switches},
                       {"fewest_switches", finding.fewest_switches},
                       {"columns", columns_json(finding.columns)},
                       {"steps", steps_json(finding.steps, finding.columns)},
                       {"trace", finding.trace}};
  if (finding.minimised) {
    json["minimised"] = {{"steps_before", finding.minimised->steps_before},
                         {"switches_before", finding.minimised->switches_before},
                         {"complete", finding.minimised->complete}};
  }
  return json;
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
      {"at_least_done", result.at_least_done},
      {"total", nullptr},
      {"seconds", result.seconds},
      {"executions_per_second", result.seconds > 0 ? static_cast<double>(result.executions) / result.seconds : 0.0},
      {"findings", std::move(findings)}};
  if (result.duplicates) json["duplicates"] = *result.duplicates;
  if (result.total)
    json["total"] = {{"low", result.total->low}, {"likely", result.total->likely}, {"high", result.total->high}};
  if (result.part) json["part"] = part_json(*result.part);
  return json;
}

std::string json_text(const ordered_json& object) {
  return object.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

void print_json(const ordered_json& object) {
  const std::string text = json_text(object);
  std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace weft::cli
