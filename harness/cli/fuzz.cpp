// weft fuzz: runs the libFuzzer targets of scenario variants for a fixed number of runs, and says whether each variant
// ended as it must.
//
// A broken variant must show each of its expectations, by kind and text; what has been found is made known to the
// target, which then looks for the rest. Each input that shows one must show it again in this program, which is another
// one than the target. A fixed variant must survive all runs.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/directed_runs.hpp"
#include "cli/commands.hpp"
#include "cli/option_values.hpp"
#include "cli/process.hpp"
#include "cli/selection.hpp"
#include "cli/standard_streams.hpp"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kRunsOfFixed = 5'000;

struct FuzzOptions {
  std::vector<std::string> patterns;
  std::uint64_t runs = 0;
  std::uint32_t seed = 1;
  std::string targets;
  std::string corpus;
  std::string new_corpus;
  bool quiet = false;
};

struct Found {
  std::string kind;
  std::string message;
};

bool matches(const Expectation& expected, const std::string& kind, const std::string& message) {
  return kind == expected.kind && message.find(expected.text) != std::string::npos;
}

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// One process of a target.
struct Round {
  int exit_code = 0;
  std::uint64_t runs = 0;
  std::vector<Found> found;
  std::optional<fs::path> crash;  ///< the input that libFuzzer kept
  std::string log;
};

/// What came of a variant.
struct Outcome {
  ExitCode code = ExitCode::as_expected;
  std::string word;     ///< found, survived, missed, ...
  std::string problem;  ///< one line; empty if all is as expected
  std::uint64_t runs = 0;
  double seconds = 0;
  std::string traces;
};

class VariantFuzzing {
 public:
  VariantFuzzing(const Selected& selected, const FuzzOptions& options)
      : selected_(selected),
        options_(options),
        target_((fs::path(options.targets) / (selected.scenario->name() + "." + selected.variant->name)).string()) {
    engine_options_.name = selected.name();
    engine_options_.model = selected.scenario->model();
    engine_options_.replay_command = "weft replay " + engine_options_.name;
  }

  Outcome run() {
    const std::string engine = engine_of_target();
    if (engine != "libFuzzer") {
      outcome_.code = ExitCode::skipped;
      outcome_.word = "skipped";
      outcome_.problem = engine == "none" ? "this build has no libFuzzer (Debian: libclang-rt-14-dev)"
                                          : "this build fuzzes with another engine than libFuzzer";
      return std::move(outcome_);
    }
    const auto start = std::chrono::steady_clock::now();
    if (!options_.new_corpus.empty()) {
      make_corpus();
    } else if (selected_.variant->expected.empty()) {
      survive();
    } else {
      find_all();
    }
    outcome_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return std::move(outcome_);
  }

 private:
  std::string engine_of_target() const {
    if (!fs::exists(target_))
      throw UsageError(fmt::format("there is no fuzz target `{}'; build it, or say --targets", target_));
    std::string engine = output_of({target_, "--engine"});
    engine.erase(std::find(engine.begin(), engine.end(), '\n'), engine.end());
    return engine;
  }

  void fail(ExitCode code, std::string word, std::string problem) {
    if (outcome_.code != ExitCode::as_expected) return;
    outcome_.code = code;
    outcome_.word = std::move(word);
    outcome_.problem = std::move(problem);
  }

  std::vector<std::string> command(const std::vector<Expectation>& known) const {
    std::vector<std::string> words = {target_, fmt::format("-seed={}", options_.seed), "-print_final_stats=1"};
    for (const Expectation& expectation : known)
      words.push_back(fmt::format("--known={}:{}", expectation.kind, expectation.text));
    return words;
  }

  Round fuzz(std::uint64_t runs, const std::vector<Expectation>& known, const std::vector<std::string>& corpora) {
    const fs::path folder = fs::path(folder_.path()) / std::to_string(rounds_++);
    fs::create_directories(folder);
    const std::string prefix = folder.string() + "/";
    std::vector<std::string> words = command(known);
    words.push_back(fmt::format("-runs={}", runs));
    words.push_back("-artifact_prefix=" + prefix);
    words.push_back("--findings=" + prefix + "findings");
    words.insert(words.end(), corpora.begin(), corpora.end());
    Round round;
    round.exit_code = run_program(words, prefix + "log");
    round.log = content_of(folder / "log");
    constexpr std::string_view kRuns = "stat::number_of_executed_units: ";
    if (const std::size_t at = round.log.rfind(kRuns); at != std::string::npos)
      round.runs = std::strtoull(round.log.c_str() + at + kRuns.size(), nullptr, 10);
    outcome_.runs += round.runs;
    std::ifstream findings(folder / "findings");
    for (std::string line; std::getline(findings, line);) {
      const std::size_t colon = line.find(": ");
      if (colon != std::string::npos) round.found.push_back({line.substr(0, colon), line.substr(colon + 2)});
    }
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().filename().string().starts_with("crash-")) round.crash = entry.path();
    }
    return round;
  }

  void survive() {
    const std::uint64_t runs = options_.runs != 0 ? options_.runs : kRunsOfFixed;
    const Round round = fuzz(runs, {}, corpora());
    outcome_.word = "survived";
    for (const Found& found : round.found)
      fail(ExitCode::bug, "bug", fmt::format("unexpected finding `{}: {}'", found.kind, found.message));
    if (round.crash) {
      for (const FindingReport& finding : replay_file(*round.crash)) outcome_.traces += "\n" + finding.trace;
    }
    if (round.exit_code != 0 || round.runs < runs) {
      fail(ExitCode::internal, "internal",
           fmt::format("the target made {} of {} runs and ended with exit code {}:\n{}", round.runs, runs,
                       round.exit_code, round.log));
    }
  }

  void find_all() {
    std::vector<Expectation> left = selected_.variant->expected;
    std::vector<Expectation> known;
    outcome_.word = "found";
    const std::uint64_t runs = options_.runs != 0 ? options_.runs : selected_.variant->fuzz_runs;
    while (!left.empty() && outcome_.code == ExitCode::as_expected) {
      const Round round = fuzz(runs, known, {});
      const std::size_t left_before = left.size();
      const std::vector<FindingReport> again = round.crash ? replay_file(*round.crash) : std::vector<FindingReport>();
      for (const Found& found : round.found) {
        const auto shows = [&](const Expectation& expected) { return matches(expected, found.kind, found.message); };
        if (std::ranges::none_of(selected_.variant->expected, shows))
          fail(ExitCode::bug, "bug", fmt::format("unexpected finding `{}: {}'", found.kind, found.message));
        std::ranges::copy_if(left, std::back_inserter(known), shows);
        const bool is_new = std::erase_if(left, shows) != 0;
        if (is_new && !is_among(again, found)) {
          fail(ExitCode::internal, "internal",
               fmt::format("`weft replay' of the input that libFuzzer kept does not show `{}: {}'\n{}", found.kind,
                           found.message, round.log));
        }
      }
      for (const FindingReport& finding : again) outcome_.traces += "\n" + finding.trace;
      if (left.size() == left_before) {
        fail(ExitCode::missed, "missed",
             fmt::format("expected a finding `{}: {}', it was not found in {} runs{}", left.front().kind,
                         left.front().text, round.runs, round.runs < runs ? ":\n" + round.log : ""));
      }
    }
  }

  std::vector<FindingReport> replay_file(const fs::path& input) const {
    const std::string bytes = content_of(input);
    const std::span data(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    const Silence silence;
    return replay_input(selected_.variant->body, data, engine_options_, true).findings;
  }

  static bool is_among(const std::vector<FindingReport>& reports, const Found& found) {
    return std::ranges::any_of(reports, [&](const FindingReport& report) {
      std::string message = report.message;
      std::ranges::replace(message, '\n', ' ');  // one line each in the target's list
      return report.kind == found.kind && message == found.message;
    });
  }

  fs::path corpus_in(const std::string& root) const {
    return fs::path(root) / selected_.scenario->name() / selected_.variant->name;
  }

  /// An empty one, where libFuzzer puts what it finds, and the seed corpus.
  std::vector<std::string> corpora() const {
    const fs::path own = fs::path(folder_.path()) / "corpus";
    fs::create_directories(own);
    std::vector<std::string> folders = {own.string()};
    if (!options_.corpus.empty() && fs::is_directory(corpus_in(options_.corpus)))
      folders.push_back(corpus_in(options_.corpus).string());
    return folders;
  }

  /// The fewest inputs that together cover what fuzzing has covered, and show no finding.
  void make_corpus() {
    const std::uint64_t runs = options_.runs != 0 ? options_.runs : kRunsOfFixed;
    const std::vector<std::string> found = corpora();
    const std::vector<Expectation> known = {{"*", ""}};
    if (const Round round = fuzz(runs, known, found); round.exit_code != 0)
      fail(ExitCode::internal, "internal", round.log);
    const fs::path least = fs::path(folder_.path()) / "least";
    fs::create_directories(least);
    std::vector<std::string> merge = command(known);
    merge.insert(merge.end(), {"-merge=1", least.string(), found.front()});
    const fs::path log = fs::path(folder_.path()) / "merge.log";
    if (run_program(merge, log.string()) != 0) fail(ExitCode::internal, "internal", content_of(log));
    const fs::path into = corpus_in(options_.new_corpus);
    fs::remove_all(into);
    fs::create_directories(into);
    std::size_t kept = 0;
    for (const auto& input : fs::directory_iterator(least)) {
      if (!replay_file(input.path()).empty()) continue;
      fs::copy_file(input.path(), into / input.path().filename());
      ++kept;
    }
    if (kept == 0) fs::remove(into);
    if (outcome_.problem.empty()) outcome_.word = fmt::format("{} inputs", kept);
  }

  const Selected& selected_;
  const FuzzOptions& options_;
  std::string target_;
  Options engine_options_;
  TemporaryFolder folder_;
  std::size_t rounds_ = 0;
  Outcome outcome_;
};

constexpr const char* kHeading = "{:<40} {:<10} {:<9} {:>10} {:>8} {:>9}\n";

void run(FuzzOptions options, ExitCode& code) {
  if (options.targets.empty()) options.targets = (fs::read_symlink("/proc/self/exe").parent_path() / "fuzz").string();
  code = ExitCode::as_expected;
  std::string details;
  fmt::print(kHeading, "scenario/variant", "fuzzing", "expected?", "runs", "seconds", "runs/s");
  for (const Selected& selected : select(options.patterns)) {
    const Outcome outcome = VariantFuzzing(selected, options).run();
    if (code == ExitCode::as_expected) code = outcome.code;
    const char* const expected = outcome.code == ExitCode::as_expected ? "yes"
                                 : outcome.code == ExitCode::skipped   ? "-"
                                                                       : "NO";
    fmt::print(kHeading, selected.name(), outcome.word, expected, outcome.runs, fmt::format("{:.2f}", outcome.seconds),
               fmt::format("{:.0f}", static_cast<double>(outcome.runs) / std::max(outcome.seconds, 1e-3)));
    std::fflush(stdout);
    if (!outcome.problem.empty()) details += fmt::format("{}: {}\n", selected.name(), outcome.problem);
    if (!options.quiet) details += outcome.traces;
  }
  fmt::print("{}", details);
}

}  // namespace

void add_fuzz(CLI::App& app, ExitCode& code) {
  const auto options = std::make_shared<FuzzOptions>();
  CLI::App* const command =
      app.add_subcommand("fuzz", "run the libFuzzer targets of scenarios for a fixed number of runs");
  command->add_option("pattern", options->patterns, "scenario or scenario/variant, with * and ?; all if there is none");
  command
      ->add_option(
          "--runs", options->runs,
          fmt::format(
              "runs for each finding that is expected; as the scenario says if not given, {} for fixed variants",
              kRunsOfFixed))
      ->transform(whole_number());
  command->add_option("--seed", options->seed, "libFuzzer's -seed; 1 if not given")->transform(whole_number());
  command->add_option("--targets", options->targets, "folder of the targets; `fuzz' next to this program if not given");
  command->add_option("--corpus", options->corpus,
                      "seed corpora, FOLDER/scenario/variant; fixed variants begin with them");
  command->add_option(
      "--make-corpus", options->new_corpus,
      "write seed corpora to FOLDER/scenario/variant instead: the fewest inputs that cover what was covered");
  command->add_flag("--quiet", options->quiet, "only the table, no traces");
  command->callback([options, &code] { run(*options, code); });
}

}  // namespace weft::cli
