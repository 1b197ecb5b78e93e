// The other half of `weft check`: the main function of the executable that it builds from the user's program, whose own
// main has been renamed.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "cli/check_request.hpp"
#include "cli/exit_code.hpp"
#include "cli/extent.hpp"
#include "cli/interruption.hpp"
#include "cli/progress_line.hpp"
#include "cli/result_json.hpp"
#include "cli/standard_streams.hpp"
#include "cli/terminal.hpp"
#include "weft/weft.hpp"

/// The program's main(); `weft check` has renamed it in the object file.
extern "C" int weft_checked_program_main(int argc, char** argv, char** environment);

namespace weft::cli {
namespace {

int check(CheckRequest request, std::vector<std::string> arguments) {
  // A program may write into its arguments: each execution gets them afresh. They are no memory of the execution, in
  // which they would be leaked by a program that exits without returning.
  std::vector<std::string> copies = arguments;
  std::vector<char*> pointers(arguments.size() + 1, nullptr);
  const auto body = [&arguments, &copies, &pointers] {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      std::memcpy(copies[i].data(), arguments[i].c_str(), arguments[i].size() + 1);
      pointers[i] = copies[i].data();
    }
    pointers[arguments.size()] = nullptr;
    const int status = weft_checked_program_main(static_cast<int>(arguments.size()), pointers.data(), environ);
    if (status != 0) weft::check(false, "main returns 0");
  };
  const Interruption interruption;
  if (!request.json) request.options.report_width = text_width();
  request.options.interrupted = &Interruption::flag();
  ProgressLine line(request.options.name);
  request.options.estimate_total = true;
  request.options.progress = [&line](const Progress& progress) { line.show(progress); };
  std::optional<Silence> silence;
  if (!request.show_output) silence.emplace();
  if (!request.schedule.empty()) {
    const Replay replay = weft::replay(body, request.schedule, request.options);
    silence.reset();
    if (request.json) {
      nlohmann::ordered_json findings = nlohmann::ordered_json::array();
      for (const FindingReport& finding : replay.findings) findings.push_back(finding_json(finding));
      print_json({{"program", request.options.name},
                  {"problem", replay.problem},
                  {"findings", std::move(findings)},
                  {"trace", replay.trace}});
    } else {
      if (replay.findings.empty()) fmt::print("{}", replay.trace);
      for (const FindingReport& finding : replay.findings) fmt::print("{}\n", for_terminal(finding.trace));
      std::fflush(stdout);
      if (!replay.problem.empty()) fmt::print(stderr, "weft: {}\n", replay.problem);
    }
    if (replay.status != Replay::Status::done) return static_cast<int>(ExitCode::token);
    for (const FindingReport& finding : replay.findings) {
      if (!finding.is_warning) return static_cast<int>(ExitCode::bug);
    }
    return static_cast<int>(ExitCode::as_expected);
  }
  const Result result = explore(body, request.options);
  silence.reset();
  if (request.json) {
    nlohmann::ordered_json json = {{"program", request.options.name}};
    json.update(result_json(result));
    print_json(json);
  } else {
    fmt::print("{}: {} ({}), {} executions, {} blocked, {:.2f} s\n", request.options.name,
               for_terminal(result.verdict, 0), to_string(result.model), result.executions, result.blocked,
               result.seconds);
    if (!result.reason.empty()) fmt::print("  {}\n", result.reason);
    if (result.verdict == Verdict::truncated) fmt::print("  {}\n", extent_text(result.at_least_done, result.total));
    if (result.duplicates) fmt::print("  {} duplicates\n", *result.duplicates);
    for (const FindingReport& finding : result.findings) fmt::print("\n{}", for_terminal(finding.trace));
  }
  return static_cast<int>(exit_code(result.verdict));
}

}  // namespace
}  // namespace weft::cli

int main(int argc, char** argv) {
  weft::cli::prepare_standard_streams();
  if (argc < 2) return static_cast<int>(weft::cli::ExitCode::internal);
  std::vector<std::string> arguments(argv + 2, argv + argc);
  try {
    return weft::cli::finish_output(weft::cli::check(weft::cli::check_request(argv[1]), std::move(arguments)));
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "weft: internal fault: %s\n", fault.what());
    return static_cast<int>(weft::cli::ExitCode::internal);
  }
}
