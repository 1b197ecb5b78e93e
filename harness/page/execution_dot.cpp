#include "page/execution_dot.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "report/printable.hpp"

namespace weft::page {
namespace {

using nlohmann::ordered_json;

/// In a quoted string a backslash escapes, and in a label an ampersand begins an entity.
std::string dot_string(std::string_view text) {
  std::string dot = "\"";
  for (const char c : printable(text)) {
    if (c == '\n') {
      dot += "\\n";
    } else if (c == '&') {
      dot += "&amp;";
    } else if (c == '"' || c == '\\') {
      dot += '\\';
      dot += c;
    } else {
      dot += c;
    }
  }
  return dot + '"';
}

std::string label(const ordered_json& row) {
  std::string text = row.at("text").get<std::string>();
  const auto step = row.at("step").get<std::uint64_t>();
  if (row.at("kind") == "failure") text = "!! " + text;
  if (step != 0) text = fmt::format("#{} {}", step, text);
  for (const ordered_json& change : row.at("changes"))
    text += fmt::format("\n{} = {}", change.at("name").get<std::string>(), change.at("value").get<std::string>());
  const std::string place = row.at("place").get<std::string>();
  return place.empty() ? text : text + '\n' + place;
}

const char* style(const ordered_json& row) {
  if (row.at("kind") == "failure") return ", shape=octagon, color=\"#b3261e\", penwidth=2";
  if (row.at("marked").get<bool>()) return ", color=\"#b3261e\", penwidth=2";
  if (row.at("kind") == "note") return ", style=dashed, color=\"#9aa2ac\"";
  return "";
}

class DotWriter {
 public:
  std::string dot =
      "digraph execution {\n"
      "  rankdir=TB; newrank=true; fontname=\"sans-serif\"; labeljust=l;\n"
      "  node [shape=box, fontname=\"monospace\", fontsize=10, margin=\"0.08,0.04\"];\n"
      "  edge [fontname=\"sans-serif\", fontsize=9];\n";

  void add(const std::string& name, const ordered_json& execution) {
    ++executions_;
    const ordered_json& rows = execution.at("steps");
    const ordered_json& columns = execution.at("columns");
    dot += fmt::format("  subgraph cluster_{} {{\n    label={};\n", executions_, dot_string(name));
    std::vector<std::vector<std::size_t>> rows_of(columns.size());
    for (std::size_t i = 0; i < rows.size(); ++i) rows_of[rows[i].at("column").get<std::size_t>()].push_back(i);
    for (std::size_t column = 0; column < columns.size(); ++column) {
      dot += fmt::format("    subgraph cluster_{}_{} {{\n      label={}; color=\"#c8cbce\";\n", executions_, column,
                         dot_string(columns[column].at("name").get<std::string>()));
      for (const std::size_t i : rows_of[column])
        dot += fmt::format("      {} [label={}{}];\n", node(i), dot_string(label(rows[i])), style(rows[i]));
      dot += "    }\n";
    }
    dot += "  }\n";
    add_program_order(rows, columns);
    add_relations(rows);
  }

 private:
  std::string node(std::size_t row) const { return fmt::format("e{}_{}", executions_, row); }

  /// By thread, not by column: the tasks of an event loop are one thread.
  void add_program_order(const ordered_json& rows, const ordered_json& columns) {
    std::unordered_map<std::uint64_t, std::size_t> last;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto thread = columns[rows[i].at("column").get<std::size_t>()].at("thread").get<std::uint64_t>();
      const auto [before, is_first] = last.try_emplace(thread, i);
      if (!is_first) dot += fmt::format("  {} -> {} [color=\"#8b9299\"];\n", node(before->second), node(i));
      before->second = i;
    }
  }

  void add_relations(const ordered_json& rows) {
    std::unordered_map<std::uint64_t, std::size_t> row_of_step;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto step = rows[i].at("step").get<std::uint64_t>();
      if (step != 0) row_of_step.emplace(step, i);
    }
    const auto edge = [&](const ordered_json& step, std::size_t to, const char* attributes) {
      if (step != 0)
        dot += fmt::format("  {} -> {} [{}];\n", node(row_of_step.at(step.get<std::uint64_t>())), node(to), attributes);
    };
    for (std::size_t i = 0; i < rows.size(); ++i) {
      edge(rows[i].at("reads_from"), i, "label=rf, color=\"#0b57d0\", fontcolor=\"#0b57d0\"");
      edge(rows[i].at("overwrites"), i, "label=co, color=\"#8a5300\", fontcolor=\"#8a5300\", style=dashed");
      edge(rows[i].at("waited_for"), i,
           "label=wakes, color=\"#7a35b5\", fontcolor=\"#7a35b5\", style=dashed, arrowhead=vee");
      for (const ordered_json& step : rows[i].at("happens_after"))
        edge(step, i, "label=hb, color=\"#2f6b4a\", fontcolor=\"#2f6b4a\", style=dotted");
    }
  }

  int executions_ = 0;
};

}  // namespace

std::string execution_dot(const ordered_json& finding) {
  DotWriter writer;
  const std::string scenario = finding.at("scenario").get<std::string>();
  for (const ordered_json& one : finding.at("findings")) {
    writer.add(fmt::format("{}/{}: {}", scenario, finding.at("variant").get<std::string>(),
                           one.at("message").get<std::string>()),
               one);
  }
  if (finding.contains("fixed")) {
    const ordered_json& fixed = finding.at("fixed");
    writer.add(fmt::format("{}/{}: {}", scenario, fixed.at("variant").get<std::string>(),
                           fixed.at("verdict").get<std::string>()),
               fixed);
  }
  return writer.dot + "}\n";
}

}  // namespace weft::page
