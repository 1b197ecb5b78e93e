// Message ports: order, closing, clone and transfer. Twins of port_*.mjs.
#include <models/message_port.hpp>

#include "conformance.hpp"

using conformance::log;
using conformance::log_value;
using conformance::on_exit;
using js::ArrayBuffer;
using js::MessageChannel;
using js::setImmediate;
using js::Uint8Array;
using js::Value;

static std::string number(std::size_t value) { return std::to_string(value); }
static std::string text(const std::optional<std::uint8_t>& element) {
  return element ? std::to_string(*element) : "undefined";
}

// --- order ---

PROGRAM(port_fifo) {
  static MessageChannel channel;
  channel.port2.on("message", [](const Value& message) {
    log(message.text());
    if (message == Value("c")) channel.port2.close();
  });
  channel.port1.postMessage("a");
  channel.port1.postMessage("b");
  channel.port1.postMessage("c");
  log("posted");
}

PROGRAM(port_both_directions) {
  static MessageChannel channel;
  channel.port1.on("message", [](const Value& message) {
    log("port 1 got " + message.text());
    channel.port1.close();
  });
  channel.port2.on("message", [](const Value& message) {
    channel.port2.postMessage("answer to " + message.text());
    log("port 2 got " + message.text());
  });
  channel.port1.postMessage("question");
}

PROGRAM(port_order_over_two_ports) {
  static MessageChannel first;
  static MessageChannel second;
  first.port2.on("message", [](const Value& message) {
    log("first " + message.text());
    first.port2.close();
  });
  second.port2.on("message", [](const Value& message) {
    log("second " + message.text());
    if (message == Value("c")) second.port2.close();
  });
  setImmediate([] {
    second.port1.postMessage("a");
    first.port1.postMessage("b");
    second.port1.postMessage("c");
  });
}

PROGRAM(port_messages_wait_for_the_listener) {
  static MessageChannel channel;
  channel.port1.postMessage("early");
  js::setTimeout(
      [] {
        log("listens now");
        channel.port2.on("message", [](const Value& message) {
          log_value(message);
          channel.port2.close();
        });
      },
      5);
}

PROGRAM(port_once) {
  static MessageChannel channel;
  channel.port2.once("message", [](const Value& message) { log("once " + message.text()); });
  channel.port2.on("message", [](const Value& message) {
    log("on " + message.text());
    if (message == Value("b")) channel.port2.close();
  });
  channel.port1.postMessage("a");
  channel.port1.postMessage("b");
}

PROGRAM(port_handler_that_throws) {
  js::EventLoop::current().on_uncaught_exception([](const js::Error& error) { log("uncaught " + error.message()); });
  static MessageChannel channel;
  channel.port2.on("message", [](const Value& message) {
    log_value(message);
    if (message == Value("a")) throw js::Error("oops");
    channel.port2.close();
  });
  channel.port1.postMessage("a");
  channel.port1.postMessage("b");
}

PROGRAM(port_receive_message_on_port) {
  static MessageChannel channel;
  const auto receive = [] {
    const std::optional<Value> message = js::receiveMessageOnPort(channel.port2);
    log(message ? message->text() : "undefined");
  };
  receive();
  channel.port1.postMessage("a");
  channel.port1.postMessage("b");
  receive();
  receive();
  receive();
}

PROGRAM(port_receive_message_overtakes_the_event) {
  static MessageChannel channel;
  channel.port2.on("message", [](const Value& message) {
    log("event " + message.text());
    channel.port2.close();
  });
  channel.port1.postMessage("a");
  channel.port1.postMessage("b");
  log("taken " + js::receiveMessageOnPort(channel.port2)->text());
}

PROGRAM(phases_message_before_next_immediate) {
  static MessageChannel channel;
  channel.port2.on("message", [](const Value& message) {
    log_value(message);
    channel.port2.close();
  });
  setImmediate([] {
    channel.port1.postMessage("message");
    setImmediate([] { log("immediate"); });
    log("posted");
  });
}

PROGRAM(phases_message_from_main_and_immediate) {
  static MessageChannel channel;
  channel.port2.on("message", [](const Value& message) {
    log_value(message);
    channel.port2.close();
  });
  channel.port1.postMessage("message");
  setImmediate([] { log("immediate"); });
}

PROGRAM(ticks_between_two_messages) {
  static MessageChannel channel;
  channel.port2.on("message", [](const Value& message) {
    const std::string name = message.text();
    log("message " + name);
    js::queueMicrotask([name] { log("microtask of " + name); });
    js::process::nextTick([name] { log("tick of " + name); });
    if (name == "b") channel.port2.close();
  });
  channel.port1.postMessage("a");
  channel.port1.postMessage("b");
}

// --- closing ---

PROGRAM(port_post_after_close) {
  static MessageChannel channel;
  channel.port2.on("message", [] { log("never"); });
  channel.port2.on("close", [] {
    log("close");
    channel.port1.postMessage("to the dead");
    channel.port2.postMessage("from the dead");
    log("no error");
  });
  setImmediate([] {
    channel.port1.close();
    channel.port1.postMessage("too late");
  });
}

PROGRAM(port_close_delivers_what_was_posted) {
  static MessageChannel channel;
  channel.port1.on("close", [] { log("close 1"); });
  channel.port2.on("message", log_value);
  channel.port2.on("close", [] { log("close 2"); });
  setImmediate([] {
    channel.port1.postMessage("a");
    channel.port1.postMessage("b");
    channel.port1.close();
    channel.port1.postMessage("never");
  });
}

PROGRAM(port_close_of_the_receiver_drops) {
  static MessageChannel channel;
  channel.port1.on("close", [] { log("close 1"); });
  channel.port2.on("message", [] { log("never"); });
  channel.port2.on("close", [] { log("close 2"); });
  setImmediate([] {
    channel.port1.postMessage("a");
    channel.port2.close();
  });
}

PROGRAM(port_close_inside_a_handler) {
  static MessageChannel channel;
  channel.port2.on("message", [](const Value& message) {
    log_value(message);
    if (message == Value("a")) channel.port2.close();
  });
  channel.port2.on("close", [] { log("close 2"); });
  setImmediate([] {
    channel.port1.postMessage("a");
    channel.port1.postMessage("b");
  });
}

PROGRAM(port_close_drops_what_comes_later) {
  static MessageChannel channel;
  channel.port1.on("message", [] { log("never"); });
  channel.port1.on("close", [] { log("close"); });
  channel.port2.postMessage("before");
  channel.port1.close();
  channel.port2.postMessage("after");
}

PROGRAM(port_close_without_a_listener_of_messages) {
  static MessageChannel empty;
  empty.port1.on("close", [] { log("close of the empty one"); });
  empty.port2.close();
  static MessageChannel full;
  full.port1.on("close", [] { log("close of the full one"); });
  full.port2.postMessage("waits");
  full.port2.close();
  js::setTimeout(
      [] {
        log(js::receiveMessageOnPort(full.port1)->text());
        log(js::receiveMessageOnPort(full.port1) ? "another one" : "undefined");
      },
      20);
}

PROGRAM(port_without_listener_keeps_messages) {
  static MessageChannel channel;
  channel.port1.once("message", [](const Value& message) { log("once " + message.text()); });
  channel.port2.postMessage("a");
  js::setTimeout(
      [] {
        channel.port2.postMessage("b");
        js::setTimeout(
            [] {
              channel.port1.on("message", [](const Value& message) {
                log("on " + message.text());
                channel.port1.close();
              });
            },
            10);
      },
      10);
}

PROGRAM(port_close_twice) {
  static MessageChannel channel;
  channel.port1.on("close", [] { log("close"); });
  setImmediate([] {
    channel.port1.close();
    channel.port1.close();
  });
}

PROGRAM(phases_close_after_check) {
  static MessageChannel channel;
  channel.port1.on("close", [] { log("close"); });
  setImmediate([] {
    channel.port1.close();
    setImmediate([] { log("immediate of the next iteration"); });
    log("first immediate");
  });
  setImmediate([] { log("second immediate"); });
}

PROGRAM(port_unref_keeps_nothing_alive) {
  static MessageChannel channel;
  channel.port1.postMessage("nobody");
  on_exit([](int code) { log("exit " + std::to_string(code)); });
}

// --- transfer ---

PROGRAM(port_transfer_detaches) {
  static MessageChannel channel;
  const ArrayBuffer buffer(8);
  const Uint8Array view(buffer);
  view[0] = 42;
  channel.port2.on("message", [](const Value& message) {
    const ArrayBuffer received = message.array_buffer();
    log("received " + number(received.byteLength()) + " bytes, first " + text(Uint8Array(received).get(0)));
    channel.port2.close();
  });
  channel.port1.postMessage(buffer, {buffer});
  log("sender has " + number(buffer.byteLength()) + " bytes");
}

PROGRAM(port_detached_view) {
  static MessageChannel channel;
  const ArrayBuffer buffer(8);
  const Uint8Array view(buffer);
  channel.port1.postMessage(buffer, {buffer});
  view.set(0, 1);
  log("length " + number(view.length()) + ", first " + text(view.get(0)));
  try {
    Uint8Array again(buffer);
  } catch (const js::Error& error) {
    log(error.name());
  }
}

PROGRAM(port_transfer_of_a_detached_buffer) {
  static MessageChannel channel;
  const ArrayBuffer buffer(8);
  channel.port2.on("message", [](const Value& message) {
    log("received " + number(message.array_buffer().byteLength()) + " bytes");
  });
  channel.port1.postMessage(buffer, {buffer});
  try {
    channel.port1.postMessage(buffer, {buffer});
    log("second post returned");
  } catch (const js::Error& error) {
    log(error.name());
  }
  js::setTimeout([] { channel.port1.close(); }, 5);
}

PROGRAM(port_clone_of_a_detached_buffer) {
  static MessageChannel channel;
  const ArrayBuffer buffer(8);
  channel.port2.on("message", [](const Value& message) {
    log("received " + number(message.array_buffer().byteLength()) + " bytes");
  });
  channel.port1.postMessage(buffer, {buffer});
  try {
    channel.port1.postMessage(buffer);
    log("second post returned");
  } catch (const js::Error& error) {
    log(error.name());
  }
  js::setTimeout([] { channel.port1.close(); }, 5);
}

PROGRAM(port_transfer_moves_all_views) {
  static MessageChannel channel;
  const ArrayBuffer buffer(8);
  const Uint8Array bytes(buffer);
  const js::Uint32Array words(buffer);
  channel.port2.on("message", [](const Value& received) {
    log("received " + number(received.array_buffer().byteLength()) + " bytes");
    channel.port2.close();
  });
  channel.port1.postMessage(buffer, {buffer});
  log("left: " + number(bytes.length()) + " bytes, " + number(words.length()) + " words");
}

PROGRAM(port_duplicate_in_the_transfer_list) {
  static MessageChannel channel;
  const ArrayBuffer buffer(8);
  try {
    channel.port1.postMessage(buffer, {buffer, buffer});
  } catch (const js::Error& error) {
    log(error.name());
  }
  log(number(buffer.byteLength()) + " bytes left");
}

PROGRAM(port_transfer_itself) {
  static MessageChannel channel;
  try {
    channel.port1.postMessage(channel.port1, {channel.port1});
  } catch (const js::Error& error) {
    log(error.name());
  }
}

PROGRAM(port_must_be_transferred) {
  static MessageChannel channel;
  static MessageChannel other;
  try {
    channel.port1.postMessage(other.port1);
  } catch (const js::Error&) {
    log("throws");
  }
}

PROGRAM(port_transferred_port_keeps_its_messages) {
  static MessageChannel outer;
  static MessageChannel inner;
  inner.port1.postMessage("early");
  outer.port2.on("message", [](const Value& message) {
    log("got the port");
    js::MessagePort& port = message.port();
    port.on("message", [&port](const Value& content) {
      log_value(content);
      if (content == Value("late")) port.close();
    });
    outer.port2.close();
  });
  outer.port1.postMessage(inner.port2, {inner.port2});
  inner.port1.postMessage("late");
}

PROGRAM(port_shared_buffer_is_not_transferable) {
  static MessageChannel channel;
  static js::SharedArrayBuffer shared(4);
  try {
    channel.port1.postMessage(shared, {shared});
  } catch (const js::Error&) {
    log("throws");
  }
  log(number(shared.byteLength()) + " bytes left");
}

PROGRAM(port_in_a_message_that_is_dropped_closes) {
  static MessageChannel carrier;
  static MessageChannel carried;
  carried.port1.on("message", [] { log("never"); });
  carried.port1.on("close", [] { log("close"); });
  carrier.port1.postMessage(carried.port2, {carried.port2});
  setImmediate([] {
    log("carrier closes");
    carrier.port2.close();
  });
}

PROGRAM(port_in_a_message_to_a_closed_port_closes) {
  static MessageChannel carrier;
  carrier.port2.on("close", [] {
    for (js::ChannelPort* port : {&carrier.port1, &carrier.port2}) {
      MessageChannel& carried = *new MessageChannel;
      [[maybe_unused]] static std::vector<MessageChannel*> kept;  // a channel outlives the loops that have its ports
      kept.push_back(&carried);
      carried.port1.on("message", [] { log("never"); });
      carried.port1.on("close", [] { log("close"); });
      port->postMessage(carried.port2, {carried.port2});
    }
  });
  carrier.port2.close();
}

PROGRAM(port_in_the_transfer_list_alone_stays_open) {
  static MessageChannel carrier;
  static MessageChannel carried;
  carried.port1.on("close", [] { log("never"); });
  carrier.port1.postMessage("text", {carried.port2});
  log(js::receiveMessageOnPort(carrier.port2)->text());
  js::setTimeout([] { log("still open"); }, 20);
}

// --- clone ---

PROGRAM(port_clone_keeps_the_sender) {
  static MessageChannel channel;
  static const ArrayBuffer buffer(4);
  static const Uint8Array view(buffer);
  view[0] = 1;
  channel.port2.on("message", [](const Value& message) {
    const Uint8Array received(message.array_buffer());
    log("received " + text(received.get(0)));
    received[0] = 3;
    log("sender has " + text(view.get(0)));
    channel.port2.close();
  });
  channel.port1.postMessage(buffer);
  view[0] = 2;
}

PROGRAM(port_clone_functions_throw) {
  static MessageChannel channel;
  channel.port2.on("message", [](const Value& message) {
    log("received " + message.text());
    channel.port2.close();
  });
  const ArrayBuffer buffer(8);
  try {
    channel.port1.postMessage(Value::object({{"job", Value::function("job")}, {"buffer", buffer}}), {buffer});
  } catch (const js::Error& error) {
    log(error.name());
  }
  log(number(buffer.byteLength()) + " bytes left");
  channel.port1.postMessage("next");
}

PROGRAM(port_clone_class_loses_prototype) {
  static MessageChannel channel;
  channel.port2.on("message", [](const Value& job) {
    log("name " + job["name"].text());
    log(std::string("instance of Job ") + (job.class_name() == "Job" ? "true" : "false"));
    try {
      job.call("run");
      log("run is function");
    } catch (const js::Error&) {
      log("run is undefined");
    }
    channel.port2.close();
  });
  channel.port1.postMessage(Value::instance("Job", {{"name", "a"}}, {{"run", [](const Value&) { return Value(); }}}));
}

PROGRAM(port_clone_is_a_deep_copy) {
  static MessageChannel channel;
  static const Value inner = Value::object({{"value", 1}});
  const auto yes_or_no = [](bool same) { return std::string(same ? "true" : "false"); };
  channel.port2.on("message", [yes_or_no](const Value& message) {
    log("value " + message["first"]["value"].to_string() + ", same object " +
        yes_or_no(message["first"] == message["second"]));
    log("same as the sender's " + yes_or_no(message["first"] == inner));
    channel.port2.close();
  });
  channel.port1.postMessage(Value::object({{"first", inner}, {"second", inner}}));
  inner.set_property("value", 2);
}

PROGRAM(port_clone_keeps_cycles) {
  static MessageChannel channel;
  const Value node = Value::object({{"name", "a"}});
  node.set_property("self", node);
  channel.port2.on("message", [](const Value& message) {
    log(message["self"]["self"]["name"].text() + ", the same " + (message["self"] == message ? "true" : "false"));
    channel.port2.close();
  });
  channel.port1.postMessage(node);
}

PROGRAM(port_clone_errors) {
  static MessageChannel channel;
  channel.port2.on("message", [](const Value& message) {
    const js::Error error = message.error();
    log(error.name() + ": " + error.message());
    channel.port2.close();
  });
  channel.port1.postMessage(js::RangeError("too much"));
}

PROGRAM(port_shared_buffer_is_shared) {
  static MessageChannel channel;
  static js::SharedArrayBuffer shared(4);
  static const js::Int32Array view(shared);
  channel.port2.on("message", [](const Value& message) {
    const js::Int32Array received(message.shared_buffer());
    log("received " + std::to_string(received[0]));
    received[0] = 3;
    log("sender has " + std::to_string(view[0]));
    channel.port2.close();
  });
  channel.port1.postMessage(shared);
  view[0] = 2;
}
