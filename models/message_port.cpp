#include "models/message_port.hpp"

#include <utility>

namespace js {
namespace {

void tell(PortRecord& port, EventKind kind) {
  EventChannel* const to = port.state.update([kind](PortState& state) {
    if (kind == EventKind::close) state.peer_closed = true;
    return state.started && !state.closed ? state.receiver : nullptr;
  });
  if (to != nullptr) to->send({kind, {}});
}

EventChannel& add_channel(PortRecord& port) {
  port.channels.push_back(std::make_unique<EventChannel>());
  name_part(*port.channels.back(), "a message port");
  return *port.channels.back();
}

}  // namespace

ChannelPort::ChannelPort(PortRecord& record)
    : loop_(EventLoop::current()),
      record_(&record),
      channel_(&add_channel(record)),
      source_(loop_.listen(*this, *channel_)) {
  weft::detail::hide_steps(&record.state);
  record.state.update([this](PortState& state) { state.receiver = channel_; });
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

void ChannelPort::start() {
  if (std::exchange(started_, true) || record_ == nullptr) return;
  struct Found {
    std::size_t messages;
    bool peer_closed;
  };
  const Found found = record_->state.update([](PortState& state) {
    state.started = true;
    return Found{state.waiting.size(), state.peer_closed};
  });
  for (std::size_t i = 0; i < found.messages; ++i) channel_->send({EventKind::message, {}});
  if (found.peer_closed) channel_->send({EventKind::close, {}});
}

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
  // What is being delivered when a handler closes the port still comes, but no more than that.
  if (closing_ && loop_.turn() != closed_in_turn_) return;
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
  closed_in_turn_ = loop_.turn();
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
  record_->state.update([](PortState& state) {
    state.receiver = nullptr;
    state.started = false;
  });
  return std::exchange(record_, nullptr);
}

MessageChannel::MessageChannel()
    : port1((first_.peer = &second_, EventLoop::current().heap().make<ChannelPort>(first_))),
      port2((second_.peer = &first_, EventLoop::current().heap().make<ChannelPort>(second_))) {}

}  // namespace js
