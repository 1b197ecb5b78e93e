#include "report/why.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace weft {
namespace {

using Does = detail::Note::Does;

class Explainer {
 public:
  Explainer(const Trace& trace, const Finding& finding) : trace_(trace), finding_(finding) {}

  Explanation run() {
    switch (finding_.kind) {
      case FindingKind::data_race:
        explain_race();
        break;
      case FindingKind::deadlock:
        explain_deadlock();
        break;
      case FindingKind::livelock:
        explain_deadlock();
        explain_spin();
        break;
      default:
        explain_lost_update();
        explain_stale_read();
        explain_replaced_twice();
        if (result_.sentences.empty()) explain_left_waiting();
        if (result_.sentences.empty()) explain_turns();
        break;
    }
    return std::move(result_);
  }

 private:
  const std::string& column(const TraceRow& row) const { return trace_.columns[row.column]; }
  std::string cite(std::uint32_t number) {
    result_.cited.push_back(number);
    return fmt::format("#{}", number);
  }
  void say(std::string sentence) { result_.sentences.push_back(std::move(sentence)); }

  /// A column reads an object, another one writes it, then the first writes what it made of the value that it read.
  void explain_lost_update() {
    struct Read {
      const TraceRow* row = nullptr;
      const TraceRow* missed = nullptr;  // the newest write by somebody else since then
      bool suspended = false;
    };
    using Object = std::pair<std::string, std::uint64_t>;
    std::map<std::pair<std::size_t, Object>, Read> reads;  // by column and object: the newest
    struct Lost {
      Read read;
      const TraceRow* write;
    };
    std::optional<Lost> lost;
    for (const TraceRow& row : trace_.rows) {
      if (row.suspends) {
        for (auto& [key, read] : reads) read.suspended = read.suspended || key.first == row.column;
      }
      if (row.object.empty() || !row.shown()) continue;
      const Object object{row.object, row.object_key};
      const bool atomic_update = row.reads && row.writes;
      if (row.writes && !atomic_update) {
        const auto own = reads.find({row.column, object});
        if (own != reads.end() && own->second.missed != nullptr) lost = Lost{own->second, &row};
      }
      if (row.writes) {
        for (auto& [key, read] : reads) {
          if (key.first != row.column && key.second == object) read.missed = &row;
        }
      }
      if (row.reads) reads[{row.column, object}] = {&row, nullptr, false};
      if (row.writes && !row.reads) reads.erase({row.column, object});
    }
    if (!lost) return;
    const TraceRow& read = *lost->read.row;
    const TraceRow& missed = *lost->read.missed;
    say(fmt::format("{} read {} = {} at {}; {} wrote {} to it at {};", column(read), read.object, read.value_read,
                    cite(read.number), column(missed), missed.value_written, cite(missed.number)));
    say(fmt::format("{} then wrote {} at {}, computed from the old value: what {} wrote is lost{}.", column(read),
                    lost->write->value_written, cite(lost->write->number), column(missed),
                    lost->read.suspended ? " (check, then act, across an await)" : ""));
  }

  void explain_stale_read() {
    for (const TraceRow& row : trace_.rows) {
      if (!row.reads || row.overwritten_by == 0 || !row.shown()) continue;
      const auto write = std::find_if(trace_.rows.begin(), trace_.rows.end(),
                                      [&](const TraceRow& r) { return r.number == row.overwritten_by && r.shown(); });
      if (write == trace_.rows.end()) continue;
      say(fmt::format(
          "{} read the old {} = {} at {}, though {} had written {} at {}: that write does not happen before "
          "the read, so the memory model allows both values.",
          column(row), row.object, row.value_read, cite(row.number), column(*write), write->value_written,
          cite(write->number)));
      return;
    }
  }

  /// One task had every turn of the thread that failed, for long, and the others none.
  void explain_turns() {
    const auto failure =
        std::find_if(trace_.rows.begin(), trace_.rows.end(), [](const TraceRow& r) { return r.failing(); });
    if (failure == trace_.rows.end()) return;
    std::map<std::size_t, const TraceRow*> last;  // by column: the newest row
    const TraceRow* first_of_run = nullptr;       // of the last rows of one task, none of another in between
    std::size_t run = 0;
    for (auto row = trace_.rows.begin(); row != failure; ++row) {
      if (!row->shown() || row->thread != failure->thread || row->column < trace_.threads) continue;
      if (row->does == Does::starves) continue;  // that is no turn
      const bool goes_on = first_of_run != nullptr && first_of_run->column == row->column;
      if (!goes_on) first_of_run = &*row;
      run = goes_on ? run + 1 : 1;
      last[row->column] = &*row;
    }
    constexpr std::size_t kLongRun = 4;
    if (run < kLongRun || last.size() < 2) return;
    say(fmt::format("{} had the last {} turns, from {} to {}:", column(*first_of_run), run, cite(first_of_run->number),
                    cite(last[first_of_run->column]->number)));
    last.erase(first_of_run->column);
    std::string others;
    for (const auto& [c, row] : last)
      others += fmt::format("{}{} had none after {} ({})", others.empty() ? "" : ", ", trace_.columns[c],
                            cite(row->number), row->text);
    say(others + ".");
    for (const TraceRow& row : trace_.rows) {
      if (row.shown() && row.does == Does::starves)
        say(fmt::format("At {} it still waits: {}.", cite(row.number), row.text));
    }
  }

  /// What the loop of this thread was told last, before this row: why it does what it does there.
  const TraceRow* told_before(const TraceRow& row) const {
    const TraceRow* told = nullptr;
    for (const TraceRow& earlier : trace_.rows) {
      if (&earlier == &row) break;
      if (earlier.shown() && earlier.thread == row.thread && earlier.does == Does::receives) told = &earlier;
    }
    return told;
  }

  /// Something was put in the place of one object twice, where once would have done.
  void explain_replaced_twice() {
    std::map<std::string, std::vector<const TraceRow*>> replaced;
    for (const TraceRow& row : trace_.rows) {
      if (row.shown() && row.does == Does::replaces) replaced[row.object].push_back(&row);
    }
    for (const auto& [object, rows] : replaced) {
      if (rows.size() < 2) continue;
      std::string text;
      for (const TraceRow* const row : rows) {
        const TraceRow* const told = told_before(*row);
        text += fmt::format("{}by {} at {}{}",
                            text.empty()         ? ""
                            : rows.back() == row ? ", and "
                                                 : ", ",
                            row->value_read, cite(row->number),
                            told == nullptr ? "" : fmt::format(", on {} ({})", told->text, cite(told->number)));
      }
      say(fmt::format("{} was replaced {}: {}.", object, rows.size() == 2 ? "twice" : "more than once", text));
    }
  }

  /// A task that was suspended and never resumed, or only by a timer of its own. If it had sent something to a thread
  /// that ended without an answer, that is why.
  void explain_left_waiting() {
    for (std::size_t c = trace_.threads; c < trace_.columns.size(); ++c) {
      const TraceRow* waits = nullptr;  // the task's newest suspension
      const TraceRow* then = nullptr;   // what came after it
      for (const TraceRow& row : trace_.rows) {
        if (!row.shown() || row.column != c || row.failing()) continue;
        if (row.suspends) {
          waits = &row;
          then = nullptr;
        } else if (then == nullptr) {
          then = &row;
        }
      }
      if (waits == nullptr || (then != nullptr && !is_of_failure(*then))) continue;
      explain_no_answer(c, *waits);
      say(fmt::format("{} was suspended at {} ({}), and nothing resumed it{}.", trace_.columns[c], cite(waits->number),
                      waits->text.substr(0, waits->text.rfind(": suspends")),
                      then == nullptr || then->does == Does::starves
                          ? ""
                          : fmt::format(" before {} ({})", cite(then->number), then->text)));
    }
  }

  /// The last thing that a task did before it failed, or what says that it never went on.
  bool is_of_failure(const TraceRow& row) const {
    const auto next = std::find_if(trace_.rows.begin(), trace_.rows.end(),
                                   [&](const TraceRow& r) { return &r > &row && r.shown() && r.column == row.column; });
    return row.does == Does::starves || (next != trace_.rows.end() && next->failing());
  }

  /// What the task of this column sent before it waited, and who took it and ended.
  void explain_no_answer(std::size_t sender, const TraceRow& waits) {
    for (const TraceRow& sent : trace_.rows) {
      if (&sent == &waits) break;
      if (!sent.shown() || sent.column != sender || sent.does != Does::sends) continue;
      const TraceRow* const taken = first_after(sent, [&](const TraceRow& r) {
        return r.does == Does::receives && r.object == sent.object && r.waited_for == sent.number;
      });
      if (taken == nullptr) continue;
      const TraceRow* const next = first_after(*taken, [&](const TraceRow& r) {
        return r.thread == taken->thread && (r.does == Does::sends || r.does == Does::ends);
      });
      if (next == nullptr || next->does != Does::ends) continue;
      std::string text = fmt::format(
          "{} took at {} what {} had sent at {}, and came to its end without an answer ({} at {})", column(*taken),
          cite(taken->number), column(sent), cite(sent.number), next->text, cite(next->number));
      std::string heard;
      for (const TraceRow& row : trace_.rows) {
        const bool is_news = row.shown() && row.does == Does::receives && row.thread == sent.thread;
        if (is_news && is_end_of(row.waited_for, taken->thread))
          heard += fmt::format("{}{} ({})", heard.empty() ? "" : " and ", cite(row.number), row.text);
      }
      if (!heard.empty()) text += fmt::format("; {} heard of it at {}", trace_.columns[index(sent.thread)], heard);
      say(text + ".");
    }
  }

  template <class Wanted>
  const TraceRow* first_after(const TraceRow& row, Wanted wanted) const {
    for (const TraceRow& later : trace_.rows) {
      if (&later > &row && later.shown() && wanted(later)) return &later;
    }
    return nullptr;
  }

  bool is_end_of(std::uint32_t number, ThreadId thread) const {
    return std::any_of(trace_.rows.begin(), trace_.rows.end(), [&](const TraceRow& row) {
      return row.shown() && row.number == number && row.thread == thread && row.does == Does::ends;
    });
  }

  /// What was sent to an event loop that waits, and never received.
  void explain_unhandled() {
    for (const TraceRow& sent : trace_.rows) {
      if (!sent.shown() || sent.does != Does::sends) continue;
      const bool taken = std::any_of(trace_.rows.begin(), trace_.rows.end(), [&](const TraceRow& row) {
        return row.shown() && row.does == Does::receives && row.waited_for == sent.number;
      });
      if (!taken)
        say(fmt::format("What {} sent at {} ({}) was never handled.", column(sent), cite(sent.number), sent.text));
    }
  }

  /// Of the sites of a deadlock, one that took what the one before it waits for says "took it".
  void explain_deadlock() {
    const bool is_only_one_left = finding_.sites.size() == 1;
    for (std::size_t i = 0; i < finding_.sites.size(); ++i) {
      const FindingSite& site = finding_.sites[i];
      if (!site.what.starts_with("waits to")) continue;
      const std::string& thread = trace_.columns[index(site.thread)];
      std::string since;
      if (i + 1 < finding_.sites.size() && finding_.sites[i + 1].what == "took it") {
        const Trace::SitePlace* const taken = trace_.place_of(finding_.sites[i + 1]);
        if (taken != nullptr && taken->is_row) since = fmt::format(" since {}", cite(taken->number));
      }
      const bool is_loop = trace_.has_tasks(site.thread);
      if (!is_loop || !is_only_one_left)  // of a loop that is alone there is more to say than what the message has said
        say(fmt::format("{} {}{}{}", thread, site.what, since, i + 2 >= finding_.sites.size() ? "." : ";"));
      if (!is_loop) continue;
      say(fmt::format("While {} waits, none of its callbacks can run{}.", thread,
                      is_only_one_left && trace_.threads > 1 ? ", and every other thread has ended" : ""));
      explain_unhandled();
    }
  }

  void explain_spin() {
    for (const FindingSite& site : finding_.sites) {
      if (!site.what.starts_with("spins")) continue;
      const auto read = std::find_if(trace_.rows.rbegin(), trace_.rows.rend(), [&](const TraceRow& row) {
        return row.thread == site.thread && row.reads && row.shown();
      });
      if (read == trace_.rows.rend()) continue;
      say(fmt::format("{} reads {} = {} at {} and again and again; every other thread has ended or waits.",
                      column(*read), read->object, read->value_read, cite(read->number)));
    }
  }

  void explain_race() {
    if (finding_.sites.size() != 2) return;
    const std::string& first = trace_.columns[index(finding_.sites[0].thread)];
    const std::string& second = trace_.columns[index(finding_.sites[1].thread)];
    say(fmt::format(
        "No lock, atomic, message, start or join leads from the {} of {} to the {} of {}, or back: they may "
        "happen at the same time.",
        word(finding_.sites[0]), first, word(finding_.sites[1]), second));
  }

  /// "write of 4 bytes" without its size.
  static std::string word(const FindingSite& site) { return site.what.substr(0, site.what.find(" of ")); }

  const Trace& trace_;
  const Finding& finding_;
  Explanation result_;
};

}  // namespace

Explanation explain(const Trace& trace, const Finding& finding) { return Explainer(trace, finding).run(); }

}  // namespace weft
