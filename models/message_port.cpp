#include "models/message_port.hpp"

#include <algorithm>
#include <utility>

namespace js {
namespace {

/// A port that has not been started hears of a close nevertheless, unless messages come before that.
void tell(PortRecord& port, EventKind kind) {
  EventChannel* const to = port.state.update([kind](PortState& state) {
    if (kind == EventKind::close) state.peer_closed = true;
    const bool hears = state.started || (kind == EventKind::close && state.waiting.empty());
    return hears && !state.closed ? state.receiver : nullptr;
  });
  if (to != nullptr) to->send({kind, {}});
}

bool carries_ports(const Message& message) {
  return std::any_of(message.nodes.begin(), message.nodes.end(),
                     [](const Message::Node& node) { return node.port != nullptr; });
}

/// Its peer gets what was sent before, then 'close'.
void close_for_good(PortRecord& port) {
  struct Found {
    bool closed;
    bool peer_closed;
    std::vector<Message> waiting;
  };
  const Found found = port.state.update([](PortState& state) {
    return Found{std::exchange(state.closed, true), state.peer_closed, std::exchange(state.waiting, {})};
  });
  if (!found.closed && !found.peer_closed) tell(*port.peer, EventKind::close);
  for (const Message& message : found.waiting) drop_ports_of(message);
}

EventChannel& add_channel(PortRecord& port) {
  port.channels.push_back(std::make_unique<EventChannel>());
  name_part(*port.channels.back(), "a message port");
  return *port.channels.back();
}

}  // namespace

// --- ports in messages ---

void drop_ports_of(const Message& message) {
  for (const Message::Node& node : message.nodes) {
    if (node.port != nullptr) close_for_good(*node.port);
  }
}

void PortsUnderWay::send(const Message& message) {
  if (!carries_ports(message)) return;
  const bool has_ended = state_.update([&message](State& state) {
    if (!state.ended) state.messages.push_back(message);
    return state.ended;
  });
  if (has_ended) drop_ports_of(message);
}

void PortsUnderWay::receive(const Message& message) { received_ += carries_ports(message) ? 1 : 0; }

void PortsUnderWay::end() {
  const std::vector<Message> messages = state_.update([](State& state) {
    state.ended = true;
    return std::exchange(state.messages, {});
  });
  for (std::size_t i = received_; i < messages.size(); ++i) drop_ports_of(messages[i]);
}

// --- a port on its loop ---

ChannelPort::ChannelPort(PortRecord& record)
    : loop_(EventLoop::current()),
      record_(&record),
      channel_(&add_channel(record)),
      source_(loop_.listen(*this, *channel_)),
      last_turn_(loop_) {
  weft::detail::hide_steps(&record.state);
  const bool is_over = record.state.update([this](PortState& state) {
    state.receiver = channel_;
    return state.peer_closed && state.waiting.empty();
  });
  if (is_over) channel_->send({EventKind::close, {}});
  loop_.at_end([this] { end_with_loop(); });
}

// An agent that ends takes its ports along: the other ends get what was sent before, then 'close'.
void ChannelPort::end_with_loop() {
  if (record_ != nullptr) close_for_good(*record_);
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
  if (record_ == nullptr || closing_) {
    drop_ports_of(message);
    return;
  }
  PortRecord& to = *record_->peer;
  const bool accepted = to.state.update([&](PortState& state) {
    if (!state.closed) state.waiting.push_back(message);
    return !state.closed;
  });
  if (accepted) {
    tell(to, EventKind::message);
  } else {
    drop_ports_of(message);
  }
}

void ChannelPort::stop() {
  if (!std::exchange(started_, false) || record_ == nullptr) return;
  record_->state.update([](PortState& state) { state.started = false; });
}

std::optional<Value> ChannelPort::receive() {
  if (record_ == nullptr) return std::nullopt;
  struct Found {
    std::optional<Message> message{};
    bool peer_closed = false;
  };
  const Found found = record_->state.update([](PortState& state) {
    if (state.waiting.empty()) return Found{.peer_closed = state.peer_closed};
    Found first{.message = std::move(state.waiting.front())};
    state.waiting.erase(state.waiting.begin());
    return first;
  });
  if (found.message) return deserialize(*found.message);
  if (found.peer_closed && !closing_) begin_to_close();
  return std::nullopt;
}

void ChannelPort::deliver(Event event) {
  if (event.kind == EventKind::close) {
    if (record_->state.update([](PortState& state) { return state.waiting.empty(); })) {
      if (!closing_) begin_to_close();
    } else if (started_) {
      channel_->send({EventKind::close, {}});  // it came while start() was telling of the messages
    }
    return;
  }
  if (!started_) return;  // it was stopped meanwhile
  if (closing_ && !last_turn_.goes_on()) return;
  last_turn_.delivers();
  // Nothing, if receiveMessageOnPort() has taken it meanwhile.
  if (const std::optional<Value> value = receive()) emit("message", *value);
}

void ChannelPort::close() {
  loop_.checkpoint();
  if (record_ != nullptr && !closing_) begin_to_close();
}

// The other end hears of it when this one has closed.
void ChannelPort::begin_to_close() {
  closing_ = true;
  last_turn_.closes();
  loop_.defer_to_close([this] {
    loop_.forget(source_);
    close_for_good(*record_);
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
