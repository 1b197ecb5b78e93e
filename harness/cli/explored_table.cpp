#include "cli/explored_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/result_json.hpp"
#include "cli/terminal.hpp"

namespace weft::cli {
namespace {

template <class... Cells>
void print_row(std::size_t name_width, const std::string& name, const Cells&... cells) {
  fmt::print("{:<{}} ", name, name_width);
  fmt::print("{:<10} {:<9} {:>10} {:>8} {:>8}\n", cells...);
}

}  // namespace

ExploredTable::ExploredTable(const std::vector<Selected>& selected) {
  for (const Selected& one : selected) name_width_ = std::max(name_width_, one.name().size());
  print_row(name_width_, "scenario/variant", "verdict", "expected?", "executions", "blocked", "seconds");
}

void ExploredTable::print(const Explored& one) const {
  print_row(name_width_, one.selected.name(), for_terminal(one.result.verdict, 10),
            one.judgement.problem.empty() ? "yes      " : alarming("NO       "), one.result.executions, one.result.blocked,
            fmt::format("{:.2f}", one.result.seconds));
  std::fflush(stdout);
}

nlohmann::ordered_json explored_json(const Explored& one) {
  nlohmann::ordered_json json = {{"scenario", one.selected.scenario->name()}, {"variant", one.selected.variant->name}};
  json.update(result_json(one.result));
  json["as_expected"] = one.judgement.problem.empty();
  json["problem"] = one.judgement.problem;
  return json;
}

}  // namespace weft::cli
