// weft merge: judges explorations that were made in parts.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/explored_table.hpp"
#include "cli/judgement.hpp"
#include "cli/part_result.hpp"
#include "cli/result_json.hpp"
#include "cli/selection.hpp"

namespace weft::cli {
namespace {

struct MergeOptions {
  std::vector<std::string> files;
  bool json = false;
  bool quiet = false;
};

struct Divided {
  Selected selected;
  std::vector<Result> parts;
};

/// By its name, in which * and ? are only themselves.
Selected variant_called(const std::string& name) {
  for (const Selected& one : select({})) {
    if (one.name() == name) return one;
  }
  throw UsageError(fmt::format("this program has no variant `{}'; `weft list' shows all", name));
}

std::vector<Divided> read_parts(const std::vector<std::string>& files) {
  std::vector<Divided> all;
  for (const std::string& file : files) {
    for (PartResult& part : read_part_results(file)) {
      const std::string name = part.scenario + "/" + part.variant;
      auto known =
          std::find_if(all.begin(), all.end(), [&](const Divided& one) { return one.selected.name() == name; });
      if (known == all.end()) known = all.insert(all.end(), {variant_called(name), {}});
      known->parts.push_back(std::move(part.result));
    }
  }
  if (all.empty()) throw UsageError("there is no result in these files");
  return all;
}

Explored merged(const Divided& one) {
  Explored explored{.selected = one.selected};
  try {
    explored.result = merge(one.parts);
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("{}: {}", one.selected.name(), error.what()));
  }
  explored.judgement = judge(*one.selected.variant, explored.result);
  return explored;
}

void run(const MergeOptions& options, ExitCode& code) {
  std::vector<Explored> explored;
  std::vector<Selected> selected;
  for (const Divided& one : read_parts(options.files)) {
    explored.push_back(merged(one));
    selected.push_back(one.selected);
  }
  code = ExitCode::as_expected;
  for (const Explored& one : explored) {
    if (code == ExitCode::as_expected) code = one.judgement.code;
  }
  if (options.json) {
    print_explored_json(explored, code);
    return;
  }
  const ExploredTable table(selected);
  for (const Explored& one : explored) table.print(one);
  for (const Explored& one : explored) {
    if (!one.judgement.problem.empty()) fmt::print("{}: {}\n", one.selected.name(), one.judgement.problem);
    if (options.quiet) continue;
    for (const FindingReport& finding : one.result.findings) fmt::print("\n{}", finding.trace);
  }
}

}  // namespace

void add_merge(CLI::App& app, ExitCode& code) {
  const auto options = std::make_shared<MergeOptions>();
  CLI::App* const command =
      app.add_subcommand("merge", "judge explorations that were made in parts, with weft explore --shard i/n --json");
  command->add_option("file", options->files, "what each part printed; all parts, in any order")->required();
  command->add_flag("--json", options->json, "one JSON object on standard output; findings without their steps");
  command->add_flag("--quiet", options->quiet, "only the table, no traces");
  command->callback([options, &code] { run(*options, code); });
}

}  // namespace weft::cli
