// weft replay: runs one schedule of a variant again and prints it.
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "api/fuzz_token.hpp"
#include "cli/commands.hpp"
#include "cli/judgement.hpp"
#include "cli/limits.hpp"
#include "cli/result_json.hpp"
#include "cli/selection.hpp"
#include "cli/standard_streams.hpp"

namespace weft::cli {
namespace {

struct ReplayOptions {
  std::string name;
  std::string schedule;
  std::string fuzz_input;
  Limits limits;
  bool json = false;
};

/// The token itself, or the content of the file of that name.
std::string token_text(const std::string& schedule) {
  std::ifstream file(schedule);
  if (!file) return schedule;
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A file that a fuzz target has written.
std::string token_of_input(const std::string& path, const Options& options) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UsageError(fmt::format("cannot read `{}'", path));
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  return fuzz_token({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, options);
}

const char* status_text(Replay::Status status) {
  switch (status) {
    case Replay::Status::done:
      return "done";
    case Replay::Status::malformed:
      return "malformed";
    case Replay::Status::foreign:
      return "foreign";
    case Replay::Status::diverged:
      return "diverged";
  }
  return "unknown";
}

bool is_expected(const Variant& variant, const FindingReport& finding) {
  if (finding.is_warning) return true;
  for (const Expectation& expected : variant.expected) {
    if (finding.kind == expected.kind && finding.message.find(expected.text) != std::string::npos) return true;
  }
  return false;
}

void print_json_report(const Selected& selected, Model model, const Replay& replay) {
  nlohmann::ordered_json findings = nlohmann::ordered_json::array();
  for (const FindingReport& finding : replay.findings) findings.push_back(finding_json(finding));
  print_json({{"scenario", selected.scenario->name()},
              {"variant", selected.variant->name},
              {"model", to_string(model)},
              {"status", status_text(replay.status)},
              {"problem", replay.problem},
              {"findings", std::move(findings)},
              {"trace", replay.trace}});
}

void run(const ReplayOptions& options, ExitCode& code) {
  const std::vector<Selected> selected = select({options.name});
  if (selected.size() != 1)
    throw UsageError(fmt::format("`{}' is {} variants; a schedule belongs to one, write scenario/variant", options.name,
                                 selected.size()));
  const Selected& one = selected.front();
  Options engine = options.limits.options(one.scenario->model());
  engine.name = one.name();
  engine.replay_command = fmt::format("weft replay {}{}", engine.name, options.limits.needed_for_replay());
  const std::string schedule =
      options.fuzz_input.empty() ? token_text(options.schedule) : token_of_input(options.fuzz_input, engine);
  Replay replay;
  {
    const Silence silence;
    replay = weft::replay(one.variant->body, schedule, engine);
  }
  code = ExitCode::as_expected;
  for (const FindingReport& finding : replay.findings) {
    if (!is_expected(*one.variant, finding)) code = ExitCode::bug;
  }
  if (replay.status != Replay::Status::done) code = ExitCode::token;
  if (options.json) {
    print_json_report(one, engine.model, replay);
    return;
  }
  if (replay.findings.empty()) fmt::print("{}", replay.trace);
  for (const FindingReport& finding : replay.findings) fmt::print("{}\n", finding.trace);
  std::fflush(stdout);
  if (!replay.problem.empty()) fmt::print(stderr, "weft: {}\n", replay.problem);
}

}  // namespace

void add_replay(CLI::App& app, ExitCode& code) {
  const auto options = std::make_shared<ReplayOptions>();
  CLI::App* const command = app.add_subcommand("replay", "run one schedule again and print it");
  command->add_option("name", options->name, "scenario/variant")->required();
  CLI::Option_group* const what = command->add_option_group("schedule");
  what->add_option("schedule", options->schedule, "a schedule token, or a file that holds one");
  what->add_option("--fuzz-input", options->fuzz_input,
                   "an input of the variant's fuzz target, such as its crash-* file");
  what->require_option(1);
  options->limits.add_to(*command);
  command->add_flag("--json", options->json, "one JSON object on standard output");
  command->callback([options, &code] { run(*options, code); });
}

}  // namespace weft::cli
