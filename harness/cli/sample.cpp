// weft sample: runs scenario variants along schedules that are drawn at random, and says whether each ended as it must.
//
// What is printed depends on the seed alone, so there are no times in it; only the JSON object has them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/explored.hpp"
#include "cli/explored_table.hpp"
#include "cli/finding_outputs.hpp"
#include "cli/interruption.hpp"
#include "cli/judgement.hpp"
#include "cli/limits.hpp"
#include "cli/option_values.hpp"
#include "cli/progress_line.hpp"
#include "cli/selection.hpp"
#include "cli/standard_streams.hpp"
#include "cli/terminal.hpp"

namespace weft::cli {
namespace {

struct SampleCommand {
  std::vector<std::string> patterns;
  SampleOptions how;
  Limits limits;
  bool no_minimise = false;
  bool json = false;
  bool quiet = false;
  FindingOutputs outputs;
};

Explored sample_variant(const Selected& selected, const SampleCommand& cli) {
  Options options = cli.limits.options(selected, cli.json);
  ProgressLine line(options.name, "of the schedules");
  options.progress = [&line](const Progress& progress) { line.show(progress); };
  SampleOptions how = cli.how;
  how.minimise = !cli.no_minimise;
  Explored one{.selected = selected};
  {
    const Silence silence;
    one.result = sample(selected.variant->body, how, options);
  }
  one.judgement = judge(*selected.variant, one.result);
  return one;
}

/// What the seed and the like were.
nlohmann::ordered_json how_json(const SampleOptions& how) {
  nlohmann::ordered_json json = {{"strategy", to_string(how.strategy)}, {"runs", how.runs}, {"seed", how.seed}};
  if (how.strategy == Strategy::pct) json["depth"] = how.depth;
  return json;
}

void run(const SampleCommand& command, ExitCode& code) {
  command.outputs.check();
  const std::vector<Selected> selected = select(command.patterns);
  code = ExitCode::as_expected;
  std::optional<ExploredTable> table;
  if (!command.json) table.emplace(selected, ExploredTable::Times::hidden);
  std::vector<Explored> sampled;
  const Interruption interruption;
  for (const Selected& one : selected) {
    sampled.push_back(sample_variant(one, command));
    const Explored& last = sampled.back();
    if (code == ExitCode::as_expected) code = last.judgement.code;
    if (table) table->print(last);
    if (Interruption::flag()) break;
  }
  const std::string kept = command.outputs.write(sampled);
  if (command.json) {
    print_explored_json(sampled, code, how_json(command.how));
    return;
  }
  for (const Explored& one : sampled) {
    if (!one.judgement.problem.empty()) fmt::print("{}: {}\n", one.selected.name(), one.judgement.problem);
    if (command.quiet) continue;
    for (const FindingReport& finding : one.result.findings)
      fmt::print("\n{}", for_terminal(finding.trace + debug_text(one, finding)));
  }
  fmt::print("{}", kept);
  if (sampled.size() != selected.size())
    fmt::print("interrupted: {} of {} variants were not sampled\n", selected.size() - sampled.size(), selected.size());
}

}  // namespace

void add_sample(CLI::App& app, ExitCode& code) {
  const auto options = std::make_shared<SampleCommand>();
  CLI::App* const command = app.add_subcommand(
      "sample",
      "run scenarios along schedules that are drawn at random\n\n"
      "For what is too large to be explored. Each run is an execution that the memory model allows. The same\n"
      "seed draws the same schedules. One that fails is made smaller before it is shown. Surviving proves\n"
      "nothing: the verdict is `sampled', with an exit code of its own. A broken variant must show each of its\n"
      "expected findings, and no other.");
  command->add_option("pattern", options->patterns, "scenario or scenario/variant, with * and ?; all if there is none");
  command
      ->add_option(
          "--strategy", options->how.strategy,
          "how schedules are drawn; random if not given.\n"
          "random: at each step any thread that can go on, equally likely.\n"
          "pct: threads have random priorities, the highest goes on, and at DEPTH-1 random steps one falls below "
          "all others.\n"
          "Of n threads and k steps, each run meets a bug of that depth with a probability of at least\n"
          "1/(n * k^(DEPTH-1)) (Burckhardt et al., ASPLOS 2010).\n"
          "pos: each next operation has a random priority; those that race with what was done draw again\n"
          "(Yuan, Yang, Gu, CAV 2018).\n"
          "Of weak memory (rc11: reads of old values), random and pos take nothing in half of the runs and any "
          "way in\n"
          "the others; pct takes 0 to DEPTH such ways. weft::choose is equally likely throughout")
      ->transform(one_of<Strategy>({{"random", Strategy::random}, {"pct", Strategy::pct}, {"pos", Strategy::pos}}));
  command->add_option("--runs", options->how.runs, "schedules to try of each variant")
      ->transform(whole_number())
      ->capture_default_str();
  command->add_option("--seed", options->how.seed, "decides which schedules are drawn")
      ->transform(whole_number(0))
      ->capture_default_str();
  command->add_option("--depth", options->how.depth, "of pct: how many ordering constraints the bug may take")
      ->transform(whole_number<std::uint32_t>(1, 1000))
      ->capture_default_str();
  command->add_flag("--no-minimise", options->no_minimise, "show schedules as they were drawn, not made smaller");
  options->limits.add_to_sampling(*command);
  command->add_flag("--json", options->json, "one JSON object on standard output");
  command->add_flag("--quiet", options->quiet, "only the table, no traces");
  options->outputs.add_to(*command, "`weft explore' tries kept ones first; this command tries none");
  command->callback([options, &code] { run(*options, code); });
}

}  // namespace weft::cli
