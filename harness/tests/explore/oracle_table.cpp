#include "explore/oracle_table.hpp"

#include <cctype>
#include <fstream>
#include <ostream>
#include <sstream>
#include <stdexcept>

namespace weft::test {
namespace {

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream text(line);
  for (std::string cell; std::getline(text, cell, '\t');) cells.push_back(cell);
  return cells;
}

}  // namespace

std::vector<OracleRow> oracle_table(const std::string& file) {
  std::ifstream lines(WEFT_ORACLE_FOLDER "/" + file);
  std::vector<OracleRow> rows;
  std::vector<std::string> columns;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == '#') continue;
    const std::vector<std::string> cells = split(line);
    if (columns.empty()) {
      columns = cells;
      continue;
    }
    std::map<std::string, std::string> row;
    for (std::size_t i = 0; i < columns.size(); ++i) row[columns[i]] = cells.at(i);
    rows.emplace_back(std::move(row));
  }
  if (rows.empty()) throw std::runtime_error("tests/oracle/" + file + " has no rows");
  return rows;
}

void PrintTo(const OracleRow& row, std::ostream* out) { *out << row.text("name") << " in " << row.text("model"); }

std::string test_name(const OracleRow& row) {
  std::string name = row.text("name") + "_" + row.text("model");
  for (char& c : name) {
    if (c == '+') c = '_';
  }
  return name;
}

}  // namespace weft::test
