// weft show: a saved finding as a page, for Perfetto, for Graphviz, or as text.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/finding_file.hpp"
#include "cli/option_values.hpp"
#include "cli/output_file.hpp"
#include "cli/result_json.hpp"
#include "cli/selection.hpp"
#include "page/chrome_trace.hpp"
#include "page/execution_dot.hpp"
#include "page/html_page.hpp"
#include "report/printable.hpp"

namespace weft::cli {
namespace {

using nlohmann::ordered_json;

struct ShowOptions {
  std::string file;
  std::string html;
  std::string perfetto;
  std::string dot;
  std::size_t only = 0;  // from 1; 0: all
  bool json = false;
};

void keep_only(ordered_json& finding, std::size_t number) {
  ordered_json& findings = finding["findings"];
  if (number > findings.size())
    throw UsageError(fmt::format("there is no finding {}: the number of findings is {}", number, findings.size()));
  findings = ordered_json::array({findings[number - 1]});
}

/// An output must not take the place of the input, nor of another output.
void check_names(const ShowOptions& options, const std::vector<std::pair<std::string, std::string>>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    std::error_code ignored;
    if (std::filesystem::equivalent(outputs[i].first, options.file, ignored))
      throw UsageError(fmt::format("`{}' is the finding itself; write to another file", outputs[i].first));
    for (std::size_t other = 0; other < i; ++other) {
      if (std::filesystem::weakly_canonical(outputs[i].first, ignored) ==
          std::filesystem::weakly_canonical(outputs[other].first, ignored))
        throw UsageError(fmt::format("two outputs are the same file, `{}'", outputs[i].first));
    }
  }
}

std::string one_line_json(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

void run(const ShowOptions& options, ExitCode& code) {
  ordered_json finding = read_finding_file(options.file);
  if (options.only != 0) keep_only(finding, options.only);
  std::vector<std::pair<std::string, std::string>> outputs;  // name and content
  if (!options.html.empty()) outputs.emplace_back(options.html, page::html_page(finding));
  if (!options.perfetto.empty()) outputs.emplace_back(options.perfetto, one_line_json(page::chrome_trace(finding)));
  if (!options.dot.empty()) outputs.emplace_back(options.dot, page::execution_dot(finding));
  check_names(options, outputs);
  code = ExitCode::as_expected;
  for (const auto& [path, text] : outputs) write_whole_file(path, text);
  if (options.json) {
    print_json(finding);
  } else if (outputs.empty()) {
    for (const ordered_json& one : finding["findings"])
      fmt::print("{}\n", printable(one["trace"].get_ref<const std::string&>()));
  }
}

}  // namespace

void add_show(CLI::App& app, ExitCode& code) {
  const auto options = std::make_shared<ShowOptions>();
  CLI::App* const command = app.add_subcommand("show", "show a saved finding: as a page to step through, or as text");
  command->add_option("file", options->file, "a finding.json")->required();
  command->add_option("--html", options->html, "write a page: one file, for any browser, without a network");
  command->add_option("--perfetto", options->perfetto, "write a Chrome trace, which ui.perfetto.dev opens");
  command->add_option("--dot", options->dot, "write the execution graph for Graphviz's dot: po, rf, co, hb");
  command->add_option("--finding", options->only, "only this one of the findings, counted from 1")
      ->transform(whole_number());
  command->add_flag("--json", options->json, "one JSON object on standard output: the checked finding");
  command->callback([options, &code] { run(*options, code); });
}

}  // namespace weft::cli
