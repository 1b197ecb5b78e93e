#include "page/chrome_trace.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

namespace weft::page {
namespace {

using nlohmann::ordered_json;

constexpr std::int64_t kStep = 1000;  // microseconds
constexpr std::int64_t kSlice = 900;  // so that the slices of a track can be told apart
constexpr std::int64_t kFlow = 450;   // where in its slice a flow begins or ends

std::optional<double> number_in(const std::string& text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const std::from_chars_result read = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (read.ec != std::errc() || read.ptr != end || text.find_first_of("in") != std::string::npos) return std::nullopt;
  return number;
}

/// Puts executions into one list of events, each as a process of its own.
class TrackWriter {
 public:
  ordered_json events = ordered_json::array();

  void add(const std::string& name, const ordered_json& execution) {
    ++process_;
    name_tracks(name, execution.at("columns"));
    const ordered_json& rows = execution.at("steps");
    std::unordered_map<std::uint64_t, std::size_t> row_of_step;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      add_slice(rows[i], i);
      add_counters(rows[i], i);
      const auto step = rows[i].at("step").get<std::uint64_t>();
      if (step != 0) row_of_step.emplace(step, i);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (const auto& [key, words] : {std::pair{"reads_from", "reads from"}, std::pair{"waited_for", "wake-up"}}) {
        const auto step = rows[i].at(key).get<std::uint64_t>();
        // An arrow that leads back in time is none in this format; the slice's arguments have the number.
        if (step != 0 && row_of_step.at(step) < i) add_flow(words, rows, row_of_step.at(step), i);
      }
    }
  }

 private:
  static std::int64_t track(const ordered_json& row) { return row.at("column").get<std::int64_t>() + 1; }
  static std::int64_t time(std::size_t row) { return static_cast<std::int64_t>(row) * kStep; }

  void name_tracks(const std::string& name, const ordered_json& columns) {
    events.push_back({{"ph", "M"}, {"pid", process_}, {"name", "process_name"}, {"args", {{"name", name}}}});
    events.push_back(
        {{"ph", "M"}, {"pid", process_}, {"name", "process_sort_index"}, {"args", {{"sort_index", process_}}}});
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto one = static_cast<std::int64_t>(i) + 1;
      events.push_back({{"ph", "M"},
                        {"pid", process_},
                        {"tid", one},
                        {"name", "thread_name"},
                        {"args", {{"name", columns[i].at("name")}}}});
      events.push_back({{"ph", "M"},
                        {"pid", process_},
                        {"tid", one},
                        {"name", "thread_sort_index"},
                        {"args", {{"sort_index", one}}}});
    }
  }

  void add_slice(const ordered_json& row, std::size_t i) {
    const std::string kind = row.at("kind").get<std::string>();
    ordered_json arguments;
    if (row.at("step") != 0) arguments["step"] = row.at("step");
    for (const char* const key : {"thread", "place", "source", "object", "switched"}) {
      if (!row.at(key).get_ref<const std::string&>().empty()) arguments[key] = row.at(key);
    }
    for (const char* const key : {"reads_from", "overwritten_by", "overwrites", "waited_for"}) {
      if (row.at(key) != 0) arguments[key] = row.at(key);
    }
    if (!row.at("happens_after").empty()) arguments["happens_after"] = row.at("happens_after");
    if (row.at("marked").get<bool>()) arguments["part of what is wrong"] = true;
    for (const ordered_json& change : row.at("changes"))
      arguments["state"][change.at("name").get<std::string>()] = change.at("value");
    const std::string text = row.at("text").get<std::string>();
    events.push_back({{"ph", "X"},
                      {"pid", process_},
                      {"tid", track(row)},
                      {"ts", time(i)},
                      {"dur", kSlice},
                      {"cat", kind},
                      {"name", kind == "failure" ? "!! " + text : text},
                      {"args", std::move(arguments)}});
    if (kind != "failure") return;
    events.push_back(
        {{"ph", "i"}, {"s", "p"}, {"pid", process_}, {"tid", track(row)}, {"ts", time(i)}, {"name", "!! " + text}});
  }

  void add_counters(const ordered_json& row, std::size_t i) {
    for (const ordered_json& change : row.at("changes")) {
      const std::optional<double> value = number_in(change.at("value").get<std::string>());
      if (!value) continue;
      events.push_back({{"ph", "C"},
                        {"pid", process_},
                        {"ts", time(i)},
                        {"name", change.at("name")},
                        {"args", {{"value", *value}}}});
    }
  }

  void add_flow(const char* words, const ordered_json& rows, std::size_t from, std::size_t to) {
    ++flows_;
    const ordered_json common = {{"cat", words}, {"name", words}, {"id", flows_}, {"pid", process_}};
    ordered_json begin = common;
    begin.update({{"ph", "s"}, {"tid", track(rows[from])}, {"ts", time(from) + kFlow}});
    ordered_json end = common;
    end.update({{"ph", "f"}, {"bp", "e"}, {"tid", track(rows[to])}, {"ts", time(to) + kFlow}});
    events.push_back(std::move(begin));
    events.push_back(std::move(end));
  }

  std::int64_t process_ = 0;
  std::int64_t flows_ = 0;
};

}  // namespace

ordered_json chrome_trace(const ordered_json& finding) {
  TrackWriter writer;
  const std::string scenario = finding.at("scenario").get<std::string>();
  for (const ordered_json& one : finding.at("findings")) {
    writer.add(
        fmt::format("{}/{}: {}", scenario, finding.at("variant").get<std::string>(), one.at("kind").get<std::string>()),
        one);
  }
  if (finding.contains("fixed")) {
    const ordered_json& fixed = finding.at("fixed");
    writer.add(fmt::format("{}/{}: {}", scenario, fixed.at("variant").get<std::string>(),
                           fixed.at("verdict").get<std::string>()),
               fixed);
  }
  ordered_json replay = ordered_json::array();
  for (const ordered_json& one : finding.at("findings")) replay.push_back(one.at("replay"));
  return {{"displayTimeUnit", "ms"},
          {"otherData", {{"program", "weft"}, {"one step", "1 ms"}, {"replay", std::move(replay)}}},
          {"traceEvents", std::move(writer.events)}};
}

}  // namespace weft::page
