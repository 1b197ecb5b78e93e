#include "cli/findings_folder.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "api/fuzz_token.hpp"
#include "cli/debugger_line.hpp"
#include "cli/finding_file.hpp"
#include "cli/output_file.hpp"
#include "cli/result_json.hpp"
#include "cli/shell_words.hpp"
#include "cli/standard_streams.hpp"
#include "page/html_page.hpp"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

void make_folder(const fs::path& folder) {
  std::error_code fault;
  fs::create_directories(folder, fault);
  if (fault) throw UsageError(fmt::format("cannot make the folder `{}': {}", folder.string(), fault.message()));
}

/// One execution of a variant that passes: that in which every choice is the first.
ordered_json passing_execution(const Explored& fixed) {
  Options options;
  options.name = fixed.selected.name();
  options.model = fixed.result.model;
  const Silence silence;
  const Replay replay = weft::replay(fixed.selected.variant->body, fuzz_token({}, options), options);
  return {{"variant", fixed.selected.variant->name},
          {"verdict", to_string(fixed.result.verdict)},
          {"executions", fixed.result.executions},
          {"columns", columns_json(replay.columns)},
          {"steps", steps_json(replay.steps, replay.columns)},
          {"trace", replay.trace}};
}

/// harness/report/finding.schema.json describes it.
ordered_json finding_file_json(const Explored& one, const Explored* fixed) {
  ordered_json findings = ordered_json::array();
  for (const FindingReport& finding : one.result.findings) {
    findings.push_back(finding_json(finding));
    if (const std::string line = debugger_line("weft", finding); !line.empty()) findings.back()["debug"] = line;
  }
  ordered_json json = {{"format", "weft finding"},
                       {"version", 1},
                       {"scenario", one.selected.scenario->name()},
                       {"variant", one.selected.variant->name},
                       {"model", to_string(one.result.model)},
                       {"verdict", to_string(one.result.verdict)},
                       {"executions", one.result.executions},
                       {"findings", std::move(findings)}};
  if (fixed != nullptr) json["fixed"] = passing_execution(*fixed);
  return json;
}

}  // namespace

std::string FindingsFolder::folder_of(const Selected& selected) const {
  return (fs::path(folder_) / fmt::format("{}.{}", selected.scenario->name(), selected.variant->name)).string();
}

std::vector<std::string> FindingsFolder::schedules(const Selected& selected) const {
  const fs::path path = fs::path(folder_of(selected)) / "finding.json";
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(path, ignored))) return {};
  ordered_json file;
  try {
    file = read_finding_file(path.string());
    if (file["scenario"] != selected.scenario->name() || file["variant"] != selected.variant->name)
      throw UsageError(fmt::format("`{}' is a finding of another variant", path.string()));
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}; delete it, or explore with --keep none", error.what()));
  }
  std::vector<std::string> schedules;
  for (const ordered_json& finding : file["findings"]) schedules.push_back(finding["schedule"]);
  return schedules;
}

void FindingsFolder::make() const { make_folder(folder_); }

std::string FindingsFolder::keep(const Explored& one, const Explored* fixed) const {
  const fs::path folder = folder_of(one.selected);
  make_folder(folder);
  std::string traces;
  std::string replays = fmt::format(
      "#!/bin/sh\n# Runs the schedules of these findings again. WEFT: the program that found them.\nWEFT=${{WEFT:-{}}}\n",
      shell_quoted(own_program()));
  for (const FindingReport& finding : one.result.findings) {
    traces += (traces.empty() ? "" : "\n") + finding.trace;
    if (finding.replay.starts_with("weft "))
      replays += "\"$WEFT\"" + finding.replay.substr(4) + " || status=$?\n";
  }
  replays += "exit ${status:-0}\n";
  write_whole_file((folder / "trace.txt").string(), traces);
  write_whole_file((folder / "replay.sh").string(), replays);
  std::error_code fault;
  fs::permissions(folder / "replay.sh", fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                  fs::perm_options::add, fault);
  const ordered_json finding = finding_file_json(one, fixed);
  write_whole_file((folder / "trace.html").string(), page::html_page(finding));
  write_whole_file((folder / "finding.json").string(), json_text(finding));
  return folder.string();
}

}  // namespace weft::cli
