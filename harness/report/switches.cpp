#include "report/switches.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace weft {
namespace {

class Switches {
 public:
  explicit Switches(Trace& trace) : trace_(trace) {
    for (std::size_t i = 0; i < trace.rows.size(); ++i) {
      const TraceRow& row = trace.rows[i];
      if (!row.shown()) continue;
      if (row.number >= by_number_.size()) by_number_.resize(row.number + 1, nullptr);
      by_number_[row.number] = &row;
      // When a thread's notes are shown is a matter of taste, not of the execution.
      const bool is_step = row.kind == TraceRow::Kind::operation || row.stands_for_steps();
      if (!row.failing() && (is_step || trace.has_tasks(row.thread))) rows_.push_back(i);
    }
  }

  void find() {
    for (std::size_t i = 1; i < rows_.size(); ++i) {
      const TraceRow& last = trace_.rows[rows_[i - 1]];
      const TraceRow& row = trace_.rows[rows_[i]];
      if (row.column == last.column) continue;
      const auto first_shown = std::find_if(
          trace_.rows.begin() + static_cast<std::ptrdiff_t>(rows_[i - 1]) + 1, trace_.rows.end(),
          [&](const TraceRow& r) { return r.shown() && r.thread == row.thread && r.column != last.column; });
      first_shown->switched = reason(rows_[i - 1], row);
      first_shown->switched_from = last.column;
    }
    std::size_t column = rows_.empty() ? 0 : trace_.rows[rows_.front()].column;
    for (const std::size_t i : rows_) {
      const std::size_t next = trace_.rows[i].column;
      const bool same_thread = thread(next) == thread(column);
      const bool to_its_loop = same_thread && next < trace_.threads;
      if (next == column || to_its_loop) continue;
      trace_.switches += same_thread && column < trace_.threads ? 0 : 1;
      column = next;
    }
  }

 private:
  ThreadId thread(std::size_t column) const { return trace_.column_threads[column]; }
  const TraceRow* numbered(std::uint32_t number) const {
    return number < by_number_.size() ? by_number_[number] : nullptr;
  }

  /// Why the column of the row at `last` goes no further before `after`, although there is more to do.
  std::string reason(std::size_t last, const TraceRow& after) const {
    const TraceRow& row = trace_.rows[last];
    if (row.ends) return {};
    if (thread(after.column) == thread(row.column)) return row.suspends ? "suspended" : "";
    std::string why = wait_of_thread(last);
    if (!row.suspends) return why.empty() ? "preempted by " + trace_.columns[after.column] : why;
    return "suspended" + (why.empty() ? "" : "; " + trace_.columns[index(row.thread)] + " " + why);
  }

  /// What the thread of this row waits for before it can do anything more that is shown; empty if for nothing.
  std::string wait_of_thread(std::size_t last) const {
    const TraceRow& row = trace_.rows[last];
    const auto next = std::find_if(trace_.rows.begin() + static_cast<std::ptrdiff_t>(last) + 1, trace_.rows.end(),
                                   [&](const TraceRow& r) {
                                     const bool is_step = r.kind == TraceRow::Kind::operation || r.stands_for_steps();
                                     const bool passes_unseen = r.hidden && r.waits_for == TraceRow::Wait::none;
                                     return is_step && r.thread == row.thread && !passes_unseen;
                                   });
    if (next == trace_.rows.end()) return trace_.stuck[index(row.thread)];
    return next->waits_for != TraceRow::Wait::none && next->waited_for > row.number ? wait_text(*next) : "";
  }

  std::string wait_text(const TraceRow& row) const {
    const TraceRow* const given = numbered(row.waited_for);
    const std::string by = given == nullptr ? "" : trace_.columns[given->column];
    switch (row.waits_for) {
      case TraceRow::Wait::lock:
        return fmt::format("waits for {}{}", row.object, by.empty() ? "" : ", held by " + by);
      case TraceRow::Wait::message:
        return fmt::format("waits for a message from {}", by);
      case TraceRow::Wait::wake_up:
        return fmt::format("sleeps until {} wakes it", by);
      case TraceRow::Wait::end:
        return fmt::format("waits for {} to end", by);
      case TraceRow::Wait::none:
        break;
    }
    return {};
  }

  Trace& trace_;
  std::vector<std::size_t> rows_;  // that count: indices of Trace::rows
  std::vector<const TraceRow*> by_number_;
};

}  // namespace

void find_switches(Trace& trace) { Switches(trace).find(); }

}  // namespace weft
