#include "cli/finding_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "cli/input_file.hpp"
#include "cli/selection.hpp"

namespace weft::cli {
namespace {

using nlohmann::ordered_json;

constexpr std::uint64_t kLargestNumber = (std::uint64_t{1} << 53) - 1;  // what JavaScript can count to

/// Where in the file something stands. The words for it are put together only when there is something to say.
struct At {
  const At* parent;
  const char* key;  // nullptr: an item of a list
  std::size_t index = 0;

  std::string text() const {
    const std::string before = parent == nullptr ? "" : parent->text();
    if (key == nullptr) return fmt::format("{}[{}]", before, index);
    return before.empty() ? key : before + '.' + key;
  }
};

class Check {
 public:
  explicit Check(const std::string& path) : path_(path) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw UsageError(in_one_line(fmt::format("{}: {}", path_, what)));
  }
  [[noreturn]] void fail(const At& at, const std::string& what) const { fail(fmt::format("{} {}", at.text(), what)); }

  void finding_file(const ordered_json& file) const {
    if (!file.is_object()) fail("no finding: the file holds no JSON object");
    if (const auto format = file.find("format"); format == file.end() || *format != "weft finding")
      fail("no finding: `format' is not \"weft finding\"");
    if (const auto version = file.find("version");
        version == file.end() || !version->is_number_integer() || *version != 1)
      fail("`version' is not 1, the only one that this weft reads");
    for (const char* const key : {"scenario", "variant", "model", "verdict"}) text(file, nullptr, key);
    number(file, nullptr, "executions");
    const ordered_json& findings = list(file, nullptr, "findings");
    const At at{nullptr, "findings"};
    if (findings.empty()) fail(at, "is empty");
    for (std::size_t i = 0; i < findings.size(); ++i) finding(findings[i], {&at, nullptr, i});
    if (!file.contains("fixed")) return;
    const At fixed_at{nullptr, "fixed"};
    const ordered_json& fixed = object(file["fixed"], fixed_at);
    for (const char* const key : {"variant", "verdict", "trace"}) text(fixed, &fixed_at, key);
    number(fixed, &fixed_at, "executions");
    execution(fixed, fixed_at);
  }

 private:
  const ordered_json& object(const ordered_json& value, const At& at) const {
    if (!value.is_object()) fail(at, "is no object");
    return value;
  }
  const ordered_json& member(const ordered_json& parent, const At* at, const char* key) const {
    const auto found = parent.find(key);
    if (found == parent.end()) fail(At{at, key}, "is missing");
    return *found;
  }
  void text(const ordered_json& parent, const At* at, const char* key) const {
    if (!member(parent, at, key).is_string()) fail(At{at, key}, "is no string");
  }
  void flag(const ordered_json& parent, const At* at, const char* key) const {
    if (!member(parent, at, key).is_boolean()) fail(At{at, key}, "is neither true nor false");
  }
  const ordered_json& list(const ordered_json& parent, const At* at, const char* key) const {
    const ordered_json& value = member(parent, at, key);
    if (!value.is_array()) fail(At{at, key}, "is no list");
    return value;
  }
  std::uint64_t number(const ordered_json& value, const At& at) const {
    if (!value.is_number_unsigned()) fail(at, "is no whole number from 0 on");
    const auto read = value.get<std::uint64_t>();
    if (read > kLargestNumber) fail(at, "is too large");
    return read;
  }
  std::uint64_t number(const ordered_json& parent, const At* at, const char* key) const {
    return number(member(parent, at, key), At{at, key});
  }
  void step(std::uint64_t number, const std::vector<std::uint64_t>& steps, const At& at) const {
    if (number != 0 && !std::binary_search(steps.begin(), steps.end(), number))
      fail(at, fmt::format("is {}, which is the number of no step", number));
  }

  void finding(const ordered_json& finding, const At& at) const {
    object(finding, at);
    for (const char* const key : {"kind", "message", "schedule", "replay", "trace"}) text(finding, &at, key);
    for (const char* const key : {"warning", "from_before", "fewest_switches"}) flag(finding, &at, key);
    for (const char* const key : {"execution", "switches"}) number(finding, &at, key);
    texts(finding, at, "why");
    if (finding.contains("near")) text(finding, &at, "near");
    const std::vector<std::uint64_t> steps = execution(finding, at);
    const ordered_json& places = list(finding, &at, "places");
    const At places_at{&at, "places"};
    for (std::size_t i = 0; i < places.size(); ++i) {
      const At place{&places_at, nullptr, i};
      object(places[i], place);
      for (const char* const key : {"column", "what", "place"}) text(places[i], &place, key);
      step(number(places[i], &place, "step"), steps, At{&place, "step"});
      texts(places[i], place, "stack");
    }
  }

  void texts(const ordered_json& parent, const At& at, const char* key) const {
    const ordered_json& items = list(parent, &at, key);
    const At items_at{&at, key};
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (!items[i].is_string()) fail(At{&items_at, nullptr, i}, "is no string");
    }
  }

  /// Columns and steps; returns the numbers of the steps.
  std::vector<std::uint64_t> execution(const ordered_json& execution, const At& at) const {
    const ordered_json& columns = list(execution, &at, "columns");
    const At columns_at{&at, "columns"};
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const At column{&columns_at, nullptr, i};
      object(columns[i], column);
      text(columns[i], &column, "name");
      number(columns[i], &column, "thread");
      flag(columns[i], &column, "task");
    }
    const ordered_json& rows = list(execution, &at, "steps");
    const At rows_at{&at, "steps"};
    std::vector<std::uint64_t> steps;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const At row{&rows_at, nullptr, i};
      row_alone(object(rows[i], row), row, columns.size());
      const auto own = rows[i]["step"].get<std::uint64_t>();
      if (own != 0 && !steps.empty() && own <= steps.back())
        fail(At{&row, "step"}, fmt::format("is {}, but the step before has the number {}", own, steps.back()));
      if (own != 0) steps.push_back(own);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) references(rows[i], At{&rows_at, nullptr, i}, steps);
    return steps;
  }

  void row_alone(const ordered_json& row, const At& at, std::size_t columns) const {
    text(row, &at, "kind");
    const ordered_json& kind = row["kind"];
    if (kind != "operation" && kind != "note" && kind != "failure")
      fail(At{&at, "kind"}, "is none of operation, note, failure");
    if (number(row, &at, "step") == 0 && kind == "operation")
      fail(At{&at, "step"}, "is 0, but operations are numbered from 1");
    if (const std::uint64_t column = number(row, &at, "column"); column >= columns)
      fail(At{&at, "column"}, fmt::format("is {}, but the number of columns is {}", column, columns));
    for (const char* const key : {"thread", "text", "place", "file", "source", "object", "switched"})
      text(row, &at, key);
    for (const char* const key : {"reads", "writes", "marked"}) flag(row, &at, key);
    number(row, &at, "line");
    const ordered_json& changes = list(row, &at, "changes");
    const At changes_at{&at, "changes"};
    for (std::size_t i = 0; i < changes.size(); ++i) {
      const At change{&changes_at, nullptr, i};
      object(changes[i], change);
      for (const char* const key : {"name", "value"}) text(changes[i], &change, key);
    }
  }

  void references(const ordered_json& row, const At& at, const std::vector<std::uint64_t>& steps) const {
    for (const char* const key : {"reads_from", "overwritten_by", "overwrites", "waited_for"})
      step(number(row, &at, key), steps, At{&at, key});
    const ordered_json& before = list(row, &at, "happens_after");
    const At before_at{&at, "happens_after"};
    for (std::size_t i = 0; i < before.size(); ++i) {
      const At item{&before_at, nullptr, i};
      step(number(before[i], item), steps, item);
    }
  }

  const std::string& path_;
};

}  // namespace

ordered_json read_finding_file(const std::string& path) {
  ordered_json file = read_json_file(path);
  Check(path).finding_file(file);
  return file;
}

}  // namespace weft::cli
