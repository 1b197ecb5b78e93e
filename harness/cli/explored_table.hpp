// What `weft explore`, `weft merge` and `weft sample` print of variants: a row of a table for each, or one JSON object.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/explored.hpp"

namespace weft::cli {

class ExploredTable {
 public:
  enum class Times : bool { hidden, shown };

  /// Prints the heading. `selected`: all that may come.
  explicit ExploredTable(const std::vector<Selected>& selected, Times times = Times::shown);
  /// A deadlock counts as an execution.
  void print(const Explored& one) const;

 private:
  template <class... Cells>
  void print_row(const std::string& name, const std::string& seconds, const Cells&... cells) const;

  std::size_t name_width_ = 16;
  Times times_;
};

/// The same for programs. `how`: more about how each was explored.
void print_explored_json(const std::vector<Explored>& explored, ExitCode code, const nlohmann::ordered_json& how = {});

}  // namespace weft::cli
