// weft explore: explores scenario variants and says whether each ended as it must.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/explored.hpp"
#include "cli/finding_outputs.hpp"
#include "cli/interruption.hpp"
#include "cli/judgement.hpp"
#include "cli/limits.hpp"
#include "cli/progress_line.hpp"
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
  FindingOutputs outputs;
};

class Table {
 public:
  explicit Table(const std::vector<Selected>& selected) {
    for (const Selected& one : selected) name_width_ = std::max(name_width_, one.name().size());
    print("scenario/variant", "verdict", "expected?", "executions", "blocked", "seconds");
  }

  void print(const Explored& one) const {
    print(one.selected.name(), to_string(one.result.verdict), one.judgement.problem.empty() ? "yes" : "NO",
          one.result.executions, one.result.blocked, fmt::format("{:.2f}", one.result.seconds));
    std::fflush(stdout);
  }

 private:
  template <class... Cells>
  void print(const std::string& name, const Cells&... cells) const {
    fmt::print("{:<{}} ", name, name_width_);
    fmt::print("{:<10} {:<9} {:>10} {:>8} {:>8}\n", cells...);
  }

  std::size_t name_width_ = 16;
};

Explored explore_variant(const Selected& selected, const ExploreOptions& cli) {
  Options options = cli.limits.options(selected.scenario->model());
  options.name = selected.name();
  options.replay_command = fmt::format("weft replay {}{}", options.name, cli.limits.needed_for_replay());
  options.interrupted = &Interruption::flag();
  if (cli.outputs.keep != FindingOutputs::Keep::none)
    options.known_schedules = FindingsFolder(cli.outputs.findings_folder).schedules(selected);
  ProgressLine line(options.name);
  options.progress = [&line](const Progress& progress) { line.show(progress); };
  Explored one{.selected = selected, .known_schedules = options.known_schedules.size()};
  {
    const Silence silence;
    one.result = explore(selected.variant->body, options);
  }
  one.judgement = judge(*selected.variant, one.result);
  return one;
}

/// "NEAR  ..." about the fixed variants of the scenario that were explored, too; empty if none was.
std::string near_text(const Explored& one, const std::vector<Explored>& explored) {
  std::string text;
  for (const Explored& other : explored) {
    const bool is_proof = other.selected.scenario == one.selected.scenario && other.result.verdict == Verdict::proved;
    if (is_proof)
      text += fmt::format("{}{} ({} executions)", text.empty() ? "NEAR  proved: " : ", ", other.selected.variant->name,
                          other.result.executions);
  }
  return text.empty() ? text : text + "\n";
}

/// What stands below the table about a variant.
std::string details_of(const Explored& one, const std::vector<Explored>& explored, bool quiet) {
  const Result& result = one.result;
  std::string details;
  if (result.duplicates) details += fmt::format("{}: {} duplicates\n", one.selected.name(), *result.duplicates);
  if (!one.judgement.problem.empty()) details += fmt::format("{}: {}\n", one.selected.name(), one.judgement.problem);
  if (result.verdict == Verdict::truncated)
    details += fmt::format("{}: {} of the search tree is done, by weight\n", one.selected.name(),
                           percent_text(result.fraction_done));
  if (one.known_schedules != 0) {
    const auto again = std::count_if(result.findings.begin(), result.findings.end(),
                                     [](const FindingReport& finding) { return finding.from_before; });
    details += again == 0 ? fmt::format(
                                "{}: what was found before is found no more with its schedule; all was explored anew\n",
                                one.selected.name())
                          : fmt::format("{}: tried the kept schedules first: {} of {} still fail\n",
                                        one.selected.name(), again, one.known_schedules);
  }
  if (quiet) return details;
  for (const FindingReport& finding : result.findings) {
    const std::size_t replay = finding.trace.rfind("REPLAY ");
    details += "\n" + finding.trace.substr(0, replay) + near_text(one, explored) + finding.trace.substr(replay);
    details += debug_text(one, finding);
  }
  return details;
}

nlohmann::ordered_json explored_json(const Explored& one) {
  nlohmann::ordered_json json = {{"scenario", one.selected.scenario->name()}, {"variant", one.selected.variant->name}};
  json.update(result_json(one.result));
  json["as_expected"] = one.judgement.problem.empty();
  json["problem"] = one.judgement.problem;
  return json;
}

void run(const ExploreOptions& options, ExitCode& code) {
  options.outputs.check();
  const std::vector<Selected> selected = select(options.patterns);
  code = ExitCode::as_expected;
  std::vector<Explored> explored;
  std::optional<Table> table;
  if (!options.json) table.emplace(selected);
  const Interruption interruption;
  for (const Selected& one : selected) {
    explored.push_back(explore_variant(one, options));
    if (code == ExitCode::as_expected) code = explored.back().judgement.code;
    if (table) table->print(explored.back());
    if (Interruption::flag()) break;
  }
  const std::string kept = options.outputs.write(explored);
  if (options.json) {
    nlohmann::ordered_json results = nlohmann::ordered_json::array();
    for (const Explored& one : explored) results.push_back(explored_json(one));
    print_json({{"as_expected", code == ExitCode::as_expected}, {"results", std::move(results)}});
    return;
  }
  for (const Explored& one : explored) fmt::print("{}", details_of(one, explored, options.quiet));
  fmt::print("{}", kept);
  if (explored.size() != selected.size())
    fmt::print("interrupted: {} of {} variants were not explored\n", selected.size() - explored.size(),
               selected.size());
}

}  // namespace

void add_explore(CLI::App& app, ExitCode& code) {
  const auto options = std::make_shared<ExploreOptions>();
  CLI::App* const command = app.add_subcommand("explore", "explore every execution of scenarios");
  command->add_option("pattern", options->patterns, "scenario or scenario/variant, with * and ?; all if there is none");
  options->limits.add_to(*command);
  command->add_flag("--json", options->json, "one JSON object on standard output");
  command->add_flag("--quiet", options->quiet, "only the table, no traces");
  options->outputs.add_to(*command, "Kept ones are tried first when the variant is explored again");
  command->callback([options, &code] { run(*options, code); });
}

}  // namespace weft::cli
