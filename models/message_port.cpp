#include "models/message_port.hpp"

#include <algorithm>
#include <utility>

namespace js {
namespace {

bool carries_ports(const Message& message) {
  return std::any_of(message.nodes.begin(), message.nodes.end(),
                     [](const Message::Node& node) { return node.port != nullptr; });
}

/// Its peer gets what was sent before, then 'close'.
void close_for_good(PortRecord& port, bool peer_knows = false) {
  port.ports.end();
  if (!peer_knows) port.peer->channel.send({EventKind::close, {}});
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

void MessagePort::start() {
  if (std::exchange(started_, true)) return;
  for (std::size_t i = 0; i < kept_.size(); ++i) channel_.send({EventKind::resumed, {}});
  listening_may_change();
}

void MessagePort::stop() {
  started_ = false;
  listening_may_change();
}

// The first listener of 'message' starts the port and makes it keep the loop alive; the last one that is removed stops
// it.
void MessagePort::listeners_changed() {
  const bool has_listener = listenerCount("message") != 0;
  if (std::exchange(had_listener_, has_listener) == has_listener) {
    listening_may_change();
  } else if (has_listener) {
    start();
    ref();
  } else {
    stop();
    unref();
  }
}

void MessagePort::mark_closed() {
  closed_ = true;
  if (delivering_callback_ == loop_.callbacks_run()) closed_in_turn_ = loop_.turn();
}

void MessagePort::deliver(Event event) {
  has_taken_an_event();
  if (event.kind != EventKind::resumed) kept_.push_back(std::move(event));
  hand_out_oldest();
}

Value MessagePort::take_oldest() {
  const Event event = std::move(kept_.front());
  kept_.pop_front();
  ports_.receive(event.content);
  return deserialize(event.content);
}

void MessagePort::hand_out_oldest() {
  if (kept_.empty()) return;
  if (kept_.front().kind == EventKind::close) {
    kept_.pop_front();
    peer_has_closed();
  } else if (closed_ && closed_in_turn_ != loop_.turn()) {
    ports_.receive(kept_.front().content);
    drop_ports_of(kept_.front().content);
    kept_.pop_front();
  } else if (started_) {
    delivering_callback_ = loop_.callbacks_run();
    const Value value = take_oldest();
    announce(value);
    emit("message", value);
  }
}

// --- a port of a MessageChannel ---

PortRecord::PortRecord() { name_part(channel, "a message port"); }

ChannelPort::ChannelPort(PortRecord& record)
    : MessagePort(EventLoop::current(), record.channel, record.ports, record.kept), record_(&record) {
  // Explored, each thread receives a channel from its beginning.
  std::size_t& by_this_loop = record.taken_by[&loop_];
  if (weft::detail::in_execution()) {
    for (; by_this_loop < record.taken; ++by_this_loop) channel_.receive();
  }
  loop_.at_end([this] {  // an agent that ends takes its ports along
    if (record_ != nullptr) close_for_good(*record_, peer_closed_);
  });
}

// A port that is not started hears of a close nevertheless, if somebody listens.
void ChannelPort::listening_may_change() {
  const bool listens = record_ != nullptr && (is_started() || listenerCount("close") != 0);
  if (listens == source_.has_value()) return;
  if (listens) {
    source_ = loop_.listen(*this, channel_);
  } else {
    loop_.forget(*std::exchange(source_, std::nullopt));
  }
}

void ChannelPort::postMessage(const Value& value, const TransferList& transfer) {
  loop_.checkpoint();
  if (record_ != nullptr) {
    for (const Value& item : transfer) {
      if (item.is_port() && &item.port() == this) throw DataCloneError("Transfer list contains source port");
    }
  }
  Message message = serialize(value, transfer);
  if (record_ == nullptr || is_closed()) {
    drop_ports_of(message);
    return;
  }
  record_->peer->ports.send(message);
  note([&] { return "port.postMessage(" + value.to_string() + ")"; });
  record_->peer->channel.send({EventKind::message, std::move(message)});
}

void ChannelPort::announce(const Value& value) const {
  note([&] { return "message at port: " + value.to_string(); });
}

std::optional<Value> ChannelPort::receive() {
  if (record_ == nullptr || is_closed()) return std::nullopt;
  while (kept_.empty() && channel_.certain() != 0) keep(channel_.receive());
  // What others have sent may be here, too.
  weft::detail::show_steps(false);
  if (kept_.empty() && weft::detail::in_execution() && weft::choose(2) != 0)
    keep(*channel_.receive_by_choice({}, true));
  weft::detail::show_steps(true);
  if (kept_.empty()) {
    note([] { return std::string("receiveMessageOnPort: none is here"); });
    return std::nullopt;
  }
  if (kept_.front().kind != EventKind::close) {
    const Value value = take_oldest();
    note([&] { return "receiveMessageOnPort: " + value.to_string(); });
    return value;
  }
  kept_.pop_front();
  peer_has_closed();
  return std::nullopt;
}

void ChannelPort::keep(Event event) {
  has_taken_an_event();
  if (event.kind != EventKind::resumed) kept_.push_back(std::move(event));
}

void ChannelPort::peer_has_closed() {
  peer_closed_ = true;
  if (!is_closed()) begin_to_close();
}

void ChannelPort::close() {
  loop_.checkpoint();
  if (record_ != nullptr && !is_closed()) begin_to_close();
}

// The other end hears of it when this one has closed.
void ChannelPort::begin_to_close() {
  mark_closed();
  loop_.defer_to_close([this] {
    if (source_) loop_.forget(*std::exchange(source_, std::nullopt));
    close_for_good(*std::exchange(record_, nullptr), peer_closed_);
    emit("close");
  });
}

PortRecord* ChannelPort::detach() {
  if (record_ == nullptr || is_closed()) return nullptr;
  PortRecord* const record = std::exchange(record_, nullptr);
  listening_may_change();
  return record;
}

MessageChannel::MessageChannel()
    : port1((first_.peer = &second_, EventLoop::current().heap().make<ChannelPort>(first_))),
      port2((second_.peer = &first_, EventLoop::current().heap().make<ChannelPort>(second_))) {}

}  // namespace js
