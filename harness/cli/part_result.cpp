#include "cli/part_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/input_file.hpp"
#include "cli/shard.hpp"

namespace weft::cli {
namespace {

using nlohmann::ordered_json;

constexpr double kMostSeconds = 1e9;
constexpr double kMostExecutions = 1e300;

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

/// The library would take -1, 1.5 and true for whole numbers, too.
std::uint64_t count(const ordered_json& json, const char* key) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 53;
  const ordered_json& value = json.at(key);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > kMost)
    throw UsageError(fmt::format("`{}' is no number of executions, or the like", key));
  return value.get<std::uint64_t>();
}

double number(const ordered_json& json, const char* key, double most) {
  const ordered_json& value = json.at(key);
  if (!value.is_number() || !(value.get<double>() >= 0 && value.get<double>() <= most))
    throw UsageError(fmt::format("`{}' is no number from 0 to {:g}", key, most));
  return value.get<double>();
}

bool flag(const ordered_json& json, const char* key) {
  if (!json.at(key).is_boolean()) throw UsageError(fmt::format("`{}' is neither true nor false", key));
  return json.at(key).get<bool>();
}

const ordered_json& list(const ordered_json& json, const char* key) {
  if (!json.at(key).is_array()) throw UsageError(fmt::format("`{}' is no list", key));
  return json.at(key);
}

/// What a part can have come to, with what it shows.
void check_verdict(const Result& part) {
  const bool has_bug =
      std::any_of(part.findings.begin(), part.findings.end(), [](const FindingReport& f) { return !f.is_warning; });
  const bool is_verdict_of_part = part.verdict == Verdict::bounded || part.verdict == Verdict::bug ||
                                  part.verdict == Verdict::truncated || part.verdict == Verdict::internal;
  if (!is_verdict_of_part || (part.verdict == Verdict::bug) != has_bug)
    throw UsageError(fmt::format("a part that is `{}'{} is none that weft explore --shard has made",
                                 to_string(part.verdict), has_bug ? " with a bug" : ""));
  const std::string& learned = part.part->learned;
  if (learned.find_first_not_of("0123456789abcdefpsmw@.,") != std::string::npos)
    throw UsageError(fmt::format("`{}' is nothing that can have been learned", learned));
}

FindingReport finding(const ordered_json& json) {
  FindingReport finding;
  finding.kind = json.at("kind").get<std::string>();
  finding.message = json.at("message").get<std::string>();
  finding.schedule = json.at("schedule").get<std::string>();
  finding.replay = json.at("replay").get<std::string>();
  finding.trace = json.at("trace").get<std::string>();
  finding.execution = count(json, "execution");
  finding.is_warning = flag(json, "warning");
  finding.from_before = flag(json, "from_before");
  return finding;
}

SearchPartReport part(const ordered_json& json) {
  SearchPartReport part;
  part.shard = static_cast<std::uint32_t>(std::min<std::uint64_t>(count(json, "shard"), kMostShards + 1));
  part.shards = static_cast<std::uint32_t>(std::min<std::uint64_t>(count(json, "shards"), kMostShards + 1));
  if (part.shards > kMostShards) throw UsageError(fmt::format("`shards' is more than {}", kMostShards));
  part.learned = json.at("learned").get<std::string>();
  part.threads = json.at("threads").get<std::string>();
  part.bound = json.at("bound").get<std::string>();
  for (const ordered_json& condition : list(json, "conditions"))
    part.conditions.push_back({condition.at("name").get<std::string>(), flag(condition, "held")});
  part.is_concurrent = flag(json, "is_concurrent");
  return part;
}

PartResult part_result(const ordered_json& json) {
  PartResult one{.scenario = json.at("scenario").get<std::string>(), .variant = json.at("variant").get<std::string>()};
  Result& result = one.result;
  result.verdict = verdict(json.at("verdict").get<std::string>());
  result.reason = json.at("reason").get<std::string>();
  result.model = model(json.at("model").get<std::string>());
  result.executions = count(json, "executions");
  result.blocked = count(json, "blocked");
  result.deadlocks = count(json, "deadlocks");
  if (!json.at("duplicates").is_null()) result.duplicates = count(json, "duplicates");
  result.seconds = number(json, "seconds", kMostSeconds);
  result.fraction_done = number(json, "fraction_done", 1 + 1e-9);
  if (const ordered_json& total = json.at("total"); !total.is_null()) {
    result.total = TotalEstimate{.low = number(total, "low", kMostExecutions),
                                 .likely = number(total, "likely", kMostExecutions),
                                 .high = number(total, "high", kMostExecutions)};
  }
  if (json.contains("part")) result.part = part(json.at("part"));
  for (const ordered_json& item : list(json, "findings")) result.findings.push_back(finding(item));
  if (result.part) check_verdict(result);
  return one;
}

}  // namespace

std::vector<PartResult> part_results(const ordered_json& output, const std::string& from) {
  try {
    std::vector<PartResult> results;
    for (const ordered_json& item : list(output, "results")) results.push_back(part_result(item));
    return results;
  } catch (const ordered_json::exception&) {
    throw UsageError(fmt::format("{}: this is not what `weft explore --json' writes", from));
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", from, error.what()));
  }
}

std::vector<PartResult> read_part_results(const std::string& path) { return part_results(read_json_file(path), path); }

}  // namespace weft::cli
