#include "report/trace_steps.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace weft {
namespace {

TraceStep::Kind kind_of(TraceRow::Kind kind) {
  switch (kind) {
    case TraceRow::Kind::operation:
      return TraceStep::Kind::operation;
    case TraceRow::Kind::note:
      return TraceStep::Kind::note;
    case TraceRow::Kind::failure:
      return TraceStep::Kind::failure;
  }
  return TraceStep::Kind::note;
}

std::string changes_text(const std::vector<TraceStep::Change>& changes) {
  std::string text;
  for (const TraceStep::Change& change : changes)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", change.name, change.value);
  return text;
}

}  // namespace

std::string TraceRow::state() const { return changes_text(changes); }
std::string TraceStep::state() const { return changes_text(changes); }

const Trace::SitePlace* Trace::place_of(const FindingSite& site) const {
  const auto found = std::find_if(site_places.begin(), site_places.end(), [&](const SitePlace& p) {
    return p.thread == site.thread && p.events_before == site.events_before && p.place == site.place;
  });
  return found == site_places.end() ? nullptr : &*found;
}

bool Trace::has_tasks(ThreadId thread) const {
  const auto tasks = column_threads.begin() + static_cast<std::ptrdiff_t>(threads);
  return std::find(tasks, column_threads.end(), thread) != column_threads.end();
}

std::vector<TraceStep> steps_of(const Trace& trace) {
  std::vector<TraceStep> steps;
  for (const TraceRow& row : trace.rows) {
    if (!row.shown()) continue;
    steps.push_back({.kind = kind_of(row.kind),
                     .number = row.number,
                     .column = row.column,
                     .text = row.text,
                     .place = row.place,
                     .file = row.source.file,
                     .line = row.source.line,
                     .changes = row.changes,
                     .object = row.object,
                     .reads = row.reads,
                     .writes = row.writes,
                     .reads_from = row.reads_from,
                     .overwritten_by = row.overwritten_by,
                     .overwrites = row.overwrites,
                     .happens_after = row.happens_after,
                     .waited_for = row.waited_for,
                     .marked = row.marked || row.failing(),
                     .switched = row.switched});
  }
  return steps;
}

std::vector<TraceColumn> columns_of(const Trace& trace) {
  std::vector<TraceColumn> columns;
  for (std::size_t c = 0; c < trace.columns.size(); ++c)
    columns.push_back({trace.columns[c], index(trace.column_threads[c]), c >= trace.threads});
  return columns;
}

}  // namespace weft
