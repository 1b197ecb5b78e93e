// weft replay: runs one schedule of a variant again and prints it; for a debugger, it stops before one of its steps.
#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "api/debugger_stop.hpp"
#include "api/directed_runs.hpp"
#include "api/fuzz_token.hpp"
#include "cli/commands.hpp"
#include "cli/debugger_line.hpp"
#include "cli/input_file.hpp"
#include "cli/judgement.hpp"
#include "cli/limits.hpp"
#include "cli/result_json.hpp"
#include "cli/selection.hpp"
#include "cli/shell_words.hpp"
#include "cli/standard_streams.hpp"
#include "cli/terminal.hpp"

namespace weft::cli {
namespace {

struct ReplayOptions {
  std::string name;
  std::string schedule;
  std::string fuzz_input;
  bool no_minimise = false;
  std::string break_at;
  Limits limits;
  bool json = false;
};

constexpr std::string_view kBreakAt = "--break-at";
constexpr std::string_view kLast = "last";

std::string debugger_line_of(const ReplayOptions& options, const std::string& token, const std::string& step) {
  return debugger_line(own_program(),
                       fmt::format("replay {}{} {}", shell_quoted(options.name), options.limits.needed_for_replay(),
                                   shell_quoted(token)),
                       step);
}

/// 0: the last one.
std::uint32_t step_to_break_at(const std::string& text) {
  if (text == kLast) return 0;
  std::uint32_t step = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), step);
  if (error != std::errc{} || end != text.data() + text.size() || step == 0)
    throw UsageError(fmt::format("{} takes the number of a step, or `{}', not `{}'", kBreakAt, kLast, text));
  return step;
}

/// The token itself, or the content of the file of that name, without the white space around it.
std::string token_text(const std::string& schedule) {
  if (::access(schedule.c_str(), F_OK) != 0) return schedule;
  std::string text = read_file(schedule, FileKind::any);
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  text.erase(0, text.find_first_not_of(" \t\r\n"));
  return text;
}

/// A file that a fuzz target has written.
std::string token_of_input(const std::string& path, const Options& options) {
  const std::string bytes = read_file(path, FileKind::any);
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

Replay run_again(const ReplayOptions& options, const Selected& one, const std::string& schedule,
                 const Options& engine) {
  const std::function<void()>& body = one.variant->body;
  if (options.break_at.empty()) {
    const Silence silence;
    if (options.fuzz_input.empty() || options.no_minimise) return weft::replay(body, schedule, engine);
    return replay_input(body, parse_fuzz_token(schedule).input, engine, true);
  }
  const std::uint32_t step = step_to_break_at(options.break_at);
  if (!is_traced_by_debugger())
    throw UsageError(fmt::format("{} stops for a debugger, and this process has none; run it under one:\n  {}",
                                 kBreakAt, debugger_line_of(options, schedule, options.break_at)));
  std::optional<Silence> silence(std::in_place);
  const auto announce = [&](const std::string& place) {
    silence.reset();
    fmt::print(stderr, "weft: stops before {}\n", place);
    std::fflush(stderr);
    silence.emplace();
  };
  try {
    return replay_with_stop(body, schedule, engine, step, announce);
  } catch (const std::out_of_range& no_step) {
    throw UsageError(no_step.what());
  }
}

void run(const ReplayOptions& options, ExitCode& code) {
  const std::vector<Selected> selected = select({options.name});
  if (selected.size() != 1)
    throw UsageError(fmt::format("`{}' is {} variants; a schedule belongs to one, write scenario/variant", options.name,
                                 selected.size()));
  const Selected& one = selected.front();
  const Options engine = options.limits.options(one, options.json);
  const std::string schedule =
      options.fuzz_input.empty() ? token_text(options.schedule) : token_of_input(options.fuzz_input, engine);
  const Replay replay = run_again(options, one, schedule, engine);
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
  for (const FindingReport& finding : replay.findings)
    fmt::print("{}{}", &finding == &replay.findings.front() ? "" : "\n", for_terminal(finding.trace));
  if (options.break_at.empty() && replay.status == Replay::Status::done) {
    const std::string& token = replay.findings.empty() ? schedule : replay.findings.front().schedule;
    fmt::print("{}", for_terminal(fmt::format("DEBUG  {}\n", debugger_line_of(options, token, std::string(kLast)))));
  }
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
  command->add_flag("--no-minimise", options->no_minimise,
                    "show the schedule of --fuzz-input as it is, not made smaller");
  command
      ->add_option(std::string(kBreakAt), options->break_at,
                   "for a debugger: raise SIGTRAP just before this step of the trace, in the scenario's thread; "
                   "`last' is the last one that has a number")
      ->check([](const std::string& step) { return step.empty() ? "an empty step" : std::string(); });
  options->limits.add_to(*command);
  command->add_flag("--json", options->json, "one JSON object on standard output");
  command->callback([options, &code] { run(*options, code); });
}

}  // namespace weft::cli
