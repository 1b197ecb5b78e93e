// The program `weft-stress`, the other half of `weft stress`: runs scenarios on real threads, under the
// ThreadSanitizer.
//
//   weft-stress --can-start   says `ready`: a runtime that cannot start ends the program before main
//   weft-stress REQUEST       as stress_request.hpp has it
#include <fmt/format.h>
#include <sys/prctl.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <thread>

#include "cli/judgement.hpp"
#include "cli/result_json.hpp"
#include "cli/selection.hpp"
#include "cli/standard_streams.hpp"
#include "cli/stress_request.hpp"
#include "stress/process_state.hpp"
#include "stress/sanitizer_report.hpp"
#include "stress/stress_run.hpp"

extern "C" const char* __tsan_default_options() { return weft::stress::kSanitizerOptions; }

namespace weft::cli {
namespace {

constexpr const char* kHeading = "{:<40} {:<10} {:<9} {:>10} {:>8} {:>8}\n";

nlohmann::ordered_json to_json(const Selected& selected, std::uint64_t seed, const stress::StressResult& result,
                               const StressJudgement& judgement) {
  nlohmann::ordered_json findings = nlohmann::ordered_json::array();
  for (const FindingReport& finding : result.findings) findings.push_back(finding_json(finding));
  return {{"scenario", selected.scenario->name()},
          {"variant", selected.variant->name},
          {"verdict", judgement.code == ExitCode::skipped ? "skipped" : to_string(result.verdict)},
          {"reason", result.reason},
          {"seed", seed},
          {"iterations", result.iterations},
          {"dropped", result.dropped},
          {"seconds", result.seconds},
          {"findings", std::move(findings)},
          {"as_expected", judgement.problem.empty()},
          {"problem", judgement.problem},
          {"remark", judgement.remark}};
}

ExitCode run(const StressRequest& request) {
  const std::vector<Selected> selected = select(request.patterns);
  ExitCode code = ExitCode::skipped;
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  std::string details;
  SourcePlaces places;
  if (!request.json)
    fmt::print(kHeading, "scenario/variant", "verdict", "expected?", "iterations", "dropped", "seconds");
  for (const Selected& one : selected) {
    stress::StressResult result;
    StressJudgement judgement;
    if (one.variant->stress.kind == stress::Policy::Kind::skip) {
      judgement = {ExitCode::skipped, {}, "skipped: " + one.variant->stress.why};
    } else {
      stress::StressOptions options = request.options;
      options.name = one.name();
      result = stress::stress(one.variant->body, options, places);
      judgement = judge_stress(*one.variant, result.verdict, result.reason, result.findings);
    }
    if (code == ExitCode::skipped || (code == ExitCode::as_expected && judgement.code != ExitCode::skipped))
      code = judgement.code;
    if (request.json) {
      results.push_back(to_json(one, request.options.seed, result, judgement));
      continue;
    }
    const bool skipped = judgement.code == ExitCode::skipped;
    fmt::print(kHeading, one.name(), skipped ? "skipped" : to_string(result.verdict),
               skipped                     ? "-"
               : judgement.problem.empty() ? "yes"
                                           : "NO",
               result.iterations, result.dropped, fmt::format("{:.2f}", result.seconds));
    std::fflush(stdout);
    if (!judgement.problem.empty()) details += fmt::format("{}: {}\n", one.name(), judgement.problem);
    if (!judgement.remark.empty()) details += fmt::format("{}: {}\n", one.name(), judgement.remark);
    if (result.verdict == Verdict::sampled && !result.reason.empty())
      details += fmt::format("{}: {}\n", one.name(), result.reason);
    if (request.quiet) continue;
    for (const FindingReport& finding : result.findings) details += "\n" + finding.trace;
  }
  if (request.json) {
    print_json({{"as_expected", code == ExitCode::as_expected}, {"results", std::move(results)}});
  } else {
    fmt::print("{}", details);
  }
  return code;
}

}  // namespace
}  // namespace weft::cli

int main(int argc, char** argv) {
  using weft::cli::ExitCode;
  weft::cli::prepare_standard_streams();
  prctl(PR_SET_NAME, weft::stress::kRuntimeThreadName);
  if (argc == 2 && std::strcmp(argv[1], "--can-start") == 0) {
    std::puts(weft::cli::kStressCanStart);
    return 0;
  }
  ExitCode code = ExitCode::internal;
  try {
    // With its first thread the runtime starts one of its own. Here, it has the name by which supervisors know it; in
    // an iteration, it would have the name of one of the scenario's.
    std::thread([] {}).join();
    if (argc != 2) throw weft::cli::UsageError("this is a part of `weft stress'; see weft stress --help");
    code = weft::cli::run(weft::cli::stress_request(argv[1]));
  } catch (const weft::cli::UsageError& error) {
    std::fprintf(stderr, "weft: %s\n", error.what());
    code = ExitCode::usage;
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "weft: internal fault: %s\n", fault.what());
  }
  std::fflush(stdout);
  // Without the ThreadSanitizer's ending, which has nothing to say of this process.
  _Exit(static_cast<int>(code));
}
