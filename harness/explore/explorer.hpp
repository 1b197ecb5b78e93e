// Who decides the next step: the interface between the runtime, which runs threads, and an explorer, which builds graphs.
//
// Life of an explorer: next_execution() prepares graph(); the runtime re-runs all threads as far as that graph goes; then, step by
// step, a ready thread's operation is added by extend(), until no thread can go on; execution_ended() closes the run. Again from
// next_execution(), until that returns false. The runtime calls from one OS thread only.
#pragma once

#include <optional>
#include <span>

#include "explore/operation.hpp"
#include "graph/execution_graph.hpp"

namespace weft {

enum class Ending : std::uint8_t {
  complete,      ///< every thread ran to its end
  deadlock,      ///< threads are left and no other execution of the program could wake them
  blocked,       ///< threads are left that wait, but a newer value would wake one: not an execution of the program
  failed,        ///< a thread was stopped by a finding
  inconsistent,  ///< the explorer dropped the run
};
constexpr bool is_execution(Ending ending) { return ending == Ending::complete || ending == Ending::failed; }

struct Step {
  enum class Status : std::uint8_t { done, waits, inconsistent };
  Value value = 0;  ///< what the operation read, chose or received
  Status status = Status::done;
  bool wrote = false;  ///< rmw: there is a write part
};

/// A thread that could take the next step.
struct ReadyThread {
  ThreadId thread{};
  LocationId location = kNoLocation;  ///< of its operation
  const Operation* operation = nullptr;
};

class Explorer {
 public:
  virtual ~Explorer() = default;
  /// Prepares graph() for the next run; false when nothing is left.
  virtual bool next_execution() = 0;
  /// False if what the run that has begun shows is counted elsewhere.
  virtual bool run_counts() const { return true; }
  virtual const ExecutionGraph& graph() const = 0;
  /// True: the runtime always goes on with the lowest-numbered ready thread, and does not call choose_thread().
  virtual bool lowest_thread_first() const { return true; }
  /// Picks who goes on; nothing: the run is dropped (execution_ended is still called, with Ending::inconsistent).
  virtual std::optional<ThreadId> choose_thread(std::span<const ReadyThread> ready) { return ready.front().thread; }
  /// A thread was caught in a spin loop, and what the loop reads has changed since: true if it goes round once more. Else it stays
  /// where it is for the rest of the run, and the executions in which it goes on are those in which it had not come so far.
  virtual bool resumes_spin(ThreadId) { return false; }
  /// Adds the operation of a ready thread to the graph.
  virtual Step extend(ThreadId t, LocationId l, const Operation& operation) = 0;
  /// Adds the write part of the RMW, lock or send whose read part is the last event of `t`; `result` is what it writes. The runtime
  /// does this before anything else is added: cutting a graph back can leave one such half-done RMW.
  virtual Step finish(ThreadId t, const Operation& operation, Value result) = 0;
  virtual void execution_ended(Ending ending) = 0;
};

}  // namespace weft
