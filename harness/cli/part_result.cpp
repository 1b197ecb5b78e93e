#include "cli/part_result.hpp"

#include <fmt/format.h>

#include <utility>

#include "cli/input_file.hpp"

namespace weft::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::pair<const char*, Verdict> kVerdicts[] = {
    {"proved", Verdict::proved},       {"bounded", Verdict::bounded}, {"sampled", Verdict::sampled},
    {"truncated", Verdict::truncated}, {"bug", Verdict::bug},         {"vacuous", Verdict::vacuous},
    {"internal", Verdict::internal},
};

Verdict verdict(const std::string& word) {
  for (const auto& [name, verdict] : kVerdicts) {
    if (word == name) return verdict;
  }
  throw UsageError(fmt::format("`{}' is no verdict", word));
}

Model model(const std::string& word) {
  if (word == "sc") return Model::sc;
  if (word == "rc11") return Model::rc11;
  throw UsageError(fmt::format("`{}' is no memory model", word));
}

FindingReport finding(const ordered_json& json) {
  FindingReport finding;
  finding.kind = json.at("kind").get<std::string>();
  finding.message = json.at("message").get<std::string>();
  finding.schedule = json.at("schedule").get<std::string>();
  finding.replay = json.at("replay").get<std::string>();
  finding.trace = json.at("trace").get<std::string>();
  finding.execution = json.at("execution").get<std::uint64_t>();
  finding.is_warning = json.at("warning").get<bool>();
  finding.from_before = json.at("from_before").get<bool>();
  return finding;
}

SearchPartReport part(const ordered_json& json) {
  SearchPartReport part;
  part.shard = json.at("shard").get<std::uint32_t>();
  part.shards = json.at("shards").get<std::uint32_t>();
  part.learned = json.at("learned").get<std::string>();
  part.threads = json.at("threads").get<std::string>();
  part.bound = json.at("bound").get<std::string>();
  for (const ordered_json& condition : json.at("conditions"))
    part.conditions.push_back({condition.at("name").get<std::string>(), condition.at("held").get<bool>()});
  part.is_concurrent = json.at("is_concurrent").get<bool>();
  return part;
}

PartResult part_result(const ordered_json& json) {
  PartResult one{.scenario = json.at("scenario").get<std::string>(), .variant = json.at("variant").get<std::string>()};
  Result& result = one.result;
  result.verdict = verdict(json.at("verdict").get<std::string>());
  result.reason = json.at("reason").get<std::string>();
  result.model = model(json.at("model").get<std::string>());
  result.executions = json.at("executions").get<std::uint64_t>();
  result.blocked = json.at("blocked").get<std::uint64_t>();
  result.deadlocks = json.at("deadlocks").get<std::uint64_t>();
  if (!json.at("duplicates").is_null()) result.duplicates = json.at("duplicates").get<std::uint64_t>();
  result.seconds = json.at("seconds").get<double>();
  result.fraction_done = json.at("fraction_done").get<double>();
  if (const ordered_json& total = json.at("total"); !total.is_null()) {
    result.total = TotalEstimate{.low = total.at("low").get<double>(),
                                 .likely = total.at("likely").get<double>(),
                                 .high = total.at("high").get<double>()};
  }
  if (json.contains("part")) result.part = part(json.at("part"));
  for (const ordered_json& item : json.at("findings")) result.findings.push_back(finding(item));
  return one;
}

}  // namespace

std::vector<PartResult> part_results(const ordered_json& output, const std::string& from) {
  try {
    std::vector<PartResult> results;
    for (const ordered_json& item : output.at("results")) results.push_back(part_result(item));
    return results;
  } catch (const ordered_json::exception&) {
    throw UsageError(fmt::format("{}: this is not what `weft explore --json' writes", from));
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", from, error.what()));
  }
}

std::vector<PartResult> read_part_results(const std::string& path) { return part_results(read_json_file(path), path); }

}  // namespace weft::cli
