// The tables of execution counts in tests/oracle: tab-separated, first line that is no comment names the columns.
#pragma once

#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include "weft/weft.hpp"

namespace weft::test {

/// One row, by column name.
class OracleRow {
 public:
  explicit OracleRow(std::map<std::string, std::string> cells) : cells_(std::move(cells)) {}
  const std::string& text(const std::string& column) const { return cells_.at(column); }
  std::uint64_t number(const std::string& column) const { return std::stoull(cells_.at(column)); }
  Model model() const { return text("model") == "sc" ? Model::sc : Model::rc11; }

 private:
  std::map<std::string, std::string> cells_;
};

/// All rows of tests/oracle/`file`. Throws std::runtime_error if there are none.
std::vector<OracleRow> oracle_table(const std::string& file);

/// For GoogleTest's messages.
void PrintTo(const OracleRow& row, std::ostream* out);

/// A row's name and model as one word that GoogleTest takes.
std::string test_name(const OracleRow& row);

}  // namespace weft::test
