// A trace: one execution written down step by step while it is replayed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "explore/operation_words.hpp"
#include "report/source_places.hpp"
#include "runtime/execution.hpp"

namespace weft {

struct TraceRow {
  std::uint32_t number = 0;  ///< of the step, from 1; 0 for a row that is none (a note, a failure)
  ThreadId thread{};
  std::string text{};
  std::string place{};  ///< file:line
  std::string state{};  ///< watched values that changed, "admitted=2"
  bool failing = false;
  bool local = false;     ///< a plain access before there is another thread; not shown, and no step
  std::optional<ThreadId> other_thread{};  ///< whom it starts or joins; the text ends with that thread's name
  std::size_t column = 0;                  ///< of Trace::columns
};

struct Trace {
  std::vector<TraceRow> rows;
  std::vector<std::string> columns;  ///< names: of the threads by number, then of logical tasks that ran on them
  std::size_t threads = 0;           ///< how many of the columns are threads
  struct SitePlace {
    ThreadId thread{};               ///< of a finding's site, as are the next two
    std::uint32_t events_before = 0;
    const void* place = nullptr;
    std::string text{};              ///< file:line of the user's code that came to it
  };
  std::vector<SitePlace> site_places;
};

/// Writes down the run that it listens to. For one run.
class TraceRecorder final : public StepListener {
 public:
  TraceRecorder(Execution& execution, SourcePlaces& places);

  void run_begins() override;
  void step(ThreadId thread, EventId event, const Operation& operation) override;
  void note(ThreadId thread, const char* text, const void* place) override;
  void name_thread(ThreadId thread, const char* name) override;
  void enter_task(ThreadId thread, std::uint32_t task) override;
  void name_task(ThreadId thread, std::uint32_t task, const char* name) override;
  void watch(const char* name, const volatile void* address, std::size_t size, bool is_signed) override;
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
  std::string site_text(const FindingSite& site);
  TraceRow& add_row(ThreadId thread, std::string text, const void* place);
  std::string place_text(const void* place);
  void show_notes();
  std::string describe(EventId event, const Operation& operation);
  std::string describe_read(const Event& read) const;
  std::string current_value(const Watched& watched) const;
  /// Values that plain code changed since the last row belong to that row.
  void show_changes();

  Execution& execution_;
  SourcePlaces& places_;
  Trace trace_;
  std::vector<std::string> thread_names_;
  std::vector<Task> tasks_;
  std::vector<std::uint32_t> running_task_;  // by thread; 0: none
  std::vector<Watched> watched_;
  /// A note is shown as late as its thread allows, together with those of other threads: before the thread's next operation.
  std::vector<TraceRow> notes_;
  std::vector<Trace::SitePlace> step_places_;  // of all steps, shown or not
  std::vector<std::uint32_t> number_of_;  // step number by event; 0 if the step is not shown
  std::uint32_t steps_ = 0;
};

}  // namespace weft
