// The event loop of a JavaScript agent, as Node.js has it: phases timers, pending, poll, check, close; after every
// callback the process.nextTick queue and then the microtask queue are drained until both are empty.
//
// What the platform leaves open is a choice that the explorer tries in every way:
// - in which order I/O that was started completes, and whether a completion comes before or after a timer or a message;
// - whether a timer is due already while other work is ready (setTimeout(f, 0) against setImmediate from the main
// module);
// - the order of timers armed in different callbacks, unless the one armed first is not the longer one;
// - which port is served first, if messages wait on several or may yet come; what waits on one port is handled in
// order, in one turn. Everything else is as certain as there: microtasks are first in, first out; timers armed in one
// callback fire by delay, then in order.
//
// Time is virtual. Time::free: nothing is known about how long things take, so the choices above are free. Time::exact:
// time passes by what callbacks and I/O say that they take, and by waiting; for latency.
//
// Not modelled: 'beforeExit'; signals; domains and async_hooks; a timer armed in the timers phase waits for the next
// round, even if it would be due; an interval that is never cleared makes a loop that never ends.
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

namespace js {

using Milliseconds = std::int64_t;
using Callback = std::function<void()>;

template <class T>
class Promise;
class PromiseRecord;
class EventLoop;

enum class Time : std::uint8_t { free, exact };

/// Size of the runtime's own thread pool (file system, DNS, crypto) unless a loop is told another.
inline constexpr std::size_t kThreadPoolSize = 4;

/// What setTimeout and setInterval return. Valid as long as its loop.
class Timeout {
 public:
  Timeout() = default;
  void ref();
  void unref();
  bool hasRef() const;
  /// Starts the delay anew.
  void refresh();

 private:
  friend class EventLoop;
  Timeout(EventLoop* loop, std::uint64_t id) : loop_(loop), id_(id) {}
  EventLoop* loop_ = nullptr;
  std::uint64_t id_ = 0;
};

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
  virtual bool is_drained() const { return true; }
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
  Timeout setTimeout(Callback callback, Milliseconds delay);
  Timeout setInterval(Callback callback, Milliseconds delay);
  void clearTimeout(Timeout timeout);
  Immediate setImmediate(Callback callback);
  void clearImmediate(Immediate immediate);
  void nextTick(Callback callback);
  void queueMicrotask(Callback callback);

  // --- I/O ---
  /// Starts an operation that completes some time later with `done` in the poll phase. `takes`: its duration under
  /// Time::exact; none, or under Time::free: any.
  void start_io(Callback done, std::optional<Milliseconds> takes = {});
  /// The same for work on the runtime's thread pool: at most pool_size() of them go on at once, the others wait in
  /// order.
  void start_pool_work(Callback done, std::optional<Milliseconds> takes = {});
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
  struct Timer {
    std::uint64_t id = 0;
    Milliseconds delay = 0;
    Milliseconds due = 0;
    std::uint64_t armed_by = 0;  // number of the callback that armed it
    std::uint64_t round = 0;     // in which it was armed
    bool repeats = false;
    bool keeps_alive = true;
    Job job;
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
    Job job;
  };
  struct Source {
    Receiver* receiver = nullptr;
    EventChannel* channel = nullptr;
  };
  struct Task {
    std::string name;
    std::function<bool()> settled;
  };

  void run_phases();
  void run_timers();
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
  void arm(Timer timer);
  Timer* find_timer(std::uint64_t id);
  bool precedes(const Timer& a, const Timer& b) const;
  std::vector<std::size_t> timers_that_may_fire() const;
  bool is_due_with(const Timer& fired) const;
  void fire(std::size_t which);
  bool complete_due_io();
  std::optional<Milliseconds> next_moment() const;
  bool wait_for_next_moment();
  void check_tasks();
  void add_task(const char* name, std::function<bool()> settled);

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
  std::uint64_t round_ = 0;
  std::uint32_t task_ = 0;
  std::uint32_t next_source_ = 1;
  std::optional<std::uint32_t> most_microtasks_;
  std::uint32_t microtasks_in_a_row_ = 0;
  std::string turn_invariant_;
  bool timer_is_due_ = false;  // the poll phase was left because a timer comes first
  std::size_t pool_size_ = kThreadPoolSize;
  std::deque<Job> ticks_;
  std::deque<Job> microtasks_;
  std::vector<Timer> timers_;  // in the order of arming
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
inline Timeout setTimeout(Callback callback, Milliseconds delay = 1) {
  return EventLoop::current().setTimeout(std::move(callback), delay);
}
inline Timeout setInterval(Callback callback, Milliseconds delay) {
  return EventLoop::current().setInterval(std::move(callback), delay);
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
