#include "stress/findings.hpp"

#include <fmt/format.h>
#include <string.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "report/trace_steps.hpp"
#include "report/trace_text.hpp"
#include "stress/board.hpp"
#include "stress/sanitizer_report.hpp"

// This runtime's own code, which LinkEngine.cmake has put in a section of its own.
extern "C" {
extern const char __start_weft_text[];
extern const char __stop_weft_text[];
}

namespace weft::stress {
namespace {

constexpr std::size_t kMostOtherLines = 20;

std::string name_of_thread(std::size_t index) {
  const std::string name = index < kMostThreads ? board().threads[index].name.c_str() : "";
  if (!name.empty()) return name;
  return index == 0 ? "main" : fmt::format("thread {}", index);
}

/// By the system's number.
std::string name_of_thread(pid_t id) {
  for (std::size_t i = 0; i < board().thread_count(); ++i) {
    if (board().threads[i].id == id) return name_of_thread(i);
  }
  return fmt::format("thread with id {}", id);
}

/// As other reports name objects; empty if it has no name.
std::string name_of_object(std::uintptr_t address, SourcePlaces& places) {
  std::string name;
  board().objects.each([&](const ObjectRecord& object) {
    if (!name.empty() || address - object.address >= object.size) return;
    name = object.name.c_str();
    if (address != object.address) name += fmt::format("+{}", address - object.address);
  });
  return name.empty() ? places.global_object(address) : name;
}

bool is_racy(std::uintptr_t address) {
  bool racy = false;
  board().racy.each([&](const MemoryRange& range) { racy = racy || address - range.address < range.size; });
  return racy;
}

/// Writes the log down as a table.
class LogTable {
 public:
  explicit LogTable(SourcePlaces& places) : places_(places) {
    std::vector<Logged> entries;
    for (std::size_t i = 0; i < board().thread_count(); ++i) {
      const ThreadRecord& thread = board().threads[i];
      trace_.columns.push_back(name_of_thread(i));
      trace_.column_threads.push_back(ThreadId{static_cast<std::uint16_t>(i)});
      const std::uint64_t first = thread.entries - std::min<std::uint64_t>(thread.entries, ThreadRecord::kMostEntries);
      for (std::uint64_t entry = first; entry < thread.entries; ++entry)
        entries.push_back({i, &thread.log[entry % ThreadRecord::kMostEntries]});
      if (first != 0) cut_ = true;
    }
    trace_.threads = trace_.columns.size();
    std::stable_sort(entries.begin(), entries.end(),
                     [](const auto& a, const auto& b) { return a.second->time < b.second->time; });
    for (std::size_t i = 0; i < entries.size();) {
      const auto& [thread, entry] = entries[i];
      const std::size_t first = i;
      while (i < entries.size() && is_same(entries[first], entries[i])) ++i;
      const std::size_t times = i - first;
      add(thread, entry->task,
          times == 1 ? entry->text.c_str() : fmt::format("{} ({} times)", entry->text.c_str(), times),
          place_of(entry->place));
    }
  }

  TraceRow& add(std::size_t thread, std::uint32_t task, std::string text, std::string place) {
    const std::size_t column = column_of(thread, task);
    trace_.rows.push_back({.number = static_cast<std::uint32_t>(trace_.rows.size() + 1),
                           .text = std::move(text),
                           .place = std::move(place),
                           .column = column});
    return trace_.rows.back();
  }
  std::string text() const {
    return fmt::format("{}{}", cut_ ? "      (the newest rows of each thread)\n" : "",
                       trace_.rows.empty() ? "" : trace_table(trace_));
  }
  const Trace& trace() const { return trace_; }
  std::string place_of(const void* place) { return SourcePlaces::short_text(places_.line_of(place)); }

 private:
  using Logged = std::pair<std::size_t, const LogEntry*>;  // by a thread

  static bool is_same(const Logged& a, const Logged& b) {
    return a.first == b.first && a.second->task == b.second->task && a.second->place == b.second->place &&
           view(a.second->text.c_str()) == view(b.second->text.c_str());
  }

  std::size_t column_of(std::size_t thread, std::uint32_t task) {
    if (thread >= trace_.threads) thread = 0;
    const ThreadRecord& record = board().threads[thread];
    if (task == 0 || task > std::min<std::size_t>(record.tasks, ThreadRecord::kMostTasks)) return thread;
    const auto [known, is_new] = task_columns_.try_emplace({thread, task}, trace_.columns.size());
    if (is_new) {
      trace_.columns.push_back(record.task_names[task - 1].c_str());
      trace_.column_threads.push_back(ThreadId{static_cast<std::uint16_t>(thread)});
    }
    return known->second;
  }

  SourcePlaces& places_;
  Trace trace_;
  std::map<std::pair<std::size_t, std::uint32_t>, std::size_t> task_columns_;
  bool cut_ = false;
};

class Findings {
 public:
  Findings(const IterationEnd& end, const IterationName& name, SourcePlaces& places)
      : end_(end), name_(name), places_(places) {}

  std::vector<FindingReport> take() {
    for (const SanitizerReport& report : sanitizer_reports(end_.messages)) add_sanitizer_report(report);
    add_ending();
    return std::move(findings_);
  }

 private:
  void add(std::string kind, std::string message, const std::vector<FindingPlace>& sites, const LogTable& log,
           const std::string& details) {
    std::string text = fmt::format("BUG   {}: {} ({}), iteration {}\n", name_.variant, message, kind, name_.number);
    for (const FindingPlace& site : sites)
      text += fmt::format("      {}: {}{}{}\n", site.column, site.what, site.place.empty() ? "" : " at ", site.place);
    const std::string table = log.text();
    if (!table.empty()) text += "\n" + table;
    if (!details.empty()) text += "\n" + details;
    // The same choices and delays; what the processors make of them is another matter.
    const std::string again = fmt::format("weft stress {} --seed {} --iterations 1", name_.variant, name_.seed);
    text += fmt::format("AGAIN {}\n", again);
    findings_.push_back({.kind = std::move(kind),
                         .message = std::move(message),
                         .schedule = {},
                         .replay = again,
                         .trace = std::move(text),
                         .places = sites,
                         .columns = columns_of(log.trace()),
                         .steps = steps_of(log.trace()),
                         .execution = name_.number});
  }

  std::string name_of(const SanitizerReport& report, const std::string& thread) {
    if (thread == "main thread") return name_of_thread(std::size_t{0});
    const auto id = report.threads.find(thread);
    return id == report.threads.end() ? thread : name_of_thread(static_cast<pid_t>(id->second));
  }

  /// Where a frame is, if it is in code that the user wrote.
  std::optional<SourceLine> user_line(std::uintptr_t frame) {
    const auto place = reinterpret_cast<const char*>(frame);
    if (place >= __start_weft_text && place < __stop_weft_text) return std::nullopt;
    std::optional<SourceLine> line = places_.line_of(place);
    const bool of_others = !line || line->of_system || line->file.find("/lib/tsan/") != std::string::npos ||
                           line->file.find("sanitizer_common/") != std::string::npos ||
                           line->file.find("libsanitizer/") != std::string::npos;
    return of_others ? std::nullopt : line;
  }

  /// The innermost place of the user's own code.
  std::string place_of(const SanitizerAccess& access) {
    for (const std::uintptr_t frame : access.frames) {
      const std::optional<SourceLine> line = user_line(frame);
      if (line) return SourcePlaces::short_text(line);
    }
    return {};
  }

  /// The ThreadSanitizer takes the end of a block's life for a write. Where its own code has no debug information, only
  /// `is_free` tells.
  std::string what_of(const SanitizerAccess& access, bool is_free) {
    const std::optional<SourceLine> line =
        access.frames.empty() ? std::nullopt : places_.line_of(reinterpret_cast<const void*>(access.frames[0]));
    const bool frees = line && (line->function.starts_with("operator delete") || line->function == "free()" ||
                                line->function == "__interceptor_free()");
    return is_free || frees ? "free" : access.what;
  }

  /// The report with places where it has code addresses, and without what those who do not know the places fill in.
  std::string readable(const SanitizerReport& report) {
    std::string text;
    for (std::size_t begin = 0; begin < report.text.size();) {
      const std::size_t end = report.text.find('\n', begin);
      const std::string line = report.text.substr(begin, end - begin);
      begin = end + 1;
      if (line.empty() || line.starts_with("SUMMARY") || line.find("<null>") != std::string::npos) continue;
      if (!line.starts_with("    #")) {
        text += "      " + line + "\n";
        continue;
      }
      const std::optional<SourceLine> source = user_line(std::strtoull(line.c_str() + line.find(" 0x"), nullptr, 16));
      if (!source) continue;
      text += fmt::format("          {} in {}\n", SourcePlaces::short_text(source), source->function);
    }
    return text;
  }

  void add_sanitizer_report(const SanitizerReport& report) {
    if (report.accesses.size() < 2) {
      const bool about_mutex = report.kind.find("mutex") != std::string::npos;
      add(about_mutex ? "mutex misuse" : report.kind, report.kind, {}, LogTable(places_), readable(report));
      return;
    }
    const SanitizerAccess& later = report.accesses[0];
    const SanitizerAccess& earlier = report.accesses[1];
    const bool is_race = report.kind.starts_with("data race");
    if (is_race && is_racy(later.address) && is_racy(earlier.address)) return;
    std::vector<FindingPlace> sites;
    for (const SanitizerAccess* access : {&earlier, &later})
      sites.push_back({name_of(report, access->thread),
                       what_of(*access, access == &earlier && report.kind == "heap-use-after-free"),
                       place_of(*access)});
    const std::string object = name_of_object(later.address, places_);
    std::string message = object.empty() ? "" : object + ": ";
    if (is_race) {
      message += fmt::format("{} by {} and {} by {}: nothing orders them", sites[0].what, sites[0].column,
                             sites[1].what, sites[1].column);
    } else {
      message += fmt::format("{} by {}", report.kind, sites[1].column);
    }
    const char* const kind = is_race                                ? "data race"
                             : report.kind == "heap-use-after-free" ? "use after free"
                                                                    : report.kind.c_str();
    add(kind, std::move(message), sites, LogTable(places_), readable(report));
  }

  void add_ending() {
    switch (end_.how) {
      case IterationEnd::How::reported:
        if (board().phase == Phase::failed) add_failure(board().failure);
        return;
      case IterationEnd::How::exited:
        // The body may return from main by exit(0); the ThreadSanitizer makes 66 of it after a report.
        if (end_.status == 0 || (end_.status == 66 && !findings_.empty())) return;
        add("abort", fmt::format("the process ended itself with exit code {}", end_.status), {}, LogTable(places_),
            other_lines());
        return;
      case IterationEnd::How::signalled:
        add("signal", fmt::format("the process was ended by signal {} ({})", end_.status, strsignal(end_.status)), {},
            LogTable(places_), other_lines());
        return;
      case IterationEnd::How::blocked:
      case IterationEnd::How::overdue:
        add_hang();
        return;
    }
  }

  void add_failure(const Failure& failure) {
    LogTable log(places_);
    TraceRow& row = log.add(failure.thread, failure.task, failure.kind.c_str(), log.place_of(failure.place));
    row.kind = TraceRow::Kind::failure;
    row.number = 0;
    board().watched.each([&](const WatchedRecord& watched) {
      if (watched.readable)
        row.changes.insert(row.changes.begin(), {watched.name.c_str(), fmt::format("{}", watched.value_at_failure)});
    });
    const FindingPlace site{name_of_thread(std::size_t{failure.thread}), "failed here", row.place};
    add(failure.kind.c_str(), failure.message.c_str(), {site}, log, other_lines());
  }

  void add_hang() {
    const bool waits = all_wait(end_.threads);
    std::string message = end_.how == IterationEnd::How::overdue ? "not at its end in time: " : "";
    std::vector<FindingPlace> sites;
    for (const ThreadState& thread : end_.threads) {
      const std::string object = thread.waits_for == 0 ? "" : name_of_object(thread.waits_for, places_);
      const std::string what = thread.runs      ? "runs"
                               : !thread.waits  ? "sleeps"
                               : object.empty() ? "waits"
                                                : "waits for " + object;
      sites.push_back({name_of_thread(thread.id), what, {}});
      message += fmt::format("{}{} {}", &thread == &end_.threads.front() ? "" : "; ", sites.back().column, what);
    }
    add(waits ? "deadlock" : "livelock", std::move(message), sites, LogTable(places_), other_lines());
  }

  /// What the scenario printed, the end of it.
  std::string other_lines() const {
    const std::string text = other_messages(end_.messages);
    std::size_t begin = text.size();
    for (std::size_t lines = 0; begin != 0 && lines < kMostOtherLines; ++lines) {
      const std::size_t newline = begin < 2 ? std::string::npos : text.rfind('\n', begin - 2);
      begin = newline == std::string::npos ? 0 : newline + 1;
    }
    return text.substr(begin);
  }

  const IterationEnd& end_;
  const IterationName& name_;
  SourcePlaces& places_;
  std::vector<FindingReport> findings_;
};

}  // namespace

std::vector<FindingReport> findings_of(const IterationEnd& end, const IterationName& name, SourcePlaces& places) {
  return Findings(end, name, places).take();
}

}  // namespace weft::stress
