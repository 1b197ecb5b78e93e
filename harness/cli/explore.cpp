// weft explore: explores scenario variants and says whether each ended as it must.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/explored.hpp"
#include "cli/explored_table.hpp"
#include "cli/extent.hpp"
#include "cli/finding_outputs.hpp"
#include "cli/interruption.hpp"
#include "cli/jobs.hpp"
#include "cli/judgement.hpp"
#include "cli/limits.hpp"
#include "cli/option_values.hpp"
#include "cli/progress_line.hpp"
#include "cli/result_json.hpp"
#include "cli/selection.hpp"
#include "cli/shard.hpp"
#include "cli/standard_streams.hpp"
#include "cli/terminal.hpp"
#include "report/trace_text.hpp"

namespace weft::cli {
namespace {

struct ExploreOptions {
  std::vector<std::string> patterns;
  Limits limits;
  bool json = false;
  bool quiet = false;
  FindingOutputs outputs;
  std::string shard_text;
  Shard shard{};
  std::string learned;
  std::uint32_t jobs = 1;
};

Explored explore_variant(const Selected& selected, const ExploreOptions& cli) {
  Options options = cli.limits.options(selected, cli.json);
  if (cli.outputs.keep != FindingOutputs::Keep::none)
    options.known_schedules = FindingsFolder(cli.outputs.findings_folder).schedules(selected);
  ProgressLine line(options.name);
  options.progress = [&line](const Progress& progress) { line.show(progress); };
  options.estimate_total = true;
  options.shard = cli.shard.number;
  options.shards = cli.shard.of;
  options.learned = cli.learned;
  Explored one{.selected = selected, .known_schedules = options.known_schedules.size()};
  try {
    const Silence silence;
    one.result = cli.jobs > 1 ? explore_in_parts(selected.variant->body, options, cli.jobs)
                              : explore(selected.variant->body, options);
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("--learned {}: {}", cli.learned, error.what()));
  }
  one.judgement = one.result.part ? judge_part(*selected.variant, one.result) : judge(*selected.variant, one.result);
  return one;
}

/// More of NEAR, or all of it: the fixed variants of the scenario that were explored, too; empty if none was.
std::string fixed_text(const Explored& one, const FindingReport& finding, const std::vector<Explored>& explored) {
  std::string text;
  for (const Explored& other : explored) {
    const bool is_proof = other.selected.scenario == one.selected.scenario && other.result.verdict == Verdict::proved;
    if (is_proof)
      text += fmt::format("{}{} ({} executions)", text.empty() ? "the fixed variants are proved: " : ", ",
                          other.selected.variant->name, other.result.executions);
  }
  const bool begins = finding.trace.find("\nNEAR ") == std::string::npos;
  std::string lines;
  for (const std::string& line : wrapped(text, text_width() - 6))
    lines += fmt::format("{:<6}{}\n", lines.empty() && begins ? "NEAR" : "", line);
  return lines;
}

/// What stands below the table about a variant.
std::string details_of(const Explored& one, const std::vector<Explored>& explored, bool quiet) {
  const Result& result = one.result;
  std::string details;
  if (result.duplicates) details += fmt::format("{}: {} duplicates\n", one.selected.name(), *result.duplicates);
  if (!one.judgement.problem.empty()) details += fmt::format("{}: {}\n", one.selected.name(), one.judgement.problem);
  if (result.verdict == Verdict::truncated)
    details += fmt::format("{}: {}\n", one.selected.name(), extent_text(result.at_least_done, result.total));
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
    details += "\n" + for_terminal(finding.trace.substr(0, replay) + fixed_text(one, finding, explored) +
                                   finding.trace.substr(replay) + debug_text(one, finding));
  }
  return details;
}

void run(ExploreOptions options, ExitCode& code) {
  options.outputs.check();
  options.shard = shard(options.shard_text);
  if (options.shard.of != 1 && options.jobs != 1)
    throw UsageError(
        "--jobs divides a whole exploration, and --shard (or GTEST_TOTAL_SHARDS) asks for a part of one: use "
        "one of them");
  if (options.shard.of == 1 && !options.learned.empty())
    throw UsageError("--learned is what another shard has learned: it goes with --shard");
  acknowledge_sharding();
  const std::vector<Selected> selected = select(options.patterns);
  code = ExitCode::as_expected;
  std::vector<Explored> explored;
  std::optional<ExploredTable> table;
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
    print_explored_json(explored, code);
    return;
  }
  if (options.shard.of != 1)
    fmt::print("shard {} of {} of each: `weft merge' judges the whole, from what all shards print with --json\n",
               options.shard.number, options.shard.of);
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
  command->add_option("--jobs", options->jobs, "explore each variant in so many processes, 1 to 64")
      ->transform(whole_number<std::uint32_t>(1, 64))
      ->capture_default_str();
  command->add_option("--shard", options->shard_text,
                      "i/n: explore the i-th of n parts of each variant, for machines that share the work; weft merge "
                      "puts what they found together. GTEST_TOTAL_SHARDS and GTEST_SHARD_INDEX do the same");
  command->add_option("--learned", options->learned, "begin with what another shard has learned; weft merge says when");
  command->callback([options, &code] { run(*options, code); });
}

}  // namespace weft::cli
