// A fuzz target: LLVMFuzzerTestOneInput and its companions for one scenario variant. The input's bytes are the
// schedule.
//
// The program is linked once and has a name for each variant, `scenario.variant`, by which it knows which one to run;
// --variant=SCENARIO/VARIANT says it otherwise. Its other flags are in kHelp; they begin with two dashes, which
// libFuzzer ignores. A finding is printed with its trace and the command that replays it; then the process aborts, and
// the engine keeps the input.
#include "fuzz/target.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/directed_runs.hpp"
#include "api/fuzz_token.hpp"
#include "cli/selection.hpp"
#include "cli/standard_streams.hpp"
#include "fuzz/coverage.hpp"
#include "fuzz/held_signals.hpp"
#include "fuzz/mutations.hpp"

namespace weft::fuzz {
namespace {

constexpr const char* kHelp =
    "Fuzzes one scenario variant: the input's bytes say which thread goes on, which write a read takes, and what\n"
    "weft::choose chooses. Flags with one dash and files are the engine's ({}; see -help=1). Besides:\n"
    "  --variant=NAME   scenario/variant to run; without it, by the name of the program, scenario.variant\n"
    "  --known=KIND:TEXT  findings of this kind (*: of any) whose message contains TEXT do not end the fuzzing; "
    "repeatable.\n"
    "                   After a known data race the racing accesses go on as relaxed atomics, as in `weft explore'\n"
    "  --findings=FILE  append each finding to FILE, as `kind: message'\n"
    "  --link-targets=FOLDER  give this program a name in FOLDER for each variant, and remove all others\n"
    "  --engine         print which fuzzing engine is linked: libFuzzer, other or none\n"
    "  --help           this\n";

struct Known {
  std::string kind;
  std::string text;
};

struct Target {
  std::string name;
  std::function<void()> body;
  Options options;
  std::vector<Known> known;
  std::string findings_file;
  std::unique_ptr<DirectedRuns> runs;
  std::vector<std::uint8_t> last_input;
  std::vector<TakenDecision> last_decisions;  // of the last input
  bool has_last = false;
};

Target& target() {
  static Target the_one;
  return the_one;
}

[[noreturn]] void usage_error(const std::string& problem) {
  fmt::print(stderr, "weft: {}\n", problem);
  std::exit(64);
}

void choose_variant(const std::string& name) {
  std::vector<cli::Selected> selected;
  try {
    selected = cli::select({name});
  } catch (const cli::UsageError& error) {
    usage_error(error.what());
  }
  if (selected.size() != 1) usage_error(fmt::format("`{}' is {} variants; a target runs one", name, selected.size()));
  Target& t = target();
  t.name = selected.front().name();
  t.body = selected.front().variant->body;
  t.options = {};
  t.options.name = t.name;
  t.options.model = selected.front().scenario->model();
  t.options.replay_command = "weft replay " + t.name;
}

/// "lost_increment.plain" of ".../fuzz/lost_increment.plain" names lost_increment/plain.
std::string variant_of_program(const std::string& program) {
  std::string name = program.substr(program.find_last_of('/') + 1);
  if (const std::size_t dot = name.find('.'); dot != std::string::npos) name[dot] = '/';
  return name;
}

/// Hard links, which can be copied and moved like programs.
void link_targets(const std::filesystem::path& program, const std::filesystem::path& folder) {
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  for (const cli::Selected& selected : cli::select({}))
    std::filesystem::create_hard_link(program, folder / (selected.scenario->name() + "." + selected.variant->name));
}

std::optional<std::string> value_of(const std::string& argument, const std::string& flag) {
  if (!argument.starts_with(flag)) return std::nullopt;
  return argument.substr(flag.size());
}

void read_flags(const std::vector<std::string>& arguments) {
  Target& t = target();
  std::string variant = variant_of_program(arguments.front());
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--help") {
      fmt::print(kHelp, kEngine);
      std::exit(0);
    } else if (const auto folder = value_of(argument, "--link-targets=")) {
      link_targets(arguments.front(), *folder);
      std::exit(0);
    } else if (argument == "--engine") {
      fmt::print("{}\n", kEngine);
      std::exit(0);
    } else if (const auto name = value_of(argument, "--variant=")) {
      variant = *name;
    } else if (const auto file = value_of(argument, "--findings=")) {
      t.findings_file = *file;
    } else if (const auto finding = value_of(argument, "--known=")) {
      const std::size_t colon = finding->find(':');
      if (colon == std::string::npos) usage_error("--known needs KIND:TEXT, such as --known=\"data race:counter\"");
      t.known.push_back({finding->substr(0, colon), finding->substr(colon + 1)});
    } else if (argument.starts_with("--")) {
      usage_error(fmt::format("unknown flag `{}'; see --help", argument));
    }
  }
  choose_variant(variant);
}

bool is_known(const FindingReport& finding) {
  return finding.is_warning || std::ranges::any_of(target().known, [&](const Known& known) {
           return (known.kind == "*" || finding.kind == known.kind) &&
                  finding.message.find(known.text) != std::string::npos;
         });
}

void write_down(const FindingReport& finding) {
  const Target& t = target();
  if (t.findings_file.empty() || finding.is_warning) return;
  std::string message = finding.message;
  std::ranges::replace(message, '\n', ' ');
  std::ofstream(t.findings_file, std::ios::app) << finding.kind << ": " << message << '\n';
}

DirectedRuns& runs() {
  Target& t = target();
  if (!t.runs) {
    if (t.name.empty()) usage_error("the fuzzing engine has not called LLVMFuzzerInitialize; say --variant=NAME");
    t.runs = std::make_unique<DirectedRuns>(t.body, t.options);
    t.runs->minimise([](std::span<const std::uint8_t> bytes) { return fuzz_token(bytes, target().options); });
  }
  return *t.runs;
}

/// Makes the execution of an input, and keeps what was decided in it.
void run(std::span<const std::uint8_t> input) {
  Target& t = target();
  ByteDecisions decisions(input);
  decisions.record(&t.last_decisions);
  const HeldSignals held;
  runs().run(decisions);
  t.last_input.assign(input.begin(), input.end());
  t.has_last = true;
}

/// What an input decides. The engine mostly asks about the one that it has run last.
const std::vector<TakenDecision>& decisions_of(std::span<const std::uint8_t> input) {
  Target& t = target();
  if (!t.has_last || !std::ranges::equal(t.last_input, input)) {
    runs().look_for_findings(false);
    run(input);
    runs().look_for_findings(true);
  }
  return t.last_decisions;
}

/// Runs smaller inputs, so the engine's signals have to wait here, too.
std::vector<FindingReport> findings_of_runs() {
  const HeldSignals held;
  return runs().take_findings();
}

[[noreturn]] void give_up() {
  target().runs.reset();  // the engine's signal handlers are back
  std::abort();
}

std::size_t copy_out(const Bytes& bytes, std::uint8_t* to, std::size_t most) {
  if (bytes.empty() && most != 0) {
    *to = 0;  // engines take an empty input for a failure
    return 1;
  }
  std::ranges::copy(bytes, to);
  return bytes.size();
}

}  // namespace
}  // namespace weft::fuzz

extern "C" {

int LLVMFuzzerInitialize(int* argc, char*** argv) {
  using namespace weft::fuzz;
  weft::cli::prepare_standard_streams();
  read_flags({*argv, *argv + *argc});
  if (std::string_view(kEngine) != "libFuzzer") return 0;
  // In front, so that the user's own win: one change of a schedule tells more than five on top of each other, and all
  // inputs that showed something new are worth as much.
  static char depth[] = "-mutate_depth=2";
  static char evenly[] = "-entropic=0";
  // Behind, so that it wins: the watcher of this limit is a second thread, and its calls would be taken for the
  // scenario's.
  static char no_watcher[] = "-rss_limit_mb=0";
  static std::vector<char*> arguments;
  arguments.assign(*argv, *argv + *argc);
  arguments.insert(arguments.begin() + 1, {depth, evenly});
  arguments.push_back(no_watcher);
  *argc = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  *argv = arguments.data();
  return 0;
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weft::fuzz;
  const std::span input(data, size);
  runs().name_next(weft::fuzz_token(input, target().options));
  run(input);
  count_coverage(runs().explorer());
  bool is_new = false;
  for (const weft::FindingReport& finding : findings_of_runs()) {
    write_down(finding);
    if (is_known(finding)) continue;
    fmt::print(stderr, "\n{}\n", finding.trace);
    is_new = true;
  }
  if (is_new) give_up();
  return 0;
}

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size, unsigned int seed) {
  using namespace weft::fuzz;
  return copy_out(mutate(decisions_of({data, size}), max_size, seed), data, max_size);
}

std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data1, std::size_t size1, const std::uint8_t* data2,
                                      std::size_t size2, std::uint8_t* out, std::size_t max_out_size,
                                      unsigned int seed) {
  using namespace weft::fuzz;
  const std::vector<weft::TakenDecision> one = decisions_of({data1, size1});
  return copy_out(cross_over(one, decisions_of({data2, size2}), max_out_size, seed), out, max_out_size);
}

}  // extern "C"
