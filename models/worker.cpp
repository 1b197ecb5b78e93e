#include "models/worker.hpp"

#include <utility>

#include "models/noted_access.hpp"

namespace js {

using Does = weft::detail::Note::Does;

WorkerRecord::WorkerRecord(WorkerModule module, WorkerOptions options)
    : parent_(EventLoop::current()),
      module_(std::move(module)),
      options_(std::move(options)),
      worker_data_(serialize(options_.workerData, options_.transferList)),
      message_source_(parent_.listen(message_side_, messages_)),
      notice_source_(parent_.listen(notice_side_, notices_)) {
  ports_to_worker_.send(worker_data_);
  name_part(messages_, messages_name());
  name_part(notices_, notices_name());
  name_part(mailbox_.from_parent, name_of_messages_to_it());
  name_part(mailbox_.sleep, "any Atomics.notify");
  name_part(mailbox_.life, "life of " + options_.name);
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
    if (options_.announces_online) send(EventKind::online, {});
    auto* const loop = new EventLoop(parent_.time(), &mailbox_);
    run_module(*loop);
    code = loop->exit_code().value_or(loop->failed() ? 1 : 0);
    if (loop->ended_orderly()) delete loop;  // else frames that still run are on it
  }
  ports_to_worker_.end();
  note_access(Does::ends, [&] { return NotedAccess{"exits with code " + std::to_string(code), messages_name(), ""}; });
  weft::detail::show_steps(false);  // the end of the thread is that of the worker
  send(EventKind::exit, serialize(code));
}

void WorkerRecord::run_module(EventLoop& loop) {
  // On the heap, like the loop: a stop leaves it in the middle of a call.
  auto* const scope = new WorkerScope(loop, *this, worker_data_);
  ports_to_worker_.receive(worker_data_);
  try {
    loop.run([this, scope] { module_(*scope); });
  } catch (const Error& error) {
    note_access(Does::ends, [&] { return NotedAccess{std::string("throws ") + error.what(), notices_name(), ""}; });
    send(EventKind::error, serialize(error));
  }
  if (loop.ended_orderly()) delete scope;
}

void WorkerRecord::send(EventKind kind, Message content) {
  const bool is_notice = kind == EventKind::online || kind == EventKind::error;
  (is_notice ? notices_ : messages_).send({kind, std::move(content)});
}

ParentPort::ParentPort(EventLoop& loop, WorkerRecord& worker)
    : MessagePort(loop, worker.mailbox_.from_parent, worker.ports_to_worker_, worker.kept_by_worker_), worker_(worker) {
  loop.listen(*this, channel_);  // from the beginning: a request to stop comes the same way
}

void ParentPort::close() {
  if (!is_closed()) mark_closed();
}

void ParentPort::postMessage(const Value& value, const TransferList& transfer) {
  loop_.checkpoint();
  Message message = serialize(value, transfer);
  if (is_closed()) {
    drop_ports_of(message);
    return;
  }
  note_access(Does::sends, [&] {
    return NotedAccess{"postMessage(" + value.to_string() + ")", worker_.messages_name(), value.to_string()};
  });
  worker_.send(EventKind::message, std::move(message));
}

void ParentPort::announce(const Value& value) const {
  note_access(Does::receives, [&] {
    return NotedAccess{"message from parent: " + value.to_string(), worker_.name_of_messages_to_it(),
                       value.to_string()};
  });
}

// --- on the parent's thread ---

void Worker::postMessage(const Value& value, const TransferList& transfer) const {
  EventLoop::current().checkpoint();
  if (record_->exited_) return;
  Message message = serialize(value, transfer);
  record_->ports_to_worker_.send(message);
  note_access(Does::sends, [&] {
    return NotedAccess{name() + ".postMessage(" + value.to_string() + ")", record_->name_of_messages_to_it(),
                       value.to_string()};
  });
  record_->mailbox_.from_parent.send({EventKind::message, std::move(message)});
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
  mailbox_.from_parent.send({EventKind::stop, {}});
  mailbox_.sleep.send(WakeUp::stop);
}

void WorkerRecord::stop_and_join() {
  if (!thread_.joinable()) return;
  note([&] { return "stops " + options_.name; });
  request_stop();
  weft::detail::show_steps(false);
  thread_.join();
  weft::detail::show_steps(true);
  while (messages_.certain() != 0) drop_ports_of(messages_.receive().content);
}

void WorkerRecord::got_event(const Event& event) {
  const Value value = deserialize(event.content);
  switch (event.kind) {
    case EventKind::message:
      note_access(Does::receives, [&] {
        return NotedAccess{"message from " + options_.name + ": " + value.to_string(), messages_name(),
                           value.to_string()};
      });
      emit("message", value);
      return;
    case EventKind::online:
      note([&] { return "'online' of " + options_.name; });
      emit("online");
      return;
    case EventKind::error:
      note_access(Does::receives, [&] {
        return NotedAccess{"'error' of " + options_.name + ": " + value.to_string(), notices_name(), ""};
      });
      if (!emit("error", value)) throw value.error();
      return;
    case EventKind::exit:
      exited(static_cast<int>(value.number()));
      return;
    default:
      return;
  }
}

void WorkerRecord::exited(int code) {
  // Nothing comes after 'exit': where notices wait, the executions in which they were taken first stand for this one.
  if (weft::detail::in_execution()) weft::assume(notices_.certain() == 0);
  while (notices_.certain() != 0) got_event(notices_.receive());
  weft::detail::show_steps(false);  // that it has ended is what 'exit' says
  thread_.join();
  weft::detail::show_steps(true);
  exited_ = true;
  parent_.forget(message_source_);
  parent_.forget(notice_source_);
  note_access(Does::receives, [&] {
    return NotedAccess{"'exit' of " + options_.name + ": " + std::to_string(code), messages_name(), ""};
  });
  emit("exit", code);
  for (const Promise<int> gone : std::exchange(terminations_, {})) gone.resolve(code);
}

}  // namespace js
