// weft explore: explores scenario variants and says whether each ended as it must.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/explored.hpp"
#include "cli/findings_folder.hpp"
#include "cli/interruption.hpp"
#include "cli/judgement.hpp"
#include "cli/junit.hpp"
#include "cli/limits.hpp"
#include "cli/output_file.hpp"
#include "cli/progress_line.hpp"
#include "cli/result_json.hpp"
#include "cli/sarif.hpp"
#include "cli/selection.hpp"
#include "cli/standard_streams.hpp"

namespace weft::cli {
namespace {

enum class Keep { unexpected, all, none };

struct ExploreOptions {
  std::vector<std::string> patterns;
  Limits limits;
  bool json = false;
  bool quiet = false;
  Keep keep = Keep::unexpected;
  std::string findings_folder = kFindingsFolder;
  std::string junit_file;
  std::string sarif_file;
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
  if (cli.keep != Keep::none) options.known_schedules = FindingsFolder(cli.findings_folder).schedules(selected);
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
  }
  return details;
}

bool is_worth_keeping(const Explored& one, Keep keep) {
  if (one.result.findings.empty()) return false;
  return keep == Keep::all || (keep == Keep::unexpected && one.judgement.code == ExitCode::bug);
}

/// Returns what to tell about it.
std::string keep_findings(const std::vector<Explored>& explored, const ExploreOptions& options) {
  const FindingsFolder folder(options.findings_folder);
  std::string text;
  for (const Explored& one : explored) {
    if (!is_worth_keeping(one, options.keep)) continue;
    const auto fixed = std::find_if(explored.begin(), explored.end(), [&](const Explored& other) {
      return other.selected.scenario == one.selected.scenario && other.result.verdict == Verdict::proved;
    });
    text += fmt::format("\nkept in {}: trace.txt, trace.html, finding.json, replay.sh; the next run tries it first\n",
                        folder.keep(one, fixed == explored.end() ? nullptr : &*fixed));
  }
  return text;
}

nlohmann::ordered_json explored_json(const Explored& one) {
  nlohmann::ordered_json json = {{"scenario", one.selected.scenario->name()}, {"variant", one.selected.variant->name}};
  json.update(result_json(one.result));
  json["as_expected"] = one.judgement.problem.empty();
  json["problem"] = one.judgement.problem;
  return json;
}

void run(const ExploreOptions& options, ExitCode& code) {
  if (!options.junit_file.empty() && options.junit_file == options.sarif_file)
    throw UsageError(fmt::format("--junit and --sarif would both write `{}'", options.junit_file));
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
  const std::string kept = keep_findings(explored, options);
  if (!options.junit_file.empty()) write_whole_file(options.junit_file, junit_xml(explored));
  if (!options.sarif_file.empty()) write_whole_file(options.sarif_file, json_text(sarif_json(explored)));
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
  const auto is_name = [](const std::string& text) {
    return text.empty() ? std::string("an empty name") : std::string();
  };
  const auto options = std::make_shared<ExploreOptions>();
  CLI::App* const command = app.add_subcommand("explore", "explore every execution of scenarios");
  command->add_option("pattern", options->patterns, "scenario or scenario/variant, with * and ?; all if there is none");
  options->limits.add_to(*command);
  command->add_flag("--json", options->json, "one JSON object on standard output");
  command->add_flag("--quiet", options->quiet, "only the table, no traces");
  command
      ->add_option("--keep", options->keep,
                   "which findings to keep on disk: those that are unexpected, all, or none. Kept ones are tried first "
                   "when the variant is explored again")
      ->transform(
          CLI::CheckedTransformer(
              std::map<std::string, Keep>{{"unexpected", Keep::unexpected}, {"all", Keep::all}, {"none", Keep::none}})
              .description("unexpected|all|none"));
  command->add_option("--findings", options->findings_folder, "the folder to keep them in")
      ->check(is_name)
      ->capture_default_str();
  command->add_option("--junit", options->junit_file, "write the results into this file, as JUnit XML")->check(is_name);
  command->add_option("--sarif", options->sarif_file, "write the findings into this file, as SARIF 2.1.0")
      ->check(is_name);
  command->callback([options, &code] { run(*options, code); });
}

}  // namespace weft::cli
