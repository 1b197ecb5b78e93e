#include "cli/finding_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/debugger_line.hpp"
#include "cli/junit.hpp"
#include "cli/option_values.hpp"
#include "cli/output_file.hpp"
#include "cli/result_json.hpp"
#include "cli/sarif.hpp"

namespace weft::cli {
namespace {

bool is_worth_keeping(const Explored& one, FindingOutputs::Keep keep) {
  if (one.result.findings.empty()) return false;
  return keep == FindingOutputs::Keep::all ||
         (keep == FindingOutputs::Keep::unexpected && one.judgement.code == ExitCode::bug);
}

}  // namespace

void FindingOutputs::add_to(CLI::App& command, const std::string& what_becomes_of_them) {
  const auto is_name = [](const std::string& text) {
    return text.empty() ? std::string("an empty name") : std::string();
  };
  command
      .add_option("--keep", keep,
                  fmt::format("which findings to keep on disk: those that are unexpected, all, or none. {}",
                              what_becomes_of_them))
      ->transform(one_of<Keep>({{"unexpected", Keep::unexpected}, {"all", Keep::all}, {"none", Keep::none}}));
  command.add_option("--findings", findings_folder, "the folder to keep them in")
      ->check(is_name)
      ->capture_default_str();
  command.add_option("--junit", junit_file, "write the results into this file, as JUnit XML")->check(is_name);
  command.add_option("--sarif", sarif_file, "write the findings into this file, as SARIF 2.1.0")->check(is_name);
}

void FindingOutputs::check() const {
  if (!junit_file.empty() && junit_file == sarif_file)
    throw UsageError(fmt::format("--junit and --sarif would both write `{}'", junit_file));
  for (const std::string& file : {junit_file, sarif_file}) {
    if (!file.empty()) check_can_write(file);
  }
  // Before hours of exploring; but the folder that nobody has asked for may never be needed.
  const bool is_asked_for = keep == Keep::all || findings_folder != FindingOutputs().findings_folder;
  if (keep != Keep::none && is_asked_for) FindingsFolder(findings_folder).make();
}

std::string FindingOutputs::write(const std::vector<Explored>& explored) const {
  const FindingsFolder folder(findings_folder);
  std::string text;
  for (const Explored& one : explored) {
    if (!is_worth_keeping(one, keep)) continue;
    text += fmt::format(
        "\nkept in {}: trace.txt, trace.html, finding.json, replay.sh; the next exploration tries it first\n",
        folder.keep(one, proved_beside(one, explored)));
  }
  if (!junit_file.empty()) write_whole_file(junit_file, junit_xml(explored));
  if (!sarif_file.empty()) write_whole_file(sarif_file, json_text(sarif_json(explored)));
  return text;
}

std::string debug_text(const Explored& one, const FindingReport& finding) {
  if (one.judgement.code != ExitCode::bug || finding.is_warning) return {};
  const std::string line = debugger_line(own_program(), finding);
  return line.empty() ? line : fmt::format("DEBUG  {}\n", line);
}

const Explored* proved_beside(const Explored& one, const std::vector<Explored>& explored) {
  const auto fixed = std::find_if(explored.begin(), explored.end(), [&](const Explored& other) {
    return other.selected.scenario == one.selected.scenario && other.result.verdict == Verdict::proved;
  });
  return fixed == explored.end() ? nullptr : &*fixed;
}

}  // namespace weft::cli
