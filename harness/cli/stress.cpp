// weft stress: runs scenario variants on real threads. The work is done by a program beside this one, PROGRAM-stress,
// which has the same scenarios and the ThreadSanitizer's runtime.
#include <fmt/format.h>
#include <sys/personality.h>
#include <sys/utsname.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "cli/option_values.hpp"
#include "cli/process.hpp"
#include "cli/result_json.hpp"
#include "cli/selection.hpp"
#include "cli/stress_request.hpp"

namespace weft::cli {
namespace {

std::string program_beside() {
  std::string program = std::filesystem::read_symlink("/proc/self/exe").string() + "-stress";
  if (!std::filesystem::exists(program)) throw UsageError(fmt::format("`{}' is missing: build everything", program));
  return program;
}

/// True if the ThreadSanitizer's runtime starts; else `why` is what it said.
bool can_start(const std::string& program, std::string& why) {
  const std::string answer = all_output_of({program, "--can-start"});
  if (answer == std::string(kStressCanStart) + "\n") return true;
  const std::size_t begin = answer.find("ThreadSanitizer");
  if (begin == std::string::npos) throw std::runtime_error(fmt::format("`{}' does not start: {}", program, answer));
  why = answer.substr(begin, answer.find('\n', begin) - begin);
  return false;
}

/// Older runtimes want their part of the address space free. Programs that this one starts from now on get addresses
/// without randomness.
bool stop_address_randomisation() {
  const int now = personality(0xffff'ffff);
  return now >= 0 && personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) >= 0;
}

void print_skipped(const StressRequest& request, const std::string& why) {
  const std::string reason = fmt::format("the ThreadSanitizer cannot run here: {}", why);
  if (!request.json) {
    fmt::print("weft: skipped: {}\n", reason);
    return;
  }
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  for (const Selected& one : select(request.patterns)) {
    results.push_back({{"scenario", one.scenario->name()},
                       {"variant", one.variant->name},
                       {"verdict", "skipped"},
                       {"reason", reason}});
  }
  print_json({{"as_expected", false}, {"results", std::move(results)}});
}

void run(const StressRequest& request, ExitCode& code) {
  select(request.patterns);  // a name that does not exist is refused before anything else
  const std::string program = program_beside();
  unsetenv("TSAN_OPTIONS");  // its reports are read: they must have the form that is expected
  std::string why;
  if (!can_start(program, why) && (!stop_address_randomisation() || !can_start(program, why))) {
    print_skipped(request, why);
    code = ExitCode::skipped;
    return;
  }
  const int status = run_program({program, to_text(request)});
  if (status >= 127) fmt::print(stderr, "weft: internal fault: `{}' ended with status {}\n", program, status);
  code = status >= 127 ? ExitCode::internal : static_cast<ExitCode>(status);
}

}  // namespace

void add_stress(CLI::App& app, ExitCode& code) {
  const auto request = std::make_shared<StressRequest>();
  CLI::App* const command =
      app.add_subcommand("stress",
                         "run scenarios on real threads, over and over, under the ThreadSanitizer\n\n"
                         "Each iteration runs the variant's body in a process of its own, with random delays before "
                         "what it does through Weft. A variant\n"
                         "ends at its first iteration that fails: with a data race, a failed weft::check or assert, a "
                         "crash, an uncaught exception, or a\n"
                         "hang. Surviving proves nothing: the verdict is `sampled'. A broken variant must show one of "
                         "its expected findings, and no other.");
  command->add_option("pattern", request->patterns, "scenario or scenario/variant, with * and ?; all if there is none");
  command->add_option("--seconds", request->options.seconds, "how long to try each variant")
      ->transform(seconds(true))
      ->capture_default_str();
  command->add_option("--iterations", request->options.iterations, "at most so many iterations of each variant")
      ->transform(whole_number());
  command
      ->add_option("--seed", request->options.seed,
                   "decides choices and delays of the first iteration; the next one has the next seed")
      ->transform(whole_number(0))
      ->capture_default_str();
  command
      ->add_option("--hang-after", request->options.most_seconds_each,
                   "seconds after which an iteration hangs, if it still moves; one in which every thread waits is "
                   "found in a second")
      ->transform(seconds())
      ->capture_default_str();
  command->add_flag("--json", request->json, "one JSON object on standard output");
  command->add_flag("--quiet", request->quiet, "only the table, no findings");
  command->callback([request, &code] { run(*request, code); });
}

}  // namespace weft::cli
