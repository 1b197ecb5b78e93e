#include "models/worker.hpp"

#include <utility>

namespace js {
namespace {

/// What a worker's loop calls its parent: the first receiver that it has.
constexpr SourceId kParent{1};

}  // namespace

WorkerRecord::WorkerRecord(WorkerModule module, WorkerOptions options)
    : parent_(EventLoop::current()),
      module_(std::move(module)),
      options_(std::move(options)),
      worker_data_(serialize(options_.workerData, options_.transferList)),
      event_source_(parent_.add_receiver(events_)),
      message_source_(parent_.add_receiver(messages_, event_source_)) {
  mailbox_.name(options_.name);
  parent_.at_end([this] { stop_and_join(); });
  thread_ = std::thread([this] { run_thread(); });
}

WorkerRecord::~WorkerRecord() = default;

void WorkerRecord::listeners_changed() {
  weft::check(options_.announces_online || listenerCount("online") == 0,
              "a worker with an 'online' listener has the option announces_online");
}

// --- on the worker's thread ---

void WorkerRecord::run_thread() {
  weft::name_thread(options_.name.c_str());
  Life life = Life::booting;
  const bool online = mailbox_.life.compare_exchange_strong(life, Life::online);
  int code = 0;
  if (online) {
    if (options_.announces_online) send(event_source_, EventKind::online, {});
    auto* const loop = new EventLoop(parent_.time(), &mailbox_);
    run_module(*loop);
    code = loop->exit_code().value_or(loop->failed() ? 1 : 0);
    if (loop->ended_orderly()) delete loop;  // else frames that still run are on it
  }
  note([&] { return "exits with code " + std::to_string(code); });
  send(event_source_, EventKind::exit, serialize(code));
}

void WorkerRecord::run_module(EventLoop& loop) {
  // On the heap, like the loop: a stop leaves it in the middle of a call.
  auto* const scope = new WorkerScope(loop, *this, worker_data_);
  try {
    loop.run([this, scope] { module_(*scope); });
  } catch (const Error& error) {
    note([&] { return std::string("throws ") + error.what(); });
    send(event_source_, EventKind::error, serialize(error));
  }
  if (loop.ended_orderly()) delete scope;
}

void WorkerRecord::send(SourceId to, EventKind kind, Message content) {
  parent_.mailbox().inbox.send({to, kind, std::move(content)});
}

ParentPort::ParentPort(EventLoop& loop, WorkerRecord& worker) : loop_(loop), worker_(worker) {
  const SourceId source = loop.add_receiver(*this);
  weft::check(source == kParent, "a worker's loop meets its parent first");
}

void ParentPort::postMessage(const Value& value, const TransferList& transfer) {
  loop_.checkpoint();
  Message message = serialize(value, transfer);
  if (closed_) return;
  note([&] { return "postMessage(" + value.to_string() + ")"; });
  worker_.send(worker_.message_source_, EventKind::message, std::move(message));
}

void ParentPort::deliver(Event event) {
  const Value value = deserialize(event.content);
  note([&] { return "message from parent: " + value.to_string(); });
  emit("message", value);
}

// --- on the parent's thread ---

void Worker::postMessage(const Value& value, const TransferList& transfer) const {
  EventLoop::current().checkpoint();
  Message message = serialize(value, transfer);
  if (record_->exited_) return;
  note([&] { return name() + ".postMessage(" + value.to_string() + ")"; });
  record_->mailbox_.inbox.send({kParent, EventKind::message, std::move(message)});
}

Promise<int> Worker::terminate() const {
  EventLoop::current().checkpoint();
  const Promise<int> gone = Promise<int>::pending();
  if (record_->exited_) {
    gone.resolve(0);
    return gone;
  }
  note([&] { return name() + ".terminate()"; });
  record_->request_stop();
  record_->terminations_.push_back(gone);
  return gone;
}

void WorkerRecord::request_stop() {
  mailbox_.life.store(Life::stopping);
  // Wherever it waits, if it does.
  mailbox_.inbox.send({kParent, EventKind::stop, {}});
  mailbox_.sleep.send(WakeUp::stop);
}

void WorkerRecord::stop_and_join() {
  if (!thread_.joinable()) return;
  request_stop();
  thread_.join();
}

void WorkerRecord::got_message(const Event& event) {
  const Value value = deserialize(event.content);
  note([&] { return "message from " + options_.name + ": " + value.to_string(); });
  emit("message", value);
}

void WorkerRecord::got_event(const Event& event) {
  if (event.kind == EventKind::online) {
    emit("online");
  } else if (event.kind == EventKind::error) {
    const Value error = deserialize(event.content);
    note([&] { return "'error' of " + options_.name + ": " + error.to_string(); });
    if (!emit("error", error)) throw error.error();
  } else if (event.kind == EventKind::exit) {
    parent_.deliver_all(message_source_);
    thread_.join();
    exited_ = true;
    parent_.forget(message_source_);
    parent_.forget(event_source_);
    const Value code = deserialize(event.content);
    note([&] { return "'exit' of " + options_.name + ": " + code.to_string(); });
    emit("exit", code);
    for (const Promise<int> gone : std::exchange(terminations_, {})) gone.resolve(static_cast<int>(code.number()));
  }
}

}  // namespace js
