#include "report/trace.hpp"

#include <fmt/format.h>

#include <unwind.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "explore/linearize.hpp"
#include "report/column_names.hpp"
#include "report/switches.hpp"
#include "runtime/call_stack.hpp"
#include "runtime/object_words.hpp"
#include "runtime/sleeping.hpp"
#include "runtime/thread_records.hpp"

namespace weft {
namespace {

const char* order_suffix(const Event& e) {
  if (e.plain_access) return "";
  switch (e.order) {
    case Order::relaxed:
      return " (relaxed)";
    case Order::acquire:
      return " (acquire)";
    case Order::release:
      return " (release)";
    case Order::acq_rel:
      return " (acq_rel)";
    case Order::seq_cst:
      return "";
  }
  return "";
}

std::string number_text(std::uint64_t bits, std::size_t size, bool is_signed) {
  if (!is_signed) return std::to_string(bits);
  const unsigned unused = 64 - static_cast<unsigned>(size) * 8;
  return std::to_string(static_cast<std::int64_t>(bits << unused) >> unused);
}

// What an atomic object holds is printed as a small number, whose sign nobody knows, or as an address.
std::string value_text(Value value, std::size_t size) {
  const unsigned bits = static_cast<unsigned>(size) * 8;
  const bool looks_negative = bits >= 32 && bits <= 64 && (value >> (bits - 16)) == 0xffff;
  if (looks_negative) return number_text(value, size, true);
  return value >= 1'000'000'000'000 ? fmt::format("{:#x}", value) : std::to_string(value);
}

// A channel of the scenario's own, as opposed to one that a thread of it sleeps on.
bool is_of_scenario(const Operation& operation) { return (operation.location.bits & kTicketBit) == 0; }

/// The body of a coroutine is to g++ a function of its own, whose parameter is the frame: only the coroutine has a name
/// that says something.
std::string without_frame(std::string name) {
  static constexpr std::string_view kActor = " [clone .actor]";
  if (!name.ends_with(kActor)) return name;
  name.resize(name.size() - kActor.size());
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    depth += name[i] == ')' ? 1 : name[i] == '(' ? -1 : 0;
    if (depth != 0) continue;
    name.resize(i);
    break;
  }
  static constexpr std::string_view kNoise = "(anonymous namespace)::";
  for (std::size_t at = 0; (at = name.find(kNoise)) != std::string::npos;) name.erase(at, kNoise.size());
  return name;
}

/// In the order in which the run did its steps.
std::size_t switches_between_threads(const ExecutionGraph& graph) {
  std::size_t switches = 0;
  for (std::size_t i = 1; i < graph.size(); ++i) {
    const EventId e{static_cast<std::uint32_t>(i)};
    switches += graph[e].thread != graph[EventId{static_cast<std::uint32_t>(i - 1)}].thread ? 1 : 0;
  }
  return switches;
}

// Listeners are called on the fiber of the thread that does the step, so its stack is the one to walk. Frames of
// libraries are on it, which a stack of instrumented functions would not have.
std::vector<const void*> callers_outermost_first() {
  std::vector<const void*> frames;
  _Unwind_Backtrace(
      [](_Unwind_Context* context, void* result) {
        auto& into = *static_cast<std::vector<const void*>*>(result);
        into.push_back(reinterpret_cast<const void*>(_Unwind_GetIP(context)));
        return into.size() < 64 ? _URC_NO_REASON : _URC_END_OF_STACK;
      },
      &frames);
  std::reverse(frames.begin(), frames.end());
  return frames;
}

}  // namespace

TraceRecorder::TraceRecorder(Execution& execution, SourcePlaces& places, std::optional<Race> race)
    : execution_(execution), places_(places), race_(race) {
  run_begins();
}

TraceRow TraceRecorder::make_row(TraceRow::Kind kind, ThreadId thread, std::string text, const void* place) {
  TraceRow row{.kind = kind, .thread = thread, .text = std::move(text), .column = column_now(thread)};
  const std::optional<SourceLine> line = places_.user_line(place, callers_outermost_first());
  if (!line || line->of_system) return row;  // a library's own line tells nobody anything
  const bool is_of_loop = index(thread) < runs_callbacks_.size() && runs_callbacks_[index(thread)].line == line->line &&
                          runs_callbacks_[index(thread)].file == line->file;
  if (is_of_loop) return row;
  row.place = SourcePlaces::short_text(line);
  row.source = *line;
  return row;
}

TraceRow& TraceRecorder::add_row(TraceRow row) {
  show_written();
  plain_row_.reset();
  show_notes_of(row.thread);
  show_changes();
  if (has_failed_ && !row.failing()) row.hidden = true;  // others may go on; that has no part in it
  if (row.shown() && !row.failing()) row.number = ++rows_;
  trace_.rows.push_back(std::move(row));
  return trace_.rows.back();
}

std::size_t TraceRecorder::column_now(ThreadId thread) const {
  const std::uint32_t number = index(thread) < running_task_.size() ? running_task_[index(thread)] : 0;
  const auto task = std::find_if(tasks_.begin(), tasks_.end(),
                                 [=](const Task& t) { return t.thread == thread && t.number == number; });
  // Threads come first in the end, however many there will be.
  return task == tasks_.end() ? index(thread) : kMaxThreads + static_cast<std::size_t>(task - tasks_.begin());
}

void TraceRecorder::run_begins() {
  trace_ = {};
  thread_names_.assign(1, "main");
  tasks_.clear();
  running_task_.clear();
  hides_steps_.clear();
  runs_callbacks_.clear();
  next_words_.clear();
  watched_.clear();
  notes_.clear();
  plain_row_.reset();
  written_is_open_ = false;
  step_places_.clear();
  number_of_.clear();
  rows_ = 0;
  has_failed_ = false;
}

void TraceRecorder::show_notes(std::optional<ThreadId> of) {
  // Where a note stands between the steps of other threads means nothing: beside its own thread's next step it takes no
  // switch.
  std::vector<TraceRow> later;
  for (TraceRow& note : notes_) {
    if (of && note.thread != *of) {
      later.push_back(std::move(note));
      continue;
    }
    note.hidden = has_failed_;
    if (!note.hidden) note.number = ++rows_;
    trace_.rows.push_back(std::move(note));
  }
  notes_ = std::move(later);
}

void TraceRecorder::show_notes_of(ThreadId thread) {
  if (std::any_of(notes_.begin(), notes_.end(), [=](const TraceRow& note) { return note.thread == thread; }))
    show_notes(thread);
}

std::uint32_t TraceRecorder::number_of(EventId event) const {
  if (event == kNoEvent || is_initial_write(event) || index(event) >= number_of_.size()) return 0;
  return number_of_[index(event)];
}

void TraceRecorder::describe_read(TraceRow& row, EventId event, const Operation& operation) const {
  const ExecutionGraph& graph = execution_.graph();
  const Event& read = graph[event];
  row.reads = true;
  row.value_read = value_text(graph.value_of_write(read.source), operation.size);
  row.reads_from = number_of(read.source);
  std::size_t newer = graph.coherence_position(read.location, read.source) + 1;
  const bool is_own_write = newer <= graph.last_position(read.location) && graph.has_write_part(event) &&
                            graph.write_at(read.location, newer) == graph.thread(read.thread)[read.index + 1];
  if (is_own_write) ++newer;
  if (newer <= graph.last_position(read.location)) row.overwritten_by = number_of(graph.write_at(read.location, newer));
}

void TraceRecorder::describe(TraceRow& row, EventId event, const Operation& operation) {
  const ExecutionGraph& graph = execution_.graph();
  const Event& e = graph[event];
  const auto stale = [&] {
    return row.overwritten_by == 0 ? "" : fmt::format(" (stale: overwritten at #{})", row.overwritten_by);
  };
  if (has_location(operation.kind)) {
    row.object = location_name(execution_.memory(), operation.location);
    row.object_key = operation.location.bits;
  }
  switch (operation.kind) {
    case OperationKind::read:
      describe_read(row, event, operation);
      row.text = fmt::format("load {} -> {}{}{}", row.object, row.value_read, stale(), order_suffix(e));
      break;
    case OperationKind::write: {
      if (operation.location.space() == LocationKey::Space::object) {
        row.text = fmt::format("{} {}", words_of(e.thread), row.object);
        break;
      }
      row.writes = true;
      row.value_written = value_text(e.value, operation.size);
      const std::size_t newer = graph.coherence_position(e.location, event) + 1;
      const bool last = newer > graph.last_position(e.location);
      if (!last) row.overwritten_by = number_of(graph.write_at(e.location, newer));
      row.text =
          fmt::format("store {} = {}{}{}", row.object, row.value_written,
                      last ? "" : fmt::format(" (overwritten already, at #{})", row.overwritten_by), order_suffix(e));
      break;
    }
    case OperationKind::rmw:
      describe_read(row, event, operation);
      if (operation.location.space() == LocationKey::Space::object) {
        row.reads = false;  // states have no values
        const char* const words = words_of(e.thread);
        const bool in_vain = row.value_read == "0" && std::string_view(words).starts_with("notify");
        row.text = fmt::format("{} {}{}", words, row.object, in_vain ? ": nobody waits" : "");
      } else if (!graph.has_write_part(event)) {
        row.text = fmt::format("update {}: {}, unchanged{}{}", row.object, row.value_read, stale(), order_suffix(e));
      } else {
        row.writes = true;
        row.value_written = value_text(graph[graph.thread(e.thread)[e.index + 1]].value, operation.size);
        row.text = fmt::format("update {}: {} -> {}{}{}", row.object, row.value_read, row.value_written, stale(),
                               order_suffix(e));
      }
      break;
    case OperationKind::fence:
      row.text = fmt::format("fence{}", order_suffix(e));
      break;
    case OperationKind::choose:
      row.text = fmt::format("choose 0..{} -> {}", operation.operand - 1, e.value);
      break;
    case OperationKind::lock:
      row.text = fmt::format("lock {}: waits", row.object);
      break;
    case OperationKind::gate:
      row.text = fmt::format("lock {}", row.object);
      row.waits_for = TraceRow::Wait::lock;
      break;
    case OperationKind::unlock:
      row.text = fmt::format("unlock {}", row.object);
      break;
    case OperationKind::send:
      row.text = fmt::format("{} {}", is_of_scenario(operation) ? "send to" : "wake", row.object);
      break;
    case OperationKind::receive:
      row.text = is_of_scenario(operation) ? fmt::format("receive from {}", row.object) : "woken";
      row.waits_for = is_of_scenario(operation) ? TraceRow::Wait::message : TraceRow::Wait::wake_up;
      break;
    case OperationKind::create:
      row.text = "start";
      break;
    case OperationKind::end:
      row.text = "end";
      row.ends = true;
      break;
    case OperationKind::join:
      row.text = "join";
      row.waits_for = TraceRow::Wait::end;
      break;
  }
  if (row.waits_for != TraceRow::Wait::none) row.waited_for = number_of(e.source);
}

void TraceRecorder::next_step(ThreadId thread, const char* words) {
  if (next_words_.size() <= index(thread)) next_words_.resize(index(thread) + 1, nullptr);
  next_words_[index(thread)] = words;
}

const char* TraceRecorder::words_of(ThreadId thread) {
  if (index(thread) >= next_words_.size()) return "step on";
  const char* const words = std::exchange(next_words_[index(thread)], nullptr);
  return words == nullptr ? "step on" : words;
}

void TraceRecorder::step(ThreadId thread, EventId event, const Operation& operation) {
  const ExecutionGraph& graph = execution_.graph();
  if (index(event) >= graph.size()) return;  // a replay that has diverged
  TraceRow row = make_row(TraceRow::Kind::operation, thread, "", operation.place);
  const bool of_model =
      has_location(operation.kind) && execution_.memory().objects.hides_steps(operation.location.address());
  const bool hidden = of_model || (index(thread) < hides_steps_.size() && hides_steps_[index(thread)]);
  // The place in the queue of a lock that is granted at once is no step of its own.
  const bool replaces_last = operation.kind == OperationKind::gate && !trace_.rows.empty() &&
                             trace_.rows.back().kind == TraceRow::Kind::operation && !trace_.rows.back().marked &&
                             trace_.rows.back().number == rows_ && trace_.rows.back().thread == thread;
  row.event = event;
  row.hidden = hidden;
  row.events_before = graph[event].index;
  row.local = operation.plain_access && execution_.thread_count() == 1;
  describe(row, event, operation);
  if (operation.kind == OperationKind::create || operation.kind == OperationKind::join)
    row.other_thread = ThreadId{static_cast<std::uint16_t>(operation.operand)};
  const SourceLine source = row.source;
  if (replaces_last && !hidden) {
    row.number = rows_;
    row.changes = std::move(trace_.rows.back().changes);
    trace_.rows.back() = std::move(row);
  } else {
    add_row(std::move(row));
    if (!trace_.rows.back().shown()) trace_.rows.back().number = rows_;
  }
  step_places_.push_back({.thread = thread,
                          .events_before = graph[event].index,
                          .place = operation.place,
                          .text = source.line == 0 ? "" : SourcePlaces::short_text(source),
                          .source = source,
                          .number = rows_,
                          .is_row = !hidden && !has_failed_});
  const bool two = graph.has_write_part(event);
  trace_.operations.push_back(
      {.thread = thread,
       .kind = operation.kind,
       .object_key = has_location(operation.kind) ? operation.location.bits : 0,
       .writes = two || operation.kind == OperationKind::write,
       .options = operation.kind == OperationKind::choose ? static_cast<std::uint32_t>(operation.operand) : 0,
       .number = rows_,
       .is_row = !hidden && !has_failed_});
  const std::size_t last = index(two ? graph.thread(thread)[graph[event].index + 1] : event);
  if (number_of_.size() <= last) number_of_.resize(last + 1, 0);
  number_of_[index(event)] = number_of_[last] = rows_;
}

void TraceRecorder::note(ThreadId thread, const detail::Note& note, const void* place) {
  TraceRow row = make_row(TraceRow::Kind::note, thread, note.text, place);
  row.object = note.object;
  row.events_before = execution_.events_of_run(thread) - 1;
  row.reads = note.does == detail::Note::Does::reads;
  row.writes = note.does == detail::Note::Does::writes;
  (row.writes ? row.value_written : row.value_read) = note.value;
  row.suspends = note.does == detail::Note::Does::suspends;
  row.ends = note.does == detail::Note::Does::ends;
  row.does = note.does;
  const bool has_tasks = std::any_of(tasks_.begin(), tasks_.end(), [=](const Task& t) { return t.thread == thread; });
  if (has_tasks) {
    add_row(std::move(row));  // tasks take turns on one thread: what they do is in order already
  } else {
    notes_.push_back(std::move(row));
  }
}

void TraceRecorder::name_thread(ThreadId thread, const char* name) {
  if (thread_names_.size() <= index(thread)) thread_names_.resize(index(thread) + 1);
  thread_names_[index(thread)] = name;
}

void TraceRecorder::enter_task(ThreadId thread, std::uint32_t task) {
  if (running_task_.size() <= index(thread)) running_task_.resize(index(thread) + 1);
  running_task_[index(thread)] = task;
}

void TraceRecorder::name_task(ThreadId thread, std::uint32_t task, const char* name) {
  tasks_.push_back({thread, task, name});
}

void TraceRecorder::show_steps(ThreadId thread, bool show) {
  if (hides_steps_.size() <= index(thread)) hides_steps_.resize(index(thread) + 1);
  hides_steps_[index(thread)] = !show;
}

void TraceRecorder::runs_callbacks(ThreadId thread, bool runs) {
  if (runs_callbacks_.size() <= index(thread)) runs_callbacks_.resize(index(thread) + 1);
  const std::optional<SourceLine> line = places_.user_line(nullptr, callers_outermost_first());
  runs_callbacks_[index(thread)] = runs && line && !line->of_system ? *line : SourceLine{};
}

void TraceRecorder::watch(const char* name, const volatile void* address, std::size_t size, bool is_signed) {
  for (const Watched& watched : watched_) {
    if (watched.address == address && watched.name == name) return;
  }
  watched_.push_back({name, address, size, is_signed, {}});
}

std::string TraceRecorder::current_value(const Watched& watched) const {
  std::uint64_t bits = 0;
  const ExecutionGraph& graph = execution_.graph();
  const auto location =
      execution_.memory().locations.find(LocationKey::of(LocationKey::Space::memory, watched.address));
  if (location && graph.has_location(*location)) {
    bits = graph.value_of_write(graph.write_at(*location, graph.last_position(*location)));
  } else {
    std::memcpy(&bits, const_cast<const void*>(watched.address), std::min<std::size_t>(watched.size, 8));
  }
  return number_text(bits, watched.size, watched.is_signed);
}

void TraceRecorder::show_changes() {
  const auto last =
      std::find_if(trace_.rows.rbegin(), trace_.rows.rend(), [](const TraceRow& row) { return row.shown(); });
  if (last == trace_.rows.rend()) return;
  for (Watched& watched : watched_) {
    std::string value = current_value(watched);
    if (watched.shown == value) continue;
    last->changes.push_back({watched.name, value});
    watched.shown = std::move(value);
  }
}

// Of a step that was done, what its row says; else the thread is there now.
Trace::SitePlace TraceRecorder::site_place(const FindingSite& site, bool is_running) {
  const StepListener::AccessSite access{site.thread, site.events_before, site.place};
  Trace::SitePlace found{.thread = site.thread, .events_before = site.events_before, .place = site.place};
  const bool is_shown_access = is_first_of_race(access);
  const auto step = std::find_if(step_places_.rbegin(), step_places_.rend(), [&](const Trace::SitePlace& done) {
    return done.thread == site.thread && done.place == site.place &&
           (done.events_before < site.events_before || (is_shown_access && done.events_before == site.events_before));
  });
  const bool is_there_now = execution_.events_of_run(site.thread) == site.events_before && !is_shown_access;
  if (step != step_places_.rend() && !is_there_now) {
    found = *step;
    found.events_before = site.events_before;
    return found;
  }
  std::optional<SourceLine> line = places_.user_line(site.place, call_stack(site.thread));
  if ((!line || line->of_system) && is_running) line = places_.user_line(site.place, callers_outermost_first());
  if (line && !line->of_system) {
    found.text = SourcePlaces::short_text(line);
    found.source = *line;
  }
  found.stack = call_stack_text(site.thread, site.place);
  return found;
}

std::vector<std::string> TraceRecorder::call_stack_text(ThreadId thread, const void* place) {
  std::vector<std::string> stack;
  const auto add = [&](const void* address) {
    if (SourcePlaces::is_own_code(address)) return;
    for (const SourceLine& line : places_.inlined_calls(address)) {
      // What cannot be demangled is a part that the compiler has split off, of a coroutine for instance.
      if (line.of_system || line.function.empty() || line.function.starts_with("_Z")) continue;
      stack.push_back(fmt::format("{} at {}", without_frame(line.function), SourcePlaces::short_text(line)));
    }
  };
  add(place);
  const std::span<const void* const> callers = call_stack(thread);
  for (std::size_t i = callers.size(); i-- > 0;) add(callers[i]);
  return stack;
}

void TraceRecorder::show_written() {
  if (!std::exchange(written_is_open_, false)) return;
  TraceRow& row = trace_.rows.back();
  Value value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(plain_row_->address), plain_row_->size);
  row.value_written = value_text(value, plain_row_->size);
  row.text = fmt::format("write {} = {}", row.object, row.value_written);
}

// The same place may be passed several times between two visible operations: the last time is what counts.
void TraceRecorder::plain_access(const AccessSite& site, bool writes, std::uintptr_t address, std::size_t size) {
  const bool is_first = is_first_of_race(site);
  const bool overlaps = race_ && address < race_->address + race_->size && race_->address < address + size;
  if (!is_first && (!overlaps || has_failed_ || execution_.thread_count() == 1)) return;
  if (plain_row_ && plain_row_->site == site && plain_row_->address == address) {
    trace_.rows.pop_back();
    --rows_;
    written_is_open_ = false;
  }
  TraceRow row = make_row(TraceRow::Kind::operation, site.thread, "", site.place);
  row.object = location_name(execution_.memory(), LocationKey::of(LocationKey::Space::memory, address));
  row.object_key = address;
  row.reads = !writes;
  row.writes = writes;
  row.text = fmt::format("write {}", row.object);
  const std::size_t whole = std::min(size, sizeof(Value));
  if (!writes) {
    Value value = 0;
    std::memcpy(&value, reinterpret_cast<const void*>(address), whole);
    row.value_read = value_text(value, whole);
    row.text = fmt::format("read {} -> {}", row.object, row.value_read);
  }
  row.marked = is_first;
  row.plain_access = site.place;
  row.events_before = site.events_before;
  const SourceLine source = row.source;
  const std::string place = row.place;
  add_row(std::move(row));
  if (trace_.rows.back().shown()) plain_row_ = PlainRow{site, address, whole};
  written_is_open_ = writes && plain_row_;
  if (!is_first) return;
  step_places_.push_back({.thread = site.thread,
                          .events_before = site.events_before,
                          .place = site.place,
                          .text = place,
                          .source = source,
                          .number = rows_,
                          .is_row = true,
                          .stack = call_stack_text(site.thread, site.place)});
}

void TraceRecorder::found(const Finding& finding) {
  if (finding.kind == FindingKind::warning) return;
  // Of a race, the later access is last; of everything else, what went wrong is first, and then what it has to do with.
  const bool race = finding.kind == FindingKind::data_race;
  std::string racing_access;
  if (race && plain_row_ && !finding.sites.empty() && plain_row_->site.thread == finding.sites.back().thread &&
      plain_row_->site.place == finding.sites.back().place && !trace_.rows.back().marked) {
    // The access that is one too many: the failure is its row.
    racing_access = trace_.rows.back().text;
    trace_.rows.pop_back();
    --rows_;
    written_is_open_ = false;
  }
  show_written();
  plain_row_.reset();
  for (const FindingSite& site : finding.sites) {
    const bool stopped_it = site.place == nullptr && finding.sites.size() == 1 && finding.kind != FindingKind::leak;
    trace_.site_places.push_back(site_place(site, stopped_it));
  }
  show_notes();
  const std::size_t here = race && !finding.sites.empty() ? finding.sites.size() - 1 : 0;
  const ThreadId thread = finding.sites.empty() ? ThreadId{0} : finding.sites[here].thread;
  std::string text = to_string(finding.kind);
  if (race && !finding.sites.empty())
    text += ": " + (racing_access.empty() ? finding.sites.back().what : racing_access);
  if (!finding.sites.empty() && finding.sites[here].what.starts_with(kFailedHere))
    text += finding.sites[here].what.substr(std::string_view(kFailedHere).size());
  TraceRow row = make_row(TraceRow::Kind::failure, thread, std::move(text), nullptr);
  if (!finding.sites.empty()) {
    const Trace::SitePlace& site = trace_.site_places[trace_.site_places.size() - finding.sites.size() + here];
    row.place = site.text;
    row.source = site.source;
  }
  add_row(std::move(row));
  has_failed_ = true;
  if (finding.kind != FindingKind::deadlock && finding.kind != FindingKind::livelock) return;
  trace_.stuck.resize(execution_.thread_count());
  for (const FindingSite& site : finding.sites) {
    std::string& stuck = trace_.stuck[index(site.thread)];
    if (stuck.empty() && site.what.starts_with("waits")) stuck = site.what;
  }
}

void TraceRecorder::find_private_objects() {
  std::map<std::pair<std::string, std::uint64_t>, std::size_t> column_of;  // of several: the number of columns
  for (const TraceRow& row : trace_.rows) {
    if (row.object.empty()) continue;
    const auto [known, is_new] = column_of.try_emplace({row.object, row.object_key}, row.column);
    if (!is_new && known->second != row.column) known->second = trace_.columns.size();
  }
  for (TraceRow& row : trace_.rows) {
    const bool access = row.kind == TraceRow::Kind::operation && (row.reads || row.writes);
    row.alone = access && column_of[{row.object, row.object_key}] == row.column;
  }
}

// Messages come in the order in which they were sent.
void TraceRecorder::find_sends() {
  std::map<std::string, std::deque<std::uint32_t>> sent;  // by channel
  for (TraceRow& row : trace_.rows) {
    if (!row.shown() || row.object.empty()) continue;
    if (row.does == detail::Note::Does::sends || row.does == detail::Note::Does::ends) {
      sent[row.object].push_back(row.number);
    } else if (row.does == detail::Note::Does::receives && !sent[row.object].empty()) {
      row.waited_for = sent[row.object].front();
      sent[row.object].pop_front();
    }
  }
}

// Coherence order and happens-before, which only the whole execution has.
void TraceRecorder::find_orders() {
  const ExecutionGraph& graph = execution_.graph();
  std::vector<std::vector<ClockTick>> known(graph.thread_count(), std::vector<ClockTick>(graph.thread_count(), 0));
  for (TraceRow& row : trace_.rows) {
    if (row.event == kNoEvent || index(row.event) >= graph.size()) continue;
    const bool two = graph.has_write_part(row.event);
    const Event& first = graph[row.event];
    const EventId last = two ? graph.thread(first.thread)[first.index + 1] : row.event;
    if (graph[last].kind == EventKind::write) {
      const std::size_t position = graph.coherence_position(graph[last].location, last);
      row.overwrites = number_of(graph.write_at(graph[last].location, position - 1));
    }
    const ClockView clock = graph.happens_before(last);
    for (std::size_t t = 0; t < graph.thread_count(); ++t) {
      ClockTick& newest = known[index(first.thread)][t];
      if (t == index(first.thread) || clock[t] <= newest) continue;
      newest = clock[t];
      const EventId learned =
          graph.thread(ThreadId{static_cast<std::uint16_t>(t)})[static_cast<std::size_t>(newest) - 1];
      if (row.shown() && number_of(learned) != 0) row.happens_after.push_back(number_of(learned));
    }
  }
}

Trace TraceRecorder::take() {
  show_written();
  show_notes();
  trace_.threads = std::max(thread_names_.size(), execution_.thread_count());
  thread_names_.resize(trace_.threads);
  trace_.stuck.resize(trace_.threads);
  for (std::size_t t = 0; t < trace_.threads; ++t) {
    std::string& name = thread_names_[t];
    const ThreadId thread{static_cast<std::uint16_t>(t)};
    if (name.empty()) {
      const char* const posix_name = thread_record(execution_, thread).name;
      name = posix_name[0] != '\0' ? std::string(posix_name) : fmt::format("thread {}", t);
    }
    trace_.column_threads.push_back(thread);
  }
  trace_.columns = thread_names_;
  for (const Task& task : tasks_) {
    trace_.columns.push_back(task.name);
    trace_.column_threads.push_back(task.thread);
  }
  for (TraceRow& row : trace_.rows) {
    if (row.other_thread) row.text += " " + trace_.columns[index(*row.other_thread)];
    if (row.column >= kMaxThreads) row.column -= kMaxThreads - trace_.threads;
  }
  for (std::string& what : trace_.stuck) what = with_names_of_threads(what, trace_);
  find_private_objects();
  find_sends();
  find_orders();
  find_switches(trace_);
  // Rows of plain accesses take part in no order of events: what switches they cost was not made least.
  const bool has_plain_rows = std::any_of(trace_.rows.begin(), trace_.rows.end(),
                                          [](const TraceRow& row) { return row.shown() && row.plain_access != nullptr; });
  if (has_plain_rows) return std::move(trace_);
  const ExecutionGraph& graph = execution_.graph();
  const Linearization best = linearize(graph);
  trace_.fewest_switches = best.fewest && best.switches == switches_between_threads(graph);
  return std::move(trace_);
}

}  // namespace weft
