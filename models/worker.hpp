// Worker threads: `new Worker(url, { workerData })`. A worker is a thread with an event loop, a heap and, as module, a
// C++ function of its own.
//
// Messages are clones. Of what a worker sends, messages are in order, and 'online' comes before 'error'; but these two
// kinds overtake each other. 'exit' comes last, after all messages of the worker's own port. An error that nothing in
// the worker handles is an 'error' event on the parent, then 'exit' with code 1; without a listener the 'error' is
// thrown on the parent's loop. Posting to a worker that is gone does nothing; ports in messages that it has not read
// when it ends close. terminate() stops it without unwinding: no finally block runs, no lock is given back; code 1, or
// 0 if it had not booted yet. What it had sent before still arrives.
//
// A C++ function may refer to what it captures: that is shared memory, which a JavaScript worker could not see. Hand
// over a SharedArrayBuffer or workerData instead; what is accessed from two agents nevertheless is reported as a data
// race.
//
// Not modelled: resource limits, stdio, environment and argv; 'messageerror'; 'close' of parentPort; process.exit codes
// of a worker that is being terminated. A worker can be stopped at its steps that others see (messages, Atomics, turns
// of its loop), so one that only computes must be given such a step.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "models/event_loop.hpp"
#include "models/message_port.hpp"
#include "models/promise.hpp"

namespace js {

class WorkerScope;

/// A worker's module: runs on its loop, as the top level of a module does.
using WorkerModule = std::function<void(WorkerScope& self)>;

struct WorkerOptions {
  std::string name = "Worker";  ///< in traces
  Value workerData{};           ///< cloned
  TransferList transferList{};
  /// Whether 'online' is sent. One more event from each worker means more orders to explore: only where somebody
  /// listens.
  bool announces_online = false;
};

/// The parent's record of a worker. Emits 'online', 'message', 'error' (an Error), 'exit' (the code).
class WorkerRecord final : public HeapObject, public EventEmitter {
 public:
  WorkerRecord(WorkerModule module, WorkerOptions options);
  ~WorkerRecord() override;

 private:
  friend class Worker;
  friend class ParentPort;

  /// One of the channels on which the parent's loop listens to the worker.
  class Side final : public Receiver {
   public:
    Side(WorkerRecord& worker, bool keeps_alive) : worker_(worker), keeps_alive_(keeps_alive) {}
    void deliver(Event event) override { worker_.got_event(event); }
    bool keeps_alive() const override { return keeps_alive_ && worker_.referenced_ && !worker_.exited_; }

   private:
    WorkerRecord& worker_;
    bool keeps_alive_;
  };

  void run_thread();
  void run_module(EventLoop& loop);
  void send(EventKind kind, Message content);
  void got_event(const Event& event);
  void exited(int code);
  void request_stop();
  void stop_and_join();
  void listeners_changed() override;
  std::string messages_name() const { return "messages of " + options_.name; }
  std::string notices_name() const { return "notices of " + options_.name; }
  std::string name_of_messages_to_it() const { return "messages to " + options_.name; }

  EventLoop& parent_;
  WorkerModule module_;
  WorkerOptions options_;
  Message worker_data_;
  Mailbox mailbox_;
  PortsUnderWay ports_to_worker_;
  std::deque<Event> kept_by_worker_;  // of what came from the parent
  // 'online' and 'error' overtake messages and are overtaken by them, so they have a channel of their own. 'exit' comes
  // last on that of the messages.
  EventChannel messages_;
  EventChannel notices_;
  Side message_side_{*this, true};
  Side notice_side_{*this, false};
  SourceId message_source_;
  SourceId notice_source_;
  bool referenced_ = true;
  bool exited_ = false;
  std::vector<Promise<int>> terminations_;
  std::thread thread_;
};

/// A handle: copies are the same worker. For the loop that made it.
class Worker {
 public:
  explicit Worker(WorkerModule module, WorkerOptions options = {})
      : record_(&EventLoop::current().heap().make<WorkerRecord>(std::move(module), std::move(options))) {}

  template <class L>
  std::uint64_t on(std::string event, L listener) const {
    return record_->on(std::move(event), std::move(listener));
  }
  template <class L>
  std::uint64_t once(std::string event, L listener) const {
    return record_->once(std::move(event), std::move(listener));
  }
  void off(std::uint64_t id) const { record_->off(id); }

  /// Throws DataCloneError, and sends nothing, if `value` cannot be cloned.
  void postMessage(const Value& value, const TransferList& transfer = {}) const;
  /// The promise of its exit code, settled after the 'exit' event. Of a worker that is gone: of 0 (the platform:
  /// undefined).
  Promise<int> terminate() const;
  void ref() const { record_->referenced_ = true; }
  void unref() const { record_->referenced_ = false; }
  const std::string& name() const { return record_->options_.name; }
  friend bool operator==(Worker a, Worker b) { return a.record_ == b.record_; }

 private:
  WorkerRecord* record_;
};

/// `parentPort` of node:worker_threads.
class ParentPort final : public MessagePort {
 public:
  ParentPort(EventLoop& loop, WorkerRecord& worker);

  void postMessage(const Value& value, const TransferList& transfer = {}) override;
  void close() override;

 private:
  void announce(const Value& value) const override;

  WorkerRecord& worker_;
};

/// What a worker's module finds around it.
class WorkerScope {
 public:
  WorkerScope(EventLoop& worker_loop, WorkerRecord& worker, const Message& data)
      : loop(worker_loop), parentPort(worker_loop, worker), workerData(deserialize(data)) {}
  WorkerScope(const WorkerScope&) = delete;
  WorkerScope& operator=(const WorkerScope&) = delete;

  EventLoop& loop;
  ParentPort parentPort;
  Value workerData;
};

}  // namespace js
