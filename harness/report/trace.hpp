// A trace: one execution written down step by step while it is replayed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "explore/operation_words.hpp"
#include "report/source_places.hpp"
#include "runtime/execution.hpp"
#include "weft/weft.hpp"

namespace weft {

struct TraceRow {
  enum class Kind : std::uint8_t { operation, note, failure };
  Kind kind = Kind::note;
  std::uint32_t number = 0;  ///< from 1; 0 for a row that is not counted (the failure, what is not shown)
  ThreadId thread{};
  std::uint32_t events_before = 0;  ///< in that thread; for a note, of the event before it
  std::string text{};
  std::string place{};                       ///< file:line, without folders
  SourceLine source{};                       ///< the same in full; line 0 if it is not known
  std::vector<TraceStep::Change> changes{};  ///< watched values that are others from here on
  bool local = false;                        ///< a plain access before there is another thread; not shown, and no step
  bool hidden =
      false;  ///< a step that notes of a model explain better; not shown: its number is that of the row before it
  bool alone = false;                      ///< on an object that no other column touches
  std::optional<ThreadId> other_thread{};  ///< whom it starts or joins; the text ends with that thread's name
  std::size_t column = 0;                  ///< of Trace::columns

  std::uint64_t object_key = 0;  ///< tells objects of one name apart; 0 for those of notes
  std::string object{};          ///< what it reads or writes; empty if nothing
  bool reads = false;
  bool writes = false;
  std::string value_read{};
  std::string value_written{};
  std::uint32_t reads_from = 0;  ///< number of the row that wrote what it read; 0 if none did
  EventId event = kNoEvent;      ///< of an operation: its first one
  const void* plain_access = nullptr;  ///< its code address, if it is one
  std::uint32_t overwrites = 0;  ///< number of the row whose write is just before its own in coherence order
  std::vector<std::uint32_t> happens_after{};  ///< see TraceStep
  std::uint32_t overwritten_by = 0;  ///< number of the row that had overwritten what it read, or wrote, before it ran
  enum class Wait : std::uint8_t { none, lock, message, wake_up, end };
  Wait waits_for = Wait::none;   ///< what its thread could not have done it without
  std::uint32_t waited_for = 0;  ///< number of the row that gave that: an unlock, a send, a thread's end
  bool suspends = false;         ///< its task stops here until something resumes it
  bool ends = false;             ///< its thread ends here
  detail::Note::Does does = detail::Note::Does::nothing;  ///< of a note: what it says in parts
  std::string switched{};         ///< why the column before it went no further; empty where that needs no words
  std::size_t switched_from = 0;  ///< that column

  bool shown() const { return !local && !hidden; }
  /// A note that stands for steps of its thread that are hidden.
  bool stands_for_steps() const {
    using Does = detail::Note::Does;
    return does == Does::sends || does == Does::receives || does == Does::ends;
  }
  bool marked = false;  ///< part of what is wrong, as the failure itself
  bool failing() const { return kind == Kind::failure; }
  /// "admitted=2 remaining=0"
  std::string state() const;
};

struct Trace {
  std::vector<TraceRow> rows;
  std::vector<std::string> columns;      ///< names: of the threads by number, then of logical tasks that ran on them
  std::vector<ThreadId> column_threads;  ///< by column; for a task the thread that it ran on
  std::size_t threads = 0;               ///< how many of the columns are threads
  struct SitePlace {
    ThreadId thread{};  ///< of a finding's site, as are the next two
    std::uint32_t events_before = 0;
    const void* place = nullptr;
    std::string text{};        ///< file:line of the user's code that came to it
    SourceLine source{};       ///< the same in full; line 0 if it is not known
    std::uint32_t number = 0;  ///< of the row that did it, or of the last one before it
    bool is_row = false;
    std::vector<std::string> stack{};  ///< of accesses that race, see TraceRecorder
  };
  std::vector<SitePlace> site_places;
  std::vector<std::string> stuck{};  ///< by thread: what it waits for when the run ends; empty if for nothing
  /// A visible operation of the run, shown or not.
  struct Operation {
    ThreadId thread{};
    OperationKind kind{};
    std::uint64_t object_key = 0;  ///< 0: on none
    bool writes = false;
    std::uint32_t options = 0;  ///< of a choose
    std::uint32_t number = 0;   ///< of its row, or of the row before it
    bool is_row = false;
  };
  std::vector<Operation> operations{};  ///< in the order of the run, which is that of its schedule
  std::size_t switches = 0;             ///< see find_switches()
  bool fewest_switches = false;         ///< no order of this execution switches between threads less often

  /// Where a finding's site is; null if the run did not come to it.
  const SitePlace* place_of(const FindingSite& site) const;
  /// True if logical tasks ran on the thread: an event loop.
  bool has_tasks(ThreadId thread) const;
};

/// Writes down the run that it listens to. For one run.
class TraceRecorder final : public StepListener {
 public:
  /// Plain accesses that get rows of their own, as visible operations do: of memory that two threads race for. `first`
  /// is the earlier one of those that race.
  struct Race {
    AccessSite first;
    std::uintptr_t address = 0;
    std::size_t size = 0;
  };
  TraceRecorder(Execution& execution, SourcePlaces& places, std::optional<Race> race = {});

  void run_begins() override;
  void step(ThreadId thread, EventId event, const Operation& operation) override;
  void next_step(ThreadId thread, const char* words) override;
  void note(ThreadId thread, const detail::Note& note, const void* place) override;
  void name_thread(ThreadId thread, const char* name) override;
  void enter_task(ThreadId thread, std::uint32_t task) override;
  void name_task(ThreadId thread, std::uint32_t task, const char* name) override;
  void show_steps(ThreadId thread, bool show) override;
  void runs_callbacks(ThreadId thread, bool runs) override;
  void watch(const char* name, const volatile void* address, std::size_t size, bool is_signed) override;
  void plain_access(const AccessSite& site, bool writes, std::uintptr_t address, std::size_t size) override;
  void found(const Finding& finding) override;

  /// To be called when the run has ended.
  Trace take();

 private:
  struct Watched {
    std::string name;
    const volatile void* address;
    std::size_t size;
    bool is_signed;
    std::optional<std::string> shown;
  };
  struct Task {
    ThreadId thread{};
    std::uint32_t number = 0;
    std::string name;
  };
  /// Where the thread's rows go now: by its number, or kMaxThreads + the place in tasks_ of the task that it runs.
  std::size_t column_now(ThreadId thread) const;
  /// `is_running`: it is where the running thread is now.
  Trace::SitePlace site_place(const FindingSite& site, bool is_running);
  /// The user's functions that the thread is in, innermost first: "f() at file.cpp:12".
  std::vector<std::string> call_stack_text(ThreadId thread, const void* place);
  TraceRow make_row(TraceRow::Kind kind, ThreadId thread, std::string text, const void* place);
  /// Shows the notes of its thread first.
  TraceRow& add_row(TraceRow row);
  /// Of all threads, or before a step of this one.
  void show_notes(std::optional<ThreadId> of = {});
  void show_notes_of(ThreadId thread);
  void describe(TraceRow& row, EventId event, const Operation& operation);
  void describe_read(TraceRow& row, EventId read, const Operation& operation) const;
  std::uint32_t number_of(EventId event) const;
  /// What its step on an object of the runtime is called; for one step.
  const char* words_of(ThreadId thread);
  std::string current_value(const Watched& watched) const;
  /// Values that plain code changed since the last row belong to that row.
  void show_changes();
  void find_private_objects();
  void find_sends();
  void find_orders();

  bool is_first_of_race(const AccessSite& site) const { return race_ && race_->first == site; }
  /// What a plain write has written, as soon as it is done.
  void show_written();

  Execution& execution_;
  SourcePlaces& places_;
  std::optional<Race> race_;
  /// Of the last row, if it is a plain access.
  struct PlainRow {
    AccessSite site;
    std::uintptr_t address = 0;
    std::size_t size = 0;
  };
  std::optional<PlainRow> plain_row_;
  bool written_is_open_ = false;
  std::vector<std::string> stack_of_shown_access_;
  Trace trace_;
  std::vector<std::string> thread_names_;
  std::vector<Task> tasks_;
  std::vector<const char*> next_words_;      // by thread; null: none
  std::vector<std::uint32_t> running_task_;  // by thread; 0: none
  std::vector<bool> hides_steps_;            // by thread
  std::vector<SourceLine> runs_callbacks_;   // by thread: where it called what runs its callbacks; line 0: nowhere
  std::vector<Watched> watched_;
  /// A note is shown as late as its thread allows, together with those of other threads: before the thread's next
  /// operation.
  std::vector<TraceRow> notes_;
  std::vector<Trace::SitePlace> step_places_;  // of all steps, shown or not
  std::vector<std::uint32_t> number_of_;       // by event: its row, or the one before it if it has none
  std::uint32_t rows_ = 0;                     // that have numbers
  bool has_failed_ = false;
};

}  // namespace weft
