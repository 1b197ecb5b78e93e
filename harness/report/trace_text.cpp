#include "report/trace_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace weft {
namespace {

constexpr std::size_t kMostRows = 400;
constexpr std::size_t kWidestColumn = 60;

struct Layout {
  std::vector<std::size_t> column_of;  // by column of the trace; npos if it has no rows
  std::vector<std::size_t> widths;
  std::vector<std::string> titles;
  std::size_t state_width = 0;
};

constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

Layout lay_out(const Trace& trace, const std::vector<const TraceRow*>& rows) {
  Layout layout;
  layout.column_of.assign(trace.columns.size(), kNoColumn);
  for (std::size_t t = 0; t < trace.columns.size(); ++t) {
    const bool used =
        std::any_of(rows.begin(), rows.end(), [t](const TraceRow* row) { return row->column == t; });
    if (!used) continue;
    layout.column_of[t] = layout.titles.size();
    layout.titles.push_back(trace.columns[t]);
    layout.widths.push_back(trace.columns[t].size());
  }
  for (const TraceRow* row : rows) {
    std::size_t& width = layout.widths[layout.column_of[row->column]];
    width = std::max(width, std::min(kWidestColumn, row->text.size() + (row->failing ? 3 : 0)));
    layout.state_width = std::max(layout.state_width, row->state.size());
  }
  return layout;
}

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

std::string render(const TraceRow& row, const Layout& layout) {
  std::string line = row.number == 0 ? "     " : fmt::format("{:>4} ", row.number);
  const std::size_t column = layout.column_of[row.column];
  for (std::size_t i = 0; i < layout.widths.size(); ++i) {
    const std::string cell = i == column ? (row.failing ? "!! " : "") + row.text : "";
    line += fmt::format(" {:<{}} ", cell, layout.widths[i]);
  }
  if (layout.state_width != 0) line += fmt::format(" {:<{}} ", row.state, layout.state_width);
  return trimmed(line + " " + row.place);
}

}  // namespace

std::string trace_table(const Trace& trace) {
  std::vector<const TraceRow*> rows;
  for (const TraceRow& row : trace.rows) {
    if (!row.local) rows.push_back(&row);
  }
  const Layout layout = lay_out(trace, rows);
  std::string text = "   # ";
  for (std::size_t i = 0; i < layout.titles.size(); ++i)
    text += fmt::format(" {:<{}} ", layout.titles[i], layout.widths[i]);
  if (layout.state_width != 0) text += fmt::format(" {:<{}} ", "state", layout.state_width);
  text = trimmed(text);
  const std::size_t left_out = rows.size() > kMostRows ? rows.size() - kMostRows : 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (left_out != 0 && i == kMostRows / 2) {
      text += fmt::format("      ... {} rows left out ...\n", left_out);
      i += left_out;
    }
    text += render(*rows[i], layout);
  }
  return text;
}

}  // namespace weft
