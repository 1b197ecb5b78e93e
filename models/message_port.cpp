#include "models/message_port.hpp"

#include <utility>

namespace js {
namespace {

void tell(PortRecord& port, EventKind kind) {
  struct Target {
    Mailbox* mailbox;
    SourceId source;
  };
  const Target to = port.state.update([kind](PortState& state) {
    if (kind == EventKind::close) state.peer_closed = true;
    return Target{state.closed ? nullptr : state.receiver, state.source};
  });
  if (to.mailbox == nullptr) return;
  to.mailbox->inbox.send({to.source, kind, {}});
}

}  // namespace

ChannelPort::ChannelPort(PortRecord& record)
    : loop_(EventLoop::current()), record_(&record), source_(loop_.add_receiver(*this)) {
  struct Found {
    std::size_t messages;
    bool peer_closed;
  };
  const Found found = record.state.update([this](PortState& state) {
    state.receiver = &loop_.mailbox();
    state.source = source_;
    return Found{state.waiting.size(), state.peer_closed};
  });
  for (std::size_t i = 0; i < found.messages; ++i) loop_.put_arrived({source_, EventKind::message, {}});
  if (found.peer_closed) loop_.put_arrived({source_, EventKind::close, {}});
  loop_.at_end([this] { end_with_loop(); });
}

// An agent that ends takes its ports along: the other ends get what was sent before, then 'close'.
void ChannelPort::end_with_loop() {
  if (record_ == nullptr) return;
  const bool was_closed = record_->state.update([](PortState& state) {
    state.waiting.clear();
    return std::exchange(state.closed, true);
  });
  if (!was_closed) tell(*record_->peer, EventKind::close);
}

void ChannelPort::start() { started_ = true; }

void ChannelPort::postMessage(const Value& value, const TransferList& transfer) {
  loop_.checkpoint();
  if (record_ != nullptr) {
    for (const Value& item : transfer) {
      if (item.is_port() && &item.port() == this) throw DataCloneError("Transfer list contains source port");
    }
  }
  Message message = serialize(value, transfer);
  if (record_ == nullptr || closing_) return;
  PortRecord& to = *record_->peer;
  const bool accepted = to.state.update([&](PortState& state) {
    if (!state.closed) state.waiting.push_back(std::move(message));
    return !state.closed;
  });
  if (accepted) tell(to, EventKind::message);
}

std::optional<Value> ChannelPort::receive() {
  if (record_ == nullptr) return std::nullopt;
  const std::optional<Message> message = record_->state.update([](PortState& state) -> std::optional<Message> {
    if (state.waiting.empty()) return std::nullopt;
    Message first = std::move(state.waiting.front());
    state.waiting.erase(state.waiting.begin());
    return first;
  });
  if (!message) return std::nullopt;
  return deserialize(*message);
}

void ChannelPort::deliver(Event event) {
  if (event.kind == EventKind::close) {
    if (!closing_) close_here();
    return;
  }
  // Nothing, if receiveMessageOnPort() has taken it meanwhile.
  if (const std::optional<Value> value = receive()) emit("message", *value);
}

void ChannelPort::close() {
  loop_.checkpoint();
  if (record_ == nullptr || closing_) return;
  PortRecord& peer = *record_->peer;
  close_here();
  tell(peer, EventKind::close);
}

void ChannelPort::close_here() {
  closing_ = true;
  loop_.defer_to_close([this] {
    record_->state.update([](PortState& state) {
      state.closed = true;
      state.waiting.clear();
    });
    loop_.forget(source_);
    emit("close");
  });
}

PortRecord* ChannelPort::detach() {
  if (record_ == nullptr || closing_) return nullptr;
  loop_.forget(source_);
  record_->state.update([](PortState& state) { state.receiver = nullptr; });
  return std::exchange(record_, nullptr);
}

MessageChannel::MessageChannel()
    : port1((first_.peer = &second_, EventLoop::current().heap().make<ChannelPort>(first_))),
      port2((second_.peer = &first_, EventLoop::current().heap().make<ChannelPort>(second_))) {}

}  // namespace js
