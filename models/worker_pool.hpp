// A pool of workers for jobs that compute for long: a fixed number of workers, each with one job at a time, and a
// bounded queue in front of them. Source: seeds 000, RenderPool.
//
// A job is a message to a worker, and its result the message that the worker answers with. One that takes too long is
// rejected, and its worker is terminated. What becomes of a job whose worker dies is decided by the pool's supervision,
// which gets each new worker and listens to its 'error' and 'exit': fail_job_of() and replace() are what it is made of.
//
// Not modelled: a size that follows from the number of processors, and a shutdown (idle workers keep no loop alive, and
// end with it).
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

#include "models/promise.hpp"
#include "models/worker.hpp"

namespace js {

class WorkerPool {
 public:
  using Supervision = void (*)(WorkerPool& pool, Worker worker);

  struct Options {
    std::size_t size = 1;
    std::size_t max_queue = 100;                ///< jobs that may wait
    std::optional<Milliseconds> time_out = {};  ///< of a job, from when a worker gets it
  };
  /// What jobs are rejected with.
  static constexpr const char* kTimedOut = "job timed out";
  static constexpr const char* kQueueFull = "job queue full";

  WorkerPool(WorkerModule module, Supervision supervise, Options options);
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// The promise of the worker's answer. `transfer` moves when a worker gets the job.
  Promise<Value> run(const Value& payload, const TransferList& transfer = {});

  // --- for the supervision ---
  /// This worker is on its way out: the job that it has, if any, ends with this error, and it gets no other one.
  void fail_job_of(Worker worker, const Error& error);
  /// Drops the dead worker, and starts another one.
  void replace(Worker dead);

  bool has(Worker worker) const;
  /// Workers that have not been dropped; those of them that get jobs; those of these that have none.
  std::size_t slots() const { return slots_.size(); }
  std::size_t live() const;
  std::size_t idle() const;

 private:
  struct Job {
    Value payload;
    TransferList transfer;
    Promise<Value> done = Promise<Value>::pending().named("job");
  };
  struct Slot {
    Worker worker;
    std::optional<Job> job{};
    Timeout timer{};
    bool dying = false;  // failed or terminated: whatever it still sends, it gets no other job
  };

  void spawn();
  void serve_queue();
  void say_replacement_of(Worker dead) const;
  Job take_job(Slot& slot);
  void time_out(Worker worker, const Job& job);
  void finish(Worker worker, const Value& result);

  WorkerModule module_;
  Supervision supervise_;
  Options options_;
  int spawned_ = 0;
  std::vector<Slot> slots_;
  std::deque<Job> queue_;
};

}  // namespace js
