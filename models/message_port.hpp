// Message channels: `const { port1, port2 } = new MessageChannel()`.
//
// What is posted to one port arrives at the other in order, one callback of the poll phase each; nothing orders
// messages of different ports. postMessage clones: see value.hpp. Messages wait until the receiving port is started,
// which on("message") does, and again when its last listener is removed. A closed port drops what it has not delivered,
// and what is posted to it later; its peer gets what was sent before, then 'close'. A port closes with its loop. A port
// can be transferred in a message, with what waits on it; the object on this side is dead then. It closes if the
// message is dropped or its receiver ends without having received it; one that was received stays open as long as its
// loop, even if nothing refers to it any more, since there is no garbage collector.
//
// receiveMessageOnPort() finds what was certainly sent before, and each other message or not: one of which only steps
// on other objects, taken together, say that it must be there may be missed.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <vector>

#include <weft/shared.hpp>

#include "models/event_emitter.hpp"
#include "models/event_loop.hpp"
#include "models/value.hpp"

namespace js {

/// These ports will not arrive: the message that carries them is dropped. They close, with what waits on them.
void drop_ports_of(const Message& message);

/// The ports in the messages to one receiver. Those that it has not received when it ends close then.
class PortsUnderWay {
 public:
  PortsUnderWay() { weft::detail::hide_steps(&state_); }
  /// A message is sent. If its receiver has ended, its ports close now.
  void send(const Message& message);
  /// The receiver has got the oldest message.
  void receive(const Message& message);
  /// The receiver has ended.
  void end();

 private:
  struct State {
    std::vector<Message> messages;  // those with ports
    bool ended = false;
  };
  weft::shared<State> state_;
  std::size_t received_ = 0;  // of those messages; the receiver's own
};

/// One end, on the loop that has it. Emits 'message' and 'close'. What comes through its channel is handed out oldest
/// first, one for each event of the channel, or kept while the port is not started.
class MessagePort : public EventEmitter, public Receiver {
 public:
  MessagePort(const MessagePort&) = delete;
  MessagePort& operator=(const MessagePort&) = delete;

  /// Throws DataCloneError, and sends nothing, if `value` cannot be cloned.
  virtual void postMessage(const Value& value, const TransferList& transfer = {}) = 0;
  virtual void close() = 0;
  /// Begins to deliver what has arrived; on("message") does it too.
  void start();
  /// Messages wait again.
  void stop();
  void ref() { referenced_ = true; }
  void unref() { referenced_ = false; }
  /// For serialize(): the port as part of a message; the port here is dead then. Null: it cannot be sent.
  virtual PortRecord* detach() { return nullptr; }
  virtual PortRecord* record() const { return nullptr; }

  void deliver(Event event) final;
  bool keeps_alive() const override { return started_ && referenced_ && !closed_; }
  // After it was closed in a handler, the rest of that turn still comes.
  bool may_take_more() const override { return closed_ && closed_in_turn_ == loop_.turn(); }

 protected:
  MessagePort(EventLoop& loop, EventChannel& channel, PortsUnderWay& ports, std::deque<Event>& kept)
      : loop_(loop), channel_(channel), ports_(ports), kept_(kept) {}
  ~MessagePort() = default;

  bool is_started() const { return started_; }
  bool is_closed() const { return closed_; }
  void mark_closed();
  /// The oldest message, received.
  Value take_oldest();
  virtual void has_taken_an_event() {}
  virtual void peer_has_closed() {}
  virtual void listening_may_change() {}
  virtual void announce(const Value&) const {}

  EventLoop& loop_;
  EventChannel& channel_;
  PortsUnderWay& ports_;     // in what comes through the channel
  std::deque<Event>& kept_;  // what has come, but is not handed out yet

 private:
  void hand_out_oldest();
  void listeners_changed() final;

  bool started_ = false;
  bool referenced_ = false;  // by a listener or ref()
  bool closed_ = false;
  bool had_listener_ = false;
  std::optional<std::uint64_t> delivering_callback_;  // the latest callback that handed out a message
  std::optional<std::uint64_t> closed_in_turn_;       // of its own messages
};

/// What a port is made of that whoever has it takes along. Only its owner uses it, but for what others send.
struct PortRecord {
  PortRecord();
  EventChannel channel;
  PortsUnderWay ports;
  std::deque<Event> kept;
  std::size_t taken = 0;                               ///< events of the channel, by all loops that have had the port
  std::map<const EventLoop*, std::size_t> taken_by{};  ///< as far as each of them got
  PortRecord* peer = nullptr;
};

/// A port of a MessageChannel.
class ChannelPort final : public HeapObject, public MessagePort {
 public:
  explicit ChannelPort(PortRecord& record);

  void postMessage(const Value& value, const TransferList& transfer = {}) override;
  void close() override;
  PortRecord* detach() override;
  PortRecord* record() const override { return is_closed() ? nullptr : record_; }
  /// `receiveMessageOnPort(port)`: the next message, at once; nothing if none waits.
  std::optional<Value> receive();
  bool is_drained() const override { return false; }

 private:
  void announce(const Value& value) const override;
  void has_taken_an_event() override { record_->taken_by[&loop_] = ++record_->taken; }
  void peer_has_closed() override;
  void listening_may_change() override;
  void begin_to_close();
  void keep(Event event);

  PortRecord* record_;  // null once it was sent away
  std::optional<SourceId> source_;
  bool peer_closed_ = false;
};

/// Owns what its two ports have in common: must outlive the loops that have them. Its ports begin on the loop of the
/// calling thread.
class MessageChannel {
 public:
  MessageChannel();
  MessageChannel(const MessageChannel&) = delete;
  MessageChannel& operator=(const MessageChannel&) = delete;

 private:
  PortRecord first_;
  PortRecord second_;

 public:
  ChannelPort& port1;
  ChannelPort& port2;
};

inline std::optional<Value> receiveMessageOnPort(ChannelPort& port) { return port.receive(); }

}  // namespace js
