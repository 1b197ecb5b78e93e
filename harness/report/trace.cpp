#include "report/trace.hpp"

#include <fmt/format.h>

#include <unwind.h>

#include <algorithm>
#include <cstring>
#include <iterator>

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

TraceRecorder::TraceRecorder(Execution& execution, SourcePlaces& places) : execution_(execution), places_(places) {
  run_begins();
}

TraceRow& TraceRecorder::add_row(ThreadId thread, std::string text, const void* place) {
  if (std::any_of(notes_.begin(), notes_.end(), [=](const TraceRow& note) { return note.thread == thread; }))
    show_notes();
  show_changes();
  trace_.rows.push_back(
      {.thread = thread, .text = std::move(text), .place = place_text(place), .column = column_now(thread)});
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
  watched_.clear();
  notes_.clear();
  step_places_.clear();
  number_of_.clear();
  steps_ = 0;
}

std::string TraceRecorder::place_text(const void* place) {
  const std::optional<SourceLine> line = places_.user_line(place, callers_outermost_first());
  return line && line->of_system ? "" : SourcePlaces::short_text(line);  // a library's own line tells nobody anything
}

void TraceRecorder::show_notes() {
  std::move(notes_.begin(), notes_.end(), std::back_inserter(trace_.rows));
  notes_.clear();
}

std::string TraceRecorder::describe_read(const Event& read) const {
  const ExecutionGraph& graph = execution_.graph();
  const std::size_t position = graph.coherence_position(read.location, read.source);
  std::size_t newer = position + 1;
  const bool has_own_write = newer <= graph.last_position(read.location) &&
                             graph[graph.write_at(read.location, newer)].thread == read.thread &&
                             graph[graph.write_at(read.location, newer)].index == read.index + 1 &&
                             graph[graph.write_at(read.location, newer)].is_write_part();
  if (has_own_write) ++newer;
  if (newer > graph.last_position(read.location)) return {};
  const std::size_t overwriting = index(graph.write_at(read.location, newer));
  return overwriting < number_of_.size() ? fmt::format(" (stale: overwritten at #{})", number_of_[overwriting])
                                         : " (stale)";
}

std::string TraceRecorder::describe(EventId event, const Operation& operation) {
  const ExecutionGraph& graph = execution_.graph();
  const Event& e = graph[event];
  const auto name = [&] { return location_name(execution_.memory(), operation.location); };
  switch (operation.kind) {
    case OperationKind::read:
      return fmt::format("load {} -> {}{}{}", name(), value_text(graph.value_of_write(e.source), operation.size),
                         describe_read(e), order_suffix(e));
    case OperationKind::write: {
      const bool last = graph.coherence_position(e.location, event) == graph.last_position(e.location);
      return fmt::format("store {} = {}{}{}", name(), value_text(e.value, operation.size),
                         last ? "" : " (already overwritten)", order_suffix(e));
    }
    case OperationKind::rmw: {
      if (operation.location.space() == LocationKey::Space::object)
        return fmt::format("step on {}", name());  // states have no values
      const std::string old = value_text(graph.value_of_write(e.source), operation.size);
      if (!graph.has_write_part(event))
        return fmt::format("update {}: {}, unchanged{}{}", name(), old, describe_read(e), order_suffix(e));
      const Event& write = graph[graph.thread(e.thread)[e.index + 1]];
      return fmt::format("update {}: {} -> {}{}{}", name(), old, value_text(write.value, operation.size),
                         describe_read(e), order_suffix(e));
    }
    case OperationKind::fence:
      return fmt::format("fence{}", order_suffix(e));
    case OperationKind::choose:
      return fmt::format("choose 0..{} -> {}", operation.operand - 1, e.value);
    case OperationKind::lock:
      return fmt::format("lock {}: waits", name());
    case OperationKind::gate:
      return fmt::format("lock {}", name());
    case OperationKind::unlock:
      return fmt::format("unlock {}", name());
    case OperationKind::send:
      return fmt::format("{} {}", is_of_scenario(operation) ? "send to" : "wake", name());
    case OperationKind::receive:
      return is_of_scenario(operation) ? fmt::format("receive from {}", name()) : "woken";
    case OperationKind::create:
      return "start";
    case OperationKind::end:
      return "end";
    case OperationKind::join:
      return "join";
  }
  return {};
}

void TraceRecorder::step(ThreadId thread, EventId event, const Operation& operation) {
  const ExecutionGraph& graph = execution_.graph();
  if (index(event) >= graph.size()) return;  // a replay that has diverged
  step_places_.push_back({thread, graph[event].index, operation.place, place_text(operation.place)});
  const bool granted_at_once = operation.kind == OperationKind::gate && steps_ != 0 &&
                               trace_.rows.back().number == steps_ && trace_.rows.back().thread == thread;
  if (has_location(operation.kind) && execution_.memory().objects.hides_steps(operation.location.address())) {
    // It is where its thread's notes belong, all the same.
    if (std::any_of(notes_.begin(), notes_.end(), [=](const TraceRow& note) { return note.thread == thread; }))
      show_notes();
  } else if (granted_at_once) {
    trace_.rows.back().text =
        describe(event, operation);  // the place in the queue that it took before is no step of its own
  } else {
    TraceRow& row = add_row(thread, describe(event, operation), operation.place);
    row.local = operation.plain_access && execution_.thread_count() == 1;
    if (!row.local) row.number = ++steps_;
    if (operation.kind == OperationKind::create || operation.kind == OperationKind::join)
      row.other_thread = ThreadId{static_cast<std::uint16_t>(operation.operand)};
  }
  const bool two = graph.has_write_part(event);
  const std::size_t last = index(two ? graph.thread(thread)[graph[event].index + 1] : event);
  if (number_of_.size() <= last) number_of_.resize(last + 1, 0);
  number_of_[index(event)] = number_of_[last] = steps_;
}

void TraceRecorder::note(ThreadId thread, const char* text, const void* place) {
  const bool has_tasks = std::any_of(tasks_.begin(), tasks_.end(), [=](const Task& t) { return t.thread == thread; });
  if (has_tasks) {
    add_row(thread, text, place);  // tasks take turns on one thread: what they do is in order already
  } else {
    notes_.push_back({.thread = thread, .text = text, .place = place_text(place), .column = column_now(thread)});
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
      std::find_if(trace_.rows.rbegin(), trace_.rows.rend(), [](const TraceRow& row) { return !row.local; });
  if (last == trace_.rows.rend()) return;
  std::string changes;
  for (Watched& watched : watched_) {
    std::string value = current_value(watched);
    if (watched.shown == value) continue;
    changes += fmt::format("{}{}={}", changes.empty() ? "" : " ", watched.name, value);
    watched.shown = std::move(value);
  }
  if (changes.empty()) return;
  last->state += (last->state.empty() ? "" : " ") + changes;
}

// Of a step that was done, what its row says; else the thread is there now.
std::string TraceRecorder::site_text(const FindingSite& site) {
  const auto step = std::find_if(step_places_.rbegin(), step_places_.rend(), [&](const Trace::SitePlace& done) {
    return done.thread == site.thread && done.place == site.place && done.events_before < site.events_before;
  });
  const bool is_there_now = execution_.events_of_run(site.thread) == site.events_before;
  if (step != step_places_.rend() && !is_there_now) return step->text;
  return SourcePlaces::short_text(places_.user_line(site.place, call_stack(site.thread)));
}

void TraceRecorder::found(const Finding& finding) {
  if (finding.kind == FindingKind::warning) return;
  const ThreadId thread = finding.sites.empty() ? ThreadId{0} : finding.sites.back().thread;
  for (const FindingSite& site : finding.sites)
    trace_.site_places.push_back({site.thread, site.events_before, site.place, site_text(site)});
  TraceRow& row = add_row(thread, to_string(finding.kind), nullptr);
  row.failing = true;
  row.place = finding.sites.empty() ? "" : trace_.site_places.back().text;
}

Trace TraceRecorder::take() {
  show_notes();
  trace_.threads = std::max(thread_names_.size(), execution_.thread_count());
  thread_names_.resize(trace_.threads);
  for (std::size_t t = 0; t < trace_.threads; ++t) {
    std::string& name = thread_names_[t];
    if (!name.empty()) continue;
    const char* const posix_name = thread_record(execution_, ThreadId{static_cast<std::uint16_t>(t)}).name;
    name = posix_name[0] != '\0' ? std::string(posix_name) : fmt::format("thread {}", t);
  }
  trace_.columns = thread_names_;
  for (const Task& task : tasks_) trace_.columns.push_back(task.name);
  for (TraceRow& row : trace_.rows) {
    if (row.other_thread) row.text += " " + trace_.columns[index(*row.other_thread)];
    if (row.column >= kMaxThreads) row.column -= kMaxThreads - trace_.threads;
  }
  return std::move(trace_);
}

}  // namespace weft
