// The execution that is running: model threads on fibers, stepped as an explorer says.
//
// Hooks (hooks_*.cpp) find it through `Execution::current()` and turn what the scenario does into operations. perform() is the one
// gate for everything visible. A thread is first re-run along its events in the explorer's graph; at their end it parks until all other
// threads are there too; then threads add new events one at a time.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "detect/finding.hpp"
#include "explore/explorer.hpp"
#include "runtime/conditions.hpp"
#include "runtime/fiber.hpp"
#include "runtime/names.hpp"
#include "runtime/object_names.hpp"
#include "runtime/racy_memory.hpp"
#include "runtime/sleep_spin.hpp"
#include "runtime/spin.hpp"
#include "runtime/synchronization_memory.hpp"
#include "runtime/thread_context.hpp"

namespace weft {

/// The most threads that one scenario may start, the body included.
inline constexpr std::size_t kMaxThreads = 64;

/// Some of the threads of an execution, taken in the order of their numbers.
class ThreadSet {
 public:
  void clear() { bits_ = 0; }
  void insert(std::size_t thread) { bits_ |= std::uint64_t{1} << thread; }
  void erase(std::size_t thread) { bits_ &= ~(std::uint64_t{1} << thread); }
  bool empty() const { return bits_ == 0; }
  std::size_t lowest() const { return static_cast<std::size_t>(std::countr_zero(bits_)); }

 private:
  static_assert(kMaxThreads <= 64);
  std::uint64_t bits_ = 0;
};

/// Told about steps as they happen; only set while a finding is replayed for its report.
class StepListener {
 public:
  virtual ~StepListener() = default;
  /// A run begins; what was heard before belonged to a run that is repeated.
  virtual void run_begins() {}
  /// `event` is the operation's first event in the graph (an RMW has a second one).
  virtual void step(ThreadId thread, EventId event, const Operation& operation) = 0;
  /// What the thread's next operation is on an object of the runtime: "notify one of", "wait on".
  virtual void next_step(ThreadId /*thread*/, const char* /*words*/) {}
  virtual void note(ThreadId thread, const detail::Note& note, const void* place) = 0;
  virtual void name_thread(ThreadId, const char* /*name*/) {}
  /// What the thread does from here on belongs to its logical task of this number; 0: to none.
  virtual void enter_task(ThreadId, std::uint32_t /*task*/) {}
  virtual void name_task(ThreadId, std::uint32_t /*task*/, const char* /*name*/) {}
  /// False: what the thread does from here on is left out, notes apart.
  virtual void show_steps(ThreadId, bool /*show*/) {}
  /// From here on, or from here on no more, the thread runs callbacks for the function that it is in.
  virtual void runs_callbacks(ThreadId, bool /*runs*/) {}
  /// The scenario wants to see the object's value whenever it changes.
  virtual void watch(const char* /*name*/, const volatile void* /*address*/, std::size_t /*size*/, bool /*is_signed*/) {}
  /// Where a plain access is about to be done (FindingSite without words). Not of memory that one thread alone has used.
  struct AccessSite {
    ThreadId thread{};
    std::uint32_t events_before = 0;
    const void* place = nullptr;
    friend bool operator==(const AccessSite&, const AccessSite&) = default;
  };
  virtual void plain_access(const AccessSite&, bool /*writes*/, std::uintptr_t /*address*/, std::size_t /*size*/) {}
  /// The run reported something; the thread that it is about has done its steps up to there.
  virtual void found(const Finding&) {}
};

/// What went on for the whole exploration and must be the same in every run of it. Growing any part of it after executions were counted
/// makes the exploration start again.
struct ExplorationMemory {
  ThreadNames threads;
  LocationNames locations;
  SpinPlaces spin_places;
  SynchronizationMemory synchronization;
  Conditions conditions;        ///< grows without a new start: it changes nothing that the scenario does
  std::uint32_t most_tasks = 0;  ///< the same: logical tasks of one thread
  ObjectNames objects;          ///< the same
  PromotedMemory promoted;      ///< grows only before a new start
  const char* bound = nullptr;  ///< what kept the exploration from some executions of the model, if anything did
};

class Execution {
 public:
  enum class ThreadState : std::uint8_t {
    absent,
    fresh,     ///< created, not started
    running,   ///< on its fiber, or waiting for its source in a re-run
    parked,    ///< has an operation that is not in the graph yet
    blocked,   ///< an await read a value that it cannot go on with
    halted,    ///< stopped by weft::assume or a finding
    finished,
  };

  struct Thread {
    ThreadId id{};
    ThreadState state = ThreadState::absent;
    bool half_done = false;         ///< parked after the read part of an RMW
    bool may_time_out = false;      ///< its wait is one that a time-out would end: never part of a deadlock
    std::vector<LocationKey> alternatives;  ///< channels that it could have chosen to receive from instead
    bool detached = false;
    bool joined = false;
    std::uint32_t position = 0;     ///< visible events so far in this run
    std::span<const EventId> to_rerun;  ///< its events in the explorer's graph when the run began
    std::uint32_t children = 0;     ///< threads that it has created so far
    EventId waits_for = kNoEvent;   ///< re-run only: the source that must run first
    const Operation* pending = nullptr;  ///< parked: its operation
    LocationId pending_location = kNoLocation;
    std::vector<EventId> blocked_on;     ///< blocked: the reads that must change
    bool spinning = false;               ///< blocked: by a spin loop, not by an await
    SpinHistory spin;
    ReadRun reads;
    void* (*entry)(void*) = nullptr;
    void* argument = nullptr;
    void* result = nullptr;
    Fiber fiber;
    ThreadContext context;          ///< thread-local storage and the like while it does not run
  };

  explicit Execution(ExplorationMemory& memory);
  ~Execution();
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  /// The execution that the calling code belongs to; null outside of one, and on other OS threads.
  static Execution* current() { return current_; }

  /// Runs `body` once under `explorer` (whose next_execution() has been called) and says how it ended. Not reentrant.
  Ending run(Explorer& explorer, const std::function<void()>& body);

  // --- for hooks: the calling code runs on a fiber ---
  /// Performs a visible operation of the running thread; comes back when it is done, or never (blocked, dropped).
  Step perform(const Operation& operation);
  /// Starts a thread; `entry(argument)` runs on its own fiber.
  ThreadId create_thread(void* (*entry)(void*), void* argument, const void* place);
  /// Stops the running thread for good, here (assume, findings). Never returns.
  [[noreturn]] void halt_thread();
  /// Ends the running thread as if its entry had returned `result`. Never returns.
  [[noreturn]] void end_thread(void* result);
  /// Calls `errand(argument)` on the stack of `t`, on top of what that thread is doing. False if the thread has no
  /// calls: it has not started, or has ended.
  bool call_on_stack_of(ThreadId t, void (*errand)(void*), void* argument);
  /// Drops the whole run at once. Never returns.
  [[noreturn]] void drop_run();
  /// The exploration's memory has grown in a way that changes what earlier runs would have done: drops the run and asks for a start
  /// from nothing. Never returns.
  [[noreturn]] void restart_exploration() {
    restart_ = true;
    drop_run();
  }
  /// The same after a run: for an observer that has changed the exploration's memory.
  void request_restart() { restart_ = true; }
  /// Something that this run did not record will be recorded from now on: run() runs the finished execution once more.
  void request_repeat() { repeat_ = true; }
  /// True once after restart_exploration() or request_restart().
  bool take_restart_request() { return std::exchange(restart_, false); }
  bool has_restart_request() const { return restart_; }
  /// To be called before take_restart_request(): takes back a request that needs nothing but this run once more. Only
  /// explorers that choose threads meet it.
  bool take_repeat_request() { return std::exchange(repeats_only_, false) && std::exchange(restart_, false); }
  /// To be called by hooks when the running thread writes plain memory other than its own stack.
  void wrote_plain_memory() { running_->spin.interrupt(); }
  /// Visible operations in one execution after which it is stopped as endless (FindingKind::limit).
  void set_max_steps(std::uint32_t steps) { max_steps_ = steps; }
  /// Whether a complete run ends with a search for leaked blocks.
  void set_detect_leaks(bool detect) { detect_leaks_ = detect; }
  bool detects_leaks() const { return detect_leaks_; }
  /// Records every plain access fully from the start, instead of repeating runs in which that turns out to be needed (detect/shadow.hpp).
  /// For replays, which must meet a finding where the exploration met it.
  void record_fully() { records_fully_ = true; }
  /// Records a finding about the running thread. Does not stop it.
  void report(const Finding& finding) {
    const Outside outside;  // the copy outlives the execution
    findings_.push_back(finding);
    if (listener_ != nullptr) listener_->found(finding);
  }

  Thread& running() { return *running_; }
  Thread& thread(ThreadId t) { return threads_[index(t)]; }
  std::size_t thread_count() const { return thread_count_; }
  /// How many events of the thread the last run has performed.
  std::uint32_t events_of_run(ThreadId t) const {
    const Thread& thread = threads_[index(t)];
    return thread.state == ThreadState::absent ? 0 : thread.position;
  }
  const ExecutionGraph& graph() const { return *graph_; }
  ExplorationMemory& memory() { return memory_; }
  /// What happens before the next operation of the running thread.
  ClockView clock() const {
    if (clock_ == nullptr) clock_ = find_clock().data();
    return {clock_, graph_->clock_width()};
  }
  /// Counts the runs of this process; marks shadow memory as belonging to one run.
  std::uint32_t run_number() const { return run_number_; }

  /// Condition variables may wake without a notification, at most `most` times in a run.
  void set_spurious_wakeups(std::uint32_t most) { spurious_wakeups_ = most; }
  std::uint32_t spurious_wakeups() const { return spurious_wakeups_; }
  /// Notes one; drops the run if it has had its share, and notes that this bound kept executions out.
  void count_spurious_wakeup() {
    if (spurious_wakeups_of_run_++ != spurious_wakeups_) return;
    memory_.bound = "executions with more spurious wake-ups than Options::spurious_wakeups (--spurious) were left out";
    drop_run();
  }

  std::vector<Finding>& findings() { return findings_; }
  void set_listener(StepListener* listener) { listener_ = listener; }
  StepListener* listener() const { return listener_; }
  /// Code between these two runs as if no execution were going on (reports, GoogleTest's own bookkeeping).
  class Outside {
   public:
    // Instrumented code that includes this must not announce these very writes as the scenario's.
    __attribute__((no_sanitize("thread"))) Outside() : saved_(current_) { current_ = nullptr; }
    __attribute__((no_sanitize("thread"))) ~Outside() { current_ = saved_; }
    Outside(const Outside&) = delete;
    Outside& operator=(const Outside&) = delete;

   private:
    Execution* saved_;
  };

  /// Words for the running thread's next operation, see StepListener::next_step(). They are not copied.
  void describe_next_step(const char* words) {
    if (listener_ == nullptr) return;
    const Outside outside;  // what it keeps is no memory of the scenario's
    listener_->next_step(running().id, words);
  }

  /// The two ends of such a stretch, where no scope fits. Returns what resume_current() needs.
  static Execution* suspend_current() { return std::exchange(current_, nullptr); }
  static void resume_current(Execution* suspended) { current_ = suspended; }

 private:
  Ending run_once();
  ClockView find_clock() const;
  Step perform_read(Thread& t, const Operation& operation);
  Step perform_watched_read(Thread& t, const Operation& operation);
  Step step(Thread& t, const Operation& operation);
  Step rerun(Thread& t, const Operation& operation);
  Step extend(Thread& t, const Operation& operation, Value half_done_result);
  void park(Thread& t, const Operation& operation);
  bool executed(EventId source) const;
  void wait_for(Thread& t, EventId source);
  /// Goes on with another thread, or with run() if there is none; comes back when the caller is chosen again.
  void leave(Thread& t);
  Thread* pick();
  Thread* pick_rerun();
  Thread* pick_ready();
  bool is_ready(const Thread& t) const;
  bool may_resume(const Thread& t) const;
  Ending ending() const;
  void switch_to(Fiber& from, Thread& next);
  [[noreturn]] static void fiber_main();
  void prepare_thread(ThreadId t, void* (*entry)(void*), void* argument);
  [[noreturn]] void mismatch(const Thread& t, const Event& was, const Operation* is);

  static Execution* current_;  // null while engine code runs: what it allocates outlives the run
  static Execution* active_;   // the same, but for engine code too

  ExplorationMemory& memory_;
  Explorer* explorer_ = nullptr;
  const ExecutionGraph* graph_ = nullptr;
  StepListener* listener_ = nullptr;
  const std::function<void()>* body_ = nullptr;
  std::unique_ptr<Thread[]> threads_;
  std::size_t thread_count_ = 0;  // threads_[0 .. thread_count_) may be other than absent
  ThreadSet candidates_;          // threads that may be picked: in a re-run those that are fresh or running, later those that are left
  Thread* running_ = nullptr;
  mutable const ClockTick* clock_ = nullptr;  // of running_, until its next operation; null: to be found
  Fiber main_stack_;
  ThreadContext main_context_;
  bool rerunning_ = false;
  bool recheck_ = false;  // an event may have made a lower thread ready
  bool dropped_ = false;
  bool restart_ = false;
  bool repeat_ = false;
  bool repeats_only_ = false;  // restart_ was set for the want of a repeat
  bool records_fully_ = false;
  bool detect_leaks_ = true;
  bool lowest_first_ = true;
  std::uint32_t run_number_ = 0;
  std::uint32_t spurious_wakeups_ = 0;
  std::uint32_t spurious_wakeups_of_run_ = 0;
  std::uint32_t max_steps_ = 100'000;
  std::vector<ReadyThread> ready_;
  std::vector<Finding> findings_;
};

}  // namespace weft
