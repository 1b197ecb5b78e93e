#include "cli/explored_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/result_json.hpp"
#include "cli/terminal.hpp"

namespace weft::cli {
namespace {

std::string expected_word(const Judgement& judgement) {
  if (judgement.code == ExitCode::sampled) return "-";  // neither shown nor refuted
  return judgement.problem.empty() ? "yes" : alarming("NO       ");
}

}  // namespace

template <class... Cells>
void ExploredTable::print_row(const std::string& name, const std::string& seconds, const Cells&... cells) const {
  fmt::print("{:<{}} ", name, name_width_);
  fmt::print("{:<10} {:<9} {:>10} {:>8}", cells...);
  fmt::print("{}\n", times_ == Times::shown ? fmt::format(" {:>8}", seconds) : "");
  std::fflush(stdout);
}

ExploredTable::ExploredTable(const std::vector<Selected>& selected, Times times) : times_(times) {
  for (const Selected& one : selected) name_width_ = std::max(name_width_, one.name().size());
  print_row("scenario/variant", "seconds", "verdict", "expected?", "executions", "blocked");
}

void ExploredTable::print(const Explored& one) const {
  const Result& result = one.result;
  print_row(one.selected.name(), fmt::format("{:.2f}", result.seconds), for_terminal(result.verdict, 10),
            expected_word(one.judgement), result.executions + result.deadlocks, result.blocked);
}

void print_explored_json(const std::vector<Explored>& explored, ExitCode code, const nlohmann::ordered_json& how) {
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  for (const Explored& one : explored) {
    nlohmann::ordered_json json = {{"scenario", one.selected.scenario->name()},
                                   {"variant", one.selected.variant->name}};
    if (!how.is_null()) json.update(how);
    json.update(result_json(one.result));
    json["as_expected"] = one.judgement.problem.empty();
    json["problem"] = one.judgement.problem;
    results.push_back(std::move(json));
  }
  print_json({{"as_expected", code == ExitCode::as_expected}, {"results", std::move(results)}});
}

}  // namespace weft::cli
