// Message channels: `const { port1, port2 } = new MessageChannel()`.
//
// What is posted to one port arrives at the other in order, one callback of the poll phase each; nothing orders
// messages of different ports. postMessage clones: see value.hpp. Messages wait until the receiving port is started,
// which on("message") does, and again when its last listener is removed. A closed port drops what it has not delivered,
// and what is posted to it later; its peer gets what was sent before, then 'close'. A port closes with its loop. A port
// can be transferred in a message, with what waits on it; the object on this side is dead then. It closes if the message
// is dropped or its receiver ends without having received it; one that was received stays open as long as its loop, even
// if nothing refers to it any more, since there is no garbage collector.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <weft/shared.hpp>

#include "models/event_emitter.hpp"
#include "models/event_loop.hpp"
#include "models/value.hpp"

namespace js {

/// What both ends of a channel, and a message that carries one of them, know of a port.
struct PortState {
  std::vector<Message> waiting;
  EventChannel* receiver = nullptr;  ///< tells the loop that has the port; null while it travels
  bool started = false;
  bool closed = false;
  bool peer_closed = false;
};
struct PortRecord {
  weft::shared<PortState> state;
  PortRecord* peer = nullptr;
  std::vector<std::unique_ptr<EventChannel>>
      channels;  ///< one for each loop that has had the port; for the loop that has it now
};

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

/// One end, on the loop that has it. Emits 'message' and 'close'.
class MessagePort : public EventEmitter {
 public:
  /// Throws DataCloneError, and sends nothing, if `value` cannot be cloned.
  virtual void postMessage(const Value& value, const TransferList& transfer = {}) = 0;
  virtual void close() = 0;
  /// Begins to deliver what has arrived; on("message") does it too.
  virtual void start() = 0;
  /// Messages wait again.
  virtual void stop() = 0;
  virtual void ref() = 0;
  virtual void unref() = 0;
  /// For serialize(): the port as part of a message; the port here is dead then. Null: it cannot be sent.
  virtual PortRecord* detach() { return nullptr; }
  virtual PortRecord* record() const { return nullptr; }

 protected:
  ~MessagePort() = default;

 private:
  // The first listener of 'message' starts the port and makes it keep the loop alive; the last one that is removed
  // stops it.
  void listeners_changed() override {
    const bool listens = listenerCount("message") != 0;
    if (listens == listened_) return;
    listened_ = listens;
    if (listens) {
      start();
      ref();
    } else {
      stop();
      unref();
    }
  }
  bool listened_ = false;
};

/// Which messages a port still delivers after it was closed in the handler of one: those of the same turn.
class LastTurn {
 public:
  explicit LastTurn(EventLoop& loop) : loop_(loop) {}
  void delivers() { callback_ = loop_.callbacks_run(); }
  void closes() {
    if (callback_ == loop_.callbacks_run()) turn_ = loop_.turn();
  }
  /// Whether the turn still goes on in whose handler the port was closed.
  bool goes_on() const { return turn_ == loop_.turn(); }

 private:
  EventLoop& loop_;
  std::optional<std::uint64_t> callback_;  // the latest that delivered a message
  std::optional<std::uint64_t> turn_;      // in which the port was closed
};

class ChannelPort final : public HeapObject, public MessagePort, public Receiver {
 public:
  explicit ChannelPort(PortRecord& record);

  void postMessage(const Value& value, const TransferList& transfer = {}) override;
  void close() override;
  void start() override;
  void stop() override;
  void ref() override { referenced_ = true; }
  void unref() override { referenced_ = false; }
  PortRecord* detach() override;
  PortRecord* record() const override { return closing_ ? nullptr : record_; }
  /// `receiveMessageOnPort(port)`: the next message, at once; nothing if none waits.
  std::optional<Value> receive();

  void deliver(Event event) override;
  bool keeps_alive() const override { return started_ && referenced_ && !closing_; }
  bool may_take_more() const override { return last_turn_.goes_on(); }
  bool is_drained() const override { return false; }

 private:
  void begin_to_close();
  void end_with_loop();

  EventLoop& loop_;
  PortRecord* record_;  // null once it was sent away
  EventChannel* channel_;
  SourceId source_;
  bool started_ = false;
  bool referenced_ = false;  // by a listener or ref()
  bool closing_ = false;
  LastTurn last_turn_;
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
