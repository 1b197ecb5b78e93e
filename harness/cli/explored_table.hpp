// The table of `weft explore`: a row for each variant, printed when it is known.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/explored.hpp"

namespace weft::cli {

class ExploredTable {
 public:
  /// Prints the heading. `selected`: all that may come.
  explicit ExploredTable(const std::vector<Selected>& selected);
  void print(const Explored& one) const;

 private:
  std::size_t name_width_ = 16;
};

/// The same for programs.
nlohmann::ordered_json explored_json(const Explored& one);

}  // namespace weft::cli
