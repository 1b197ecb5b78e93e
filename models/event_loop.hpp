// The event loop of a JavaScript agent, as Node.js has it: phases timers, pending, poll, check, close; after every
// callback the process.nextTick queue and then the microtask queue are drained until both are empty.
//
// What the platform leaves open is a choice that the explorer tries in every way:
// - in which order I/O that was started completes, and whether a completion comes before or after a timer or a message;
// - whether a timer is due already while other work is ready (setTimeout(f, 0) against setImmediate from the main
// module);
// - which timers are due when a timers phase begins, and so their order: all that some clock would show (timers.hpp);
// - which port is served first, if messages wait on several or may yet come; what waits on one port is handled in
// order, in one turn. Everything else is as certain as there: microtasks are first in, first out; timers of one
// duration fire in the order in which they were armed.
//
// The end: a round of the loop ends with a timers phase, and the loop ends after a round if nothing keeps it alive. So
// a timer without a reference still fires if it is due then, and a message for a port or from a worker without one is
// still received if it came in the poll phase, but not if an immediate or a timer was last. The first timers phase is
// different: it is followed by a whole round, as the main module was run before it, or by its own rest of a round, as
// the main module was run in a poll phase. The platform does the one or the other, by version and kind of module; here
// both are explored. Time::exact: the module is run before the loop.
//
// A loop that never ends is a failure: after a number of callbacks (set_most_callbacks) the invariant "the event loop
// ends" does not hold, and an interval that was never cleared is named. An interval that I/O or a message will clear
// may fire any number of times before: see set_most_timers_in_a_row().
//
// Time is virtual. Time::free: nothing is known about how long things take, so the choices above are free. Time::exact:
// time passes by what callbacks and I/O say that they take, and by waiting; for latency.
//
// Not modelled: 'beforeExit'; signals; domains and async_hooks; unref() of an immediate.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <weft/shared.hpp>
#include <weft/weft.hpp>

#include "models/error.hpp"
#include "models/heap.hpp"
#include "models/mailbox.hpp"
#include "models/timers.hpp"

namespace js {

template <class T>
class Promise;
class PromiseRecord;
class EventLoop;

/// Size of the runtime's own thread pool (file system, DNS, crypto) unless a loop is told another.
inline constexpr std::size_t kThreadPoolSize = 4;
/// How many callbacks a loop may run unless it is told another number: more than scenarios need.
inline constexpr std::uint64_t kMostCallbacks = 2'000;
/// See EventLoop::set_most_timers_in_a_row().
inline constexpr std::uint32_t kMostTimersInARow = 8;

/// What setImmediate returns.
class Immediate {
 public:
  Immediate() = default;

 private:
  friend class EventLoop;
  explicit Immediate(std::uint64_t id) : id_(id) {}
  std::uint64_t id_ = 0;
};

/// Gets what others send to a loop. Its loop keeps a pointer until forget().
class Receiver {
 public:
  virtual ~Receiver() = default;
  /// Runs as a callback of the poll phase.
  virtual void deliver(Event event) = 0;
  /// While true, the loop goes on waiting for it.
  virtual bool keeps_alive() const = 0;
  /// If it keeps no loop alive: whether the loop handles before its end what has certainly been sent.
  virtual bool is_drained() const { return false; }
  /// Asked after each message: whether it matters which others are handled in the same turn beside those that are
  /// certainly here.
  virtual bool may_take_more() const { return false; }
};

/// A receiver and its channel, as its loop calls them.
enum class SourceId : std::uint32_t {};

class EventLoop {
 public:
  /// Becomes the loop of the calling thread, which must run no other. `mailbox`: a worker's; null: the main thread's
  /// loop.
  explicit EventLoop(Time time = Time::free, Mailbox* mailbox = nullptr);
  /// Ends the workers that are left.
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  /// The loop of the calling thread. There must be one.
  static EventLoop& current();
  static bool exists();

  /// Runs until nothing keeps the loop alive. A task that spawn() started and that is not settled then fails the
  /// invariant "every task settles": on an event loop that is what a deadlock looks like. Throws the Error of a
  /// callback or promise that nobody handled.
  void run();
  /// Runs `module` first, as the platform runs the top level of an ES module: inside the microtask queue.
  void run(Callback module);

  /// A request that has arrived: `body` is run as a callback of its own in the poll phase, in the order of arrival. Its
  /// steps, and those of everything that it starts, are shown in a column of this name. `body` may return a promise;
  /// then the task is settled when that is.
  template <class Body>
  void spawn(const char* name, Body body);

  // --- timers, immediates, ticks, microtasks (see the functions of the same names below) ---
  Timeout setTimeout(Callback callback, Milliseconds delay, SourceLocation where = SourceLocation::current());
  Timeout setInterval(Callback callback, Milliseconds delay, SourceLocation where = SourceLocation::current());
  void clearTimeout(Timeout timeout);
  Immediate setImmediate(Callback callback);
  void clearImmediate(Immediate immediate);
  void nextTick(Callback callback);
  void queueMicrotask(Callback callback);

  // --- I/O ---
  /// Starts an operation that completes some time later with `done` in the poll phase. `takes`: its duration under
  /// Time::exact; none, or under Time::free: any. `what`, a literal: what traces call it.
  void start_io(Callback done, std::optional<Milliseconds> takes = {}, const char* what = "I/O");
  /// The same for work on the runtime's thread pool: at most pool_size() of them go on at once, the others wait in
  /// order.
  void start_pool_work(Callback done, std::optional<Milliseconds> takes = {}, const char* what = "pool work");
  void set_pool_size(std::size_t size) { pool_size_ = size; }
  std::size_t pool_size() const { return pool_size_; }
  /// A callback that the system put off to the next round's pending phase, such as the error of a refused connection.
  void defer_to_pending(Callback callback);
  /// A callback of the close phase, such as 'close' of a socket.
  void defer_to_close(Callback callback);

  // --- virtual time ---
  Time time() const { return time_; }
  Milliseconds now() const { return now_; }
  /// The callback that runs computes for so long; nothing else on this loop runs meanwhile.
  void block(Milliseconds duration);
  /// By how much the latest timer came later than it was due, so far.
  Milliseconds max_lag() const { return max_lag_; }
  /// From here on the invariant "every ready macrotask runs within N microtasks" must hold: nothing that is ready for a
  /// phase waits while more than `most` ticks and microtasks run one after the other.
  void require_turn_within(std::uint32_t most);
  /// Callbacks of the five phases that were run so far.
  std::uint64_t callbacks_run() const { return callbacks_run_; }
  /// The invariant "the event loop ends" fails when this loop has run so many, and names an interval that keeps it
  /// alive.
  void set_most_callbacks(std::uint64_t most) { most_callbacks_ = most; }
  /// While I/O or a message that the loop waits for could come instead, at most so many timers fire in a row of which
  /// each was set by the one before, as an interval's are. Executions with more are left out, and the exploration is
  /// bounded. Time::free only.
  void set_most_timers_in_a_row(std::uint32_t most) { most_timers_in_a_row_ = most; }

  // --- errors ---
  void on_uncaught_exception(std::function<void(const Error&)> handler) {
    uncaught_handlers_.push_back(std::move(handler));
  }
  void on_unhandled_rejection(std::function<void(const Error&)> handler) {
    rejection_handlers_.push_back(std::move(handler));
  }
  /// A rejection that was reported as unhandled has got a handler after all.
  void on_rejection_handled(Callback handler) { handled_handlers_.push_back(std::move(handler)); }
  /// Ends the agent here, without unwinding: process.exit(). Only while run() runs.
  [[noreturn]] void exit(int code);
  std::optional<int> exit_code() const { return exit_code_; }
  /// Has met an error that nobody handled.
  bool failed() const { return fatal_.has_value(); }

  // --- for the other models ---
  Heap& heap() { return heap_; }
  /// Where this thread sleeps in Atomics.wait.
  Sleep& sleep() { return *sleep_; }
  /// Listens to this channel, until forget(): both must live so long.
  SourceId listen(Receiver& receiver, EventChannel& channel);
  void forget(SourceId source);
  bool listens_to(SourceId source) const { return sources_.contains(source); }
  /// The number of the latest turn: messages of one source that are handled one after the other.
  std::uint64_t turn() const { return turn_; }
  /// Runs `callback` in the next poll phase, in the order of these calls.
  void arrive(Callback callback) { ready_.push_back({std::move(callback), 0}); }
  /// Stops here if another thread has asked for it: worker.terminate(). Called at every step that others can see.
  void checkpoint();
  /// `action` runs when run() has ended, however it did.
  void at_end(Callback action) { at_end_.push_back(std::move(action)); }
  /// The loop can be destroyed: it was not left without unwinding.
  bool ended_orderly() const { return !stopped_; }
  std::uint32_t task() const { return task_; }
  void enter_task(std::uint32_t task);
  void queue_reaction(Callback reaction, std::uint32_t task) { microtasks_.push_back({std::move(reaction), task}); }
  void rejected_unhandled(PromiseRecord& promise);
  void rejection_handled_late() { ++handled_late_; }

 private:
  friend class Timeout;

  struct Job {
    Callback run;
    std::uint32_t task = 0;
  };
  struct PendingImmediate {
    std::uint64_t id = 0;
    Job job;
  };
  struct Io {
    std::optional<Milliseconds> due{};    // Time::exact, if known; none: any time
    std::optional<Milliseconds> takes{};  // how long it takes once it has begun
    bool uses_pool = false;
    bool waits_for_pool = false;
    const char* what = "";
    Job job;
  };
  struct Source {
    Receiver* receiver = nullptr;
    EventChannel* channel = nullptr;
  };
  struct Task {
    std::string name;
    std::uint32_t number = 0;
    std::function<bool()> settled;
  };

  void run_phases();
  /// `another_follows`: a further timers phase comes even if nothing keeps the loop alive.
  void run_timers(bool another_follows);
  void run_poll();
  void run_check();
  void run_all(std::deque<Job>& jobs);
  /// Runs one callback of a phase and drains what it queued. `another_follows`: the next callback is one of the same
  /// list.
  void run_callback(const Job& job, bool another_follows = false);
  /// False if it threw.
  bool run_job(const Job& job);
  void run_microtask(std::deque<Job>& queue);
  void drain();
  bool report_rejections();
  void uncaught(const Error& error);
  bool is_alive();
  bool listens() const;
  bool has_work_for_later_phases() const {
    return !immediates_.empty() || !closing_.empty() || !ready_.empty() || !pending_.empty();
  }
  void receive(SourceId source, bool and_more);
  void handle(SourceId source, Event event);
  std::vector<SourceId> with_certain_messages() const;
  void complete_io(std::size_t which);
  void start_waiting_pool_work();
  Timeout set_timer(Callback callback, Milliseconds delay, bool repeats, SourceLocation where);
  void arm(Timer& timer);
  void fire(Timer& timer);
  void leave_timers_phase();
  bool waits_for_others() const;
  void count_callback(const Timer* timer);
  bool complete_due_io();
  std::optional<Milliseconds> next_moment() const;
  void wait_for_next_moment();
  void check_tasks();
  void add_task(const char* name, std::uint32_t number, std::function<bool()> settled);
  void say_who_waits();

  Time time_;
  Heap heap_;
  Mailbox* mailbox_;  // null: of the main thread, which nobody can stop
  std::unique_ptr<Sleep> own_sleep_;
  Sleep* sleep_;
  Milliseconds now_ = 0;
  Milliseconds max_lag_ = 0;
  std::uint64_t next_id_ = 1;
  std::uint64_t callbacks_run_ = 0;
  std::uint64_t turn_ = 0;
  std::uint32_t task_ = 0;
  std::uint32_t next_source_ = 1;
  std::optional<std::uint32_t> most_microtasks_;
  std::uint32_t microtasks_in_a_row_ = 0;
  std::string turn_invariant_;
  bool timer_is_due_ = false;    // the poll phase was left because a timer comes first
  bool may_still_fire_ = false;  // whether the timers phase has ended is open until something else runs
  std::size_t pool_size_ = kThreadPoolSize;
  std::deque<Job> ticks_;
  std::deque<Job> microtasks_;
  Timers timers_{time_, now_};
  std::uint32_t most_timers_in_a_row_ = kMostTimersInARow;
  std::uint32_t chain_ = 0;     // of the timer that runs
  std::uint64_t progress_ = 0;  // how many I/O operations and messages there were
  std::uint64_t most_callbacks_ = kMostCallbacks;
  std::deque<Job> pending_;
  std::deque<Job> ready_;
  std::vector<Io> io_;
  std::map<SourceId, Source> sources_;
  std::deque<PendingImmediate> immediates_;
  std::deque<Job> closing_;
  std::vector<Task> tasks_;
  std::vector<PromiseRecord*> rejections_;
  std::size_t handled_late_ = 0;
  std::vector<std::function<void(const Error&)>> uncaught_handlers_;
  std::vector<std::function<void(const Error&)>> rejection_handlers_;
  std::vector<Callback> handled_handlers_;
  std::optional<Error> fatal_;
  std::optional<int> exit_code_;
  std::vector<Callback> at_end_;
  bool is_running_ = false;
  bool stopped_ = false;
};

// --- what JavaScript code calls, on the loop of the calling thread ---

/// `callback` in a timers phase, after at least `delay` (at least 1).
inline Timeout setTimeout(Callback callback, Milliseconds delay = 1, SourceLocation where = SourceLocation::current()) {
  return EventLoop::current().setTimeout(std::move(callback), delay, where);
}
inline Timeout setInterval(Callback callback, Milliseconds delay, SourceLocation where = SourceLocation::current()) {
  return EventLoop::current().setInterval(std::move(callback), delay, where);
}
inline void clearTimeout(Timeout timeout) { EventLoop::current().clearTimeout(timeout); }
inline void clearInterval(Timeout timeout) { EventLoop::current().clearTimeout(timeout); }
/// `callback` in the next check phase.
inline Immediate setImmediate(Callback callback) { return EventLoop::current().setImmediate(std::move(callback)); }
inline void clearImmediate(Immediate immediate) { EventLoop::current().clearImmediate(immediate); }
inline void queueMicrotask(Callback callback) { EventLoop::current().queueMicrotask(std::move(callback)); }

namespace process {
/// `callback` after the running one, before any microtask.
inline void nextTick(Callback callback) { EventLoop::current().nextTick(std::move(callback)); }
[[noreturn]] inline void exit(int code) { EventLoop::current().exit(code); }
}  // namespace process

/// A line in the trace, in the running task's column. `text()` makes it, and is called only when somebody reads it.
template <class Text>
void note(Text text) {
  if (!weft::detail::is_traced()) return;
  char line[200];
  {
    const weft::detail::OutsideScope outside;
    const std::string made = text();
    std::snprintf(line, sizeof line, "%s", made.c_str());
  }
  weft::note(line);
}

}  // namespace js
