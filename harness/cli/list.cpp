// weft list: scenarios, variants, and what each must show. Also writes the tests for CTest.
#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/result_json.hpp"
#include "cli/selection.hpp"

namespace weft::cli {
namespace {

struct ListOptions {
  std::vector<std::string> patterns;
  std::string ctest_file;
  std::string program;
  std::string corpus;
  bool json = false;
};

std::string expectation_text(const Variant& variant) {
  if (variant.expected.empty()) return to_string(variant.verdict);
  std::string text;
  for (const Expectation& expected : variant.expected)
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", expected.kind, expected.text);
  return text;
}

/// What `weft stress` asks of the variant, if that is not all.
std::string stress_text(const stress::Policy& policy) {
  switch (policy.kind) {
    case stress::Policy::Kind::full:
      return {};
    case stress::Policy::Kind::may_miss:
      return fmt::format("stress may miss it: {}", policy.why);
    case stress::Policy::Kind::skip:
      return fmt::format("not stressed: {}", policy.why);
  }
  return {};
}

const char* stress_word(stress::Policy::Kind kind) {
  constexpr const char* kWords[] = {"full", "may_miss", "skip"};
  return kWords[static_cast<std::size_t>(kind)];
}

void print_table(const std::vector<Selected>& selected) {
  for (const auto& [scenario, variant] : selected) {
    fmt::print("{:<40} {:<5} {}\n", scenario->name() + "/" + variant->name, to_string(scenario->model()),
               expectation_text(*variant));
    const std::string stress = stress_text(variant->stress);
    if (!stress.empty()) fmt::print("{:<46} {}\n", "", stress);
    if (!variant->expected.empty()) fmt::print("{:<46} fuzzing finds it within {} runs\n", "", variant->fuzz_runs);
  }
}

void print_list_json(const std::vector<Selected>& selected) {
  nlohmann::ordered_json variants = nlohmann::ordered_json::array();
  for (const auto& [scenario, variant] : selected) {
    nlohmann::ordered_json expected = nlohmann::ordered_json::array();
    for (const Expectation& expectation : variant->expected)
      expected.push_back({{"kind", expectation.kind}, {"text", expectation.text}});
    variants.push_back({{"scenario", scenario->name()},
                        {"variant", variant->name},
                        {"model", to_string(scenario->model())},
                        {"source", scenario->source()},
                        {"verdict", to_string(variant->verdict)},
                        {"findings", std::move(expected)},
                        {"stress", {{"policy", stress_word(variant->stress.kind)}, {"why", variant->stress.why}}},
                        {"fuzz_runs", variant->fuzz_runs}});
  }
  print_json({{"variants", std::move(variants)}});
}

/// The usual run of each target, and a long one that only `ctest -C nightly` makes.
void write_fuzz_tests(std::ostream& out, const std::vector<Selected>& selected, const ListOptions& options) {
  constexpr int kNightlyRuns = 100'000;
  const std::string corpus = options.corpus.empty() ? "" : fmt::format(" --corpus [=[{}]=]", options.corpus);
  for (const auto& [scenario, variant] : selected) {
    const std::string name = fmt::format("{}/{}", scenario->name(), variant->name);
    const std::string test = fmt::format("fuzz.{}.{}", scenario->name(), variant->name);
    const std::string command = fmt::format("[=[{}]=] fuzz [=[{}]=]{}", options.program, name, corpus);
    out << fmt::format("add_test([=[{}]=] {})\n", test, command);
    out << fmt::format("set_tests_properties([=[{}]=] PROPERTIES LABELS fuzz TIMEOUT 300 SKIP_RETURN_CODE {})\n", test,
                       static_cast<int>(ExitCode::skipped));
    if (!variant->expected.empty()) continue;
    out << "if(CTEST_CONFIGURATION_TYPE STREQUAL \"nightly\")\n";
    out << fmt::format("  add_test([=[nightly.{}]=] {} --runs {})\n", test, command, kNightlyRuns);
    out << fmt::format(
        "  set_tests_properties([=[nightly.{}]=] PROPERTIES LABELS \"fuzz;nightly\" TIMEOUT 3600 SKIP_RETURN_CODE "
        "{})\n",
        test, static_cast<int>(ExitCode::skipped));
    out << "endif()\n";
  }
}

/// A fixed variant has to survive for a second; a broken one ends when it is found. Not beside each other: delays are timed for a
/// machine that is free. What was not run, or not found as it need not be, CTest shows as skipped: a pass would hide it.
void write_stress_test(std::ostream& out, const Scenario& scenario, const Variant& variant, const ListOptions& options) {
  const std::string test = fmt::format("stress.{}.{}", scenario.name(), variant.name);
  const bool is_fixed = variant.expected.empty();
  const bool may_miss = variant.stress.kind == stress::Policy::Kind::may_miss;
  out << fmt::format("add_test([=[{}]=] [=[{}]=] stress --seconds {} --hang-after 30 [=[{}/{}]=])\n", test, options.program, is_fixed ? 1 : may_miss ? 5 : 60,
                     scenario.name(), variant.name);
  out << fmt::format(
      "set_tests_properties([=[{}]=] PROPERTIES LABELS stress TIMEOUT 180 RESOURCE_LOCK stress PROCESSORS 2\n"
      "  SKIP_RETURN_CODE {} SKIP_REGULAR_EXPRESSION [=[: missed, as it may be: ]=])\n",
      test, static_cast<int>(ExitCode::skipped));
}

void write_ctest_file(const std::vector<Selected>& selected, const ListOptions& options) {
  std::ofstream out(options.ctest_file);
  for (const auto& [scenario, variant] : selected) {
    const std::string test = fmt::format("explore.{}.{}", scenario->name(), variant->name);
    out << fmt::format("add_test([=[{}]=] [=[{}]=] explore --keep none [=[{}/{}]=])\n", test, options.program, scenario->name(),
                       variant->name);
    out << fmt::format("set_tests_properties([=[{}]=] PROPERTIES LABELS explore TIMEOUT 300)\n", test);
    write_stress_test(out, *scenario, *variant, options);
  }
  write_fuzz_tests(out, selected, options);
  out.close();
  if (!out) throw UsageError(fmt::format("cannot write `{}'", options.ctest_file));
}

}  // namespace

void add_list(CLI::App& app, ExitCode& code) {
  const auto options = std::make_shared<ListOptions>();
  CLI::App* const command = app.add_subcommand("list", "show scenarios, variants, and what each must show");
  command->add_option("pattern", options->patterns, "scenario or scenario/variant, with * and ?");
  command->add_flag("--json", options->json, "one JSON object on standard output");
  CLI::Option* const ctest =
      command->add_option("--ctest", options->ctest_file, "write a CTest file with a test for each variant");
  command->add_option("--program", options->program, "the program that those tests run")->needs(ctest);
  command->add_option("--corpus", options->corpus, "folder of seed corpora for those tests that fuzz")->needs(ctest);
  command->callback([options, &code] {
    const std::vector<Selected> selected = select(options->patterns);
    if (!options->ctest_file.empty()) {
      write_ctest_file(selected, *options);
    } else if (options->json) {
      print_list_json(selected);
    } else {
      print_table(selected);
    }
    code = ExitCode::as_expected;
  });
}

}  // namespace weft::cli
