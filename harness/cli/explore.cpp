// weft explore: explores scenario variants and says whether each ended as it must.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/judgement.hpp"
#include "cli/limits.hpp"
#include "cli/result_json.hpp"
#include "cli/selection.hpp"
#include "cli/standard_streams.hpp"

namespace weft::cli {
namespace {

struct ExploreOptions {
  std::vector<std::string> patterns;
  Limits limits;
  bool json = false;
  bool quiet = false;
};

constexpr const char* kHeading = "{:<40} {:<10} {:<9} {:>10} {:>8} {:>8}\n";

Result explore_variant(const Selected& selected, const Limits& limits) {
  Options options = limits.options(selected.scenario->model());
  options.name = selected.name();
  options.replay_command = fmt::format("weft replay {}{}", options.name, limits.needed_for_replay());
  const Silence silence;
  return explore(selected.variant->body, options);
}

void print_row(const Selected& selected, const Result& result, const Judgement& judgement) {
  fmt::print(kHeading, selected.name(), to_string(result.verdict), judgement.problem.empty() ? "yes" : "NO",
             result.executions, result.blocked, fmt::format("{:.2f}", result.seconds));
}

void run(const ExploreOptions& options, ExitCode& code) {
  const std::vector<Selected> selected = select(options.patterns);
  code = ExitCode::as_expected;
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  std::string details;
  if (!options.json)
    fmt::print(kHeading, "scenario/variant", "verdict", "expected?", "executions", "blocked", "seconds");
  for (const Selected& one : selected) {
    const Result result = explore_variant(one, options.limits);
    const Judgement judgement = judge(*one.variant, result);
    if (code == ExitCode::as_expected) code = judgement.code;
    if (options.json) {
      nlohmann::ordered_json json = {{"scenario", one.scenario->name()}, {"variant", one.variant->name}};
      json.update(result_json(result));
      json["as_expected"] = judgement.problem.empty();
      json["problem"] = judgement.problem;
      results.push_back(std::move(json));
      continue;
    }
    print_row(one, result, judgement);
    std::fflush(stdout);
    if (result.duplicates) details += fmt::format("{}: {} duplicates\n", one.name(), *result.duplicates);
    if (!judgement.problem.empty()) details += fmt::format("{}: {}\n", one.name(), judgement.problem);
    if (options.quiet) continue;
    for (const FindingReport& finding : result.findings) details += "\n" + finding.trace;
  }
  if (options.json) {
    print_json({{"as_expected", code == ExitCode::as_expected}, {"results", std::move(results)}});
  } else {
    fmt::print("{}", details);
  }
}

}  // namespace

void add_explore(CLI::App& app, ExitCode& code) {
  const auto options = std::make_shared<ExploreOptions>();
  CLI::App* const command = app.add_subcommand("explore", "explore every execution of scenarios");
  command->add_option("pattern", options->patterns, "scenario or scenario/variant, with * and ?; all if there is none");
  options->limits.add_to(*command);
  command->add_flag("--json", options->json, "one JSON object on standard output");
  command->add_flag("--quiet", options->quiet, "only the table, no traces");
  command->callback([options, &code] { run(*options, code); });
}

}  // namespace weft::cli
