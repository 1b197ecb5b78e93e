// Workers: their events and their ends. Twins of worker_*.mjs.
#include <models/atomics.hpp>
#include <models/worker.hpp>

#include "conformance.hpp"

using conformance::log;
using conformance::log_value;
using js::Error;
using js::MessageChannel;
using js::SharedArrayBuffer;
using js::Value;
using js::Worker;
using js::WorkerScope;

static void log_exit(const Value& code) { log("exit " + code.to_string()); }
static void log_error(const Value& error) { log("error " + error.error().message()); }
static void log_never() { log("never"); }
static void log_terminated(int code) { log("terminated " + std::to_string(code)); }

/// A worker that waits for messages.
static void listen(WorkerScope& self) {
  self.parentPort.on("message", [] {});
}

// --- events ---

PROGRAM(worker_online_and_message) {
  const Worker worker([](WorkerScope& self) { self.parentPort.postMessage("message"); }, {.announces_online = true});
  worker.on("online", [] { log("online"); });
  worker.on("message", log_value);
  worker.on("exit", log_exit);
}

PROGRAM(worker_messages_before_exit) {
  const Worker worker([](WorkerScope& self) {
    for (const char* name : {"a", "b", "c"}) self.parentPort.postMessage(name);
  });
  worker.on("message", log_value);
  worker.on("exit", log_exit);
}

PROGRAM(worker_process_exit) {
  const Worker worker([](WorkerScope& self) {
    struct Finally {
      WorkerScope& self;
      ~Finally() { self.parentPort.postMessage("never"); }
    };
    self.parentPort.postMessage("a");
    const Finally finally{self};
    js::process::exit(3);
  });
  worker.on("message", log_value);
  worker.on("error", log_never);
  worker.on("exit", log_exit);
}

PROGRAM(worker_process_exit_zero) {
  const Worker worker([](WorkerScope& self) { self.parentPort.on("message", [] { js::process::exit(0); }); });
  worker.on("error", log_never);
  worker.on("exit", log_exit);
  worker.postMessage("end");
}

PROGRAM(worker_throw) {
  const Worker worker([](WorkerScope&) { throw Error("oops"); });
  worker.on("error", log_error);
  worker.on("exit", log_exit);
}

PROGRAM(worker_throws_a_number) {
  const Worker worker([](WorkerScope&) { throw 42; });
  worker.on("error", log_error);
  worker.on("exit", log_exit);
}

PROGRAM(worker_throw_after_posts) {
  const Worker worker([](WorkerScope& self) {
    self.parentPort.postMessage("a");
    self.parentPort.postMessage("b");
    throw Error("oops");
  });
  worker.on("message", log_value);
  worker.on("error", log_error);
  worker.on("exit", log_exit);
}

PROGRAM(worker_throw_in_a_handler) {
  const Worker worker([](WorkerScope& self) {
    self.parentPort.on("message", [](const Value& message) { throw Error("cannot do " + message.text()); });
  });
  worker.on("error", log_error);
  worker.on("exit", log_exit);
  worker.postMessage("job 1");
  worker.postMessage("job 2");
}

PROGRAM(worker_unhandled_rejection) {
  const Worker worker([](WorkerScope&) {
    js::rejected(Error("oops"));
    js::setTimeout([] {}, 10000);
  });
  worker.on("error", log_error);
  worker.on("exit", log_exit);
}

PROGRAM(worker_error_without_listener) {
  js::EventLoop::current().on_uncaught_exception([](const Error& error) { log("uncaught " + error.message()); });
  const Worker worker([](WorkerScope&) { throw Error("oops"); });
  worker.on("exit", log_exit);
}

PROGRAM(worker_loop_runs_dry) {
  static const Worker worker(
      [](WorkerScope& self) { self.parentPort.on("message", [&self] { self.parentPort.close(); }); });
  worker.on("exit", log_exit);
  js::setTimeout(
      [] {
        log("post");
        worker.postMessage("close");
      },
      100);
}

// --- terminate ---

PROGRAM(worker_terminate_before_online) {
  const Worker worker(listen, {.announces_online = true});
  worker.on("online", [] { log("online"); });
  worker.on("error", log_never);
  worker.on("exit", log_exit);
  worker.terminate().then(log_terminated);
}

PROGRAM(worker_terminate_after_online) {
  static const Worker worker(listen, {.announces_online = true});
  worker.on("online", [] {
    log("online");
    worker.terminate().then(log_terminated);
  });
  worker.on("error", log_never);
  worker.on("exit", log_exit);
}

PROGRAM(worker_terminate_twice) {
  static const Worker worker(listen, {.announces_online = true});
  worker.on("exit", [](const Value& code) {
    log_exit(code);
    js::setImmediate([] { worker.terminate().then([] { log("terminated again"); }); });
  });
  worker.on("online", [] {
    worker.terminate().then([](int code) { log("first " + std::to_string(code)); });
    worker.terminate().then([](int code) { log("second " + std::to_string(code)); });
  });
}

PROGRAM(worker_terminate_an_endless_loop) {
  static SharedArrayBuffer shared(4);
  static const Worker worker(
      [](WorkerScope& self) {
        self.parentPort.postMessage("spins");
        while (js::Atomics::load(js::Int32Array(self.workerData.shared_buffer()), 0) == 0)
          ;
      },
      {.workerData = shared});
  worker.on("message", [](const Value& message) {
    log_value(message);
    worker.terminate().then(log_terminated);
  });
  worker.on("exit", log_exit);
}

static js::Promise<> terminate_and_look(Worker worker, js::Int32Array view) {
  log("terminated " + std::to_string(co_await worker.terminate()));
  log("lock word " + std::to_string(js::Atomics::load(view, 0)));
}

PROGRAM(worker_terminate_runs_no_finally) {
  static SharedArrayBuffer shared(8);
  static const Worker worker(
      [](WorkerScope& self) {
        struct Finally {
          js::Int32Array view;
          ~Finally() { js::Atomics::store(view, 0, 0); }
        };
        const js::Int32Array view(self.workerData.shared_buffer());
        js::Atomics::compareExchange(view, 0, 0, 1);
        const Finally finally{view};
        self.parentPort.postMessage("locked");
        js::Atomics::wait(view, 1, 0);
      },
      {.workerData = shared});
  worker.on("message", [](const Value& message) {
    log_value(message);
    terminate_and_look(worker, js::Int32Array(shared));
  });
}

PROGRAM(worker_messages_after_terminate) {
  static const Worker worker([](WorkerScope& self) {
    self.parentPort.postMessage("a");
    self.parentPort.postMessage("b");
    listen(self);
  });
  worker.on("message", [](const Value& message) {
    log_value(message);
    if (message == Value("a")) worker.terminate();
  });
  worker.on("exit", log_exit);
}

// --- messages ---

PROGRAM(worker_post_to_the_dead) {
  static const Worker worker([](WorkerScope&) {});
  worker.on("error", log_never);
  worker.on("message", log_never);
  worker.on("exit", [](const Value& code) {
    log_exit(code);
    worker.postMessage("job");
    log("posted");
    js::setTimeout([] { log("nothing came"); }, 20);
  });
}

PROGRAM(worker_post_before_online) {
  const Worker worker([](WorkerScope& self) {
    self.parentPort.on("message", [&self](const Value& message) {
      self.parentPort.postMessage("got " + message.text());
      if (message == Value("b")) self.parentPort.close();
    });
  });
  worker.on("message", log_value);
  worker.on("exit", log_exit);
  worker.postMessage("a");
  worker.postMessage("b");
}

PROGRAM(worker_echo) {
  static const Worker worker([](WorkerScope& self) {
    self.parentPort.on("message", [&self](const Value& n) { self.parentPort.postMessage(n.number() * 2); });
  });
  worker.on("message", [](const Value& n) {
    log_value(n);
    if (n.number() < 8) {
      worker.postMessage(n);
    } else {
      worker.terminate();
    }
  });
  worker.on("exit", log_exit);
  worker.postMessage(1);
}

PROGRAM(worker_data_is_cloned) {
  static const Value data = Value::object({{"value", 1}});
  const Worker worker(
      [](WorkerScope& self) {
        self.workerData.set_property("value", self.workerData["value"].number() + 10);
        self.parentPort.postMessage(self.workerData["value"]);
      },
      {.workerData = data});
  data.set_property("value", 2);
  worker.on("message", [](const Value& value) { log("worker has " + value.to_string()); });
  worker.on("exit", [] { log("main has " + data["value"].to_string()); });
}

PROGRAM(worker_data_that_cannot_be_cloned) {
  try {
    Worker([](WorkerScope&) {}, {.workerData = Value::object({{"job", Value::function("job")}})});
  } catch (const Error& error) {
    log(error.name());
  }
}

PROGRAM(worker_two_workers) {
  for (const char* name : {"a", "b"}) {
    const Worker worker([](WorkerScope& self) { self.parentPort.postMessage(self.workerData); }, {.workerData = name});
    worker.on("message", log_value);
  }
}

PROGRAM(worker_ticks_between_two_messages) {
  const Worker worker([](WorkerScope& self) {
    self.parentPort.postMessage("a");
    self.parentPort.postMessage("b");
  });
  worker.on("message", [](const Value& message) {
    const std::string name = message.text();
    log("message " + name);
    js::queueMicrotask([name] { log("microtask of " + name); });
    js::process::nextTick([name] { log("tick of " + name); });
  });
}

PROGRAM(worker_module_body_drains_microtasks_first) {
  const Worker worker([](WorkerScope& self) {
    js::queueMicrotask([&self] { self.parentPort.postMessage("microtask"); });
    js::process::nextTick([&self] { self.parentPort.postMessage("tick"); });
    self.parentPort.postMessage("body");
  });
  worker.on("message", log_value);
}

PROGRAM(worker_extra_port_may_come_after_exit) {
  static MessageChannel channel;
  const Worker worker([](WorkerScope& self) { self.workerData.port().postMessage("on the extra port"); },
                      {.workerData = channel.port2, .transferList = {channel.port2}});
  channel.port1.on("message", log_value);
  worker.on("exit", log_exit);
}

PROGRAM(worker_transfer_to_a_worker) {
  const Worker worker([](WorkerScope& self) {
    self.parentPort.once("message", [&self](const Value& buffer) {
      self.parentPort.postMessage(static_cast<int>(buffer.array_buffer().byteLength()));
    });
  });
  const js::ArrayBuffer buffer(16);
  worker.on("message", [](const Value& bytes) { log("worker has " + bytes.to_string() + " bytes"); });
  worker.on("exit", log_exit);
  worker.postMessage(buffer, {buffer});
  log("main has " + std::to_string(buffer.byteLength()) + " bytes");
}

// --- what ends with whom ---

PROGRAM(worker_error_overtakes_the_last_message) {
  const Worker worker([](WorkerScope& self) {
    self.parentPort.postMessage("message");
    throw Error("oops");
  });
  worker.on("error", log_error);
  worker.on("message", [](const Value& message) {
    log_value(message);
    js::process::exit(0);
  });
}

PROGRAM(worker_parent_port_keeps_order_when_started_late) {
  const Worker worker([](WorkerScope& self) {
    conformance::stat([&self] {
      self.parentPort.on("message", [&self](const Value& message) {
        self.parentPort.postMessage(message);
        if (message == Value("c")) self.parentPort.close();
      });
    });
  });
  worker.on("message", log_value);
  for (const char* name : {"a", "b", "c"}) worker.postMessage(name);
}

PROGRAM(worker_parent_port_closed_inside_a_handler) {
  static SharedArrayBuffer shared(4);
  const Worker worker(
      [](WorkerScope& self) {
        self.parentPort.on("message", [&self] {
          js::Atomics::add(js::Int32Array(self.workerData.shared_buffer()), 0, 1);
          self.parentPort.close();
          self.parentPort.postMessage("never");
        });
      },
      {.workerData = shared});
  worker.on("message", log_value);
  worker.on("exit", [] { log("handled " + std::to_string(js::Atomics::load(js::Int32Array(shared), 0))); });
  worker.postMessage("a");
  worker.postMessage("b");
}

PROGRAM(worker_parent_port_without_listener_keeps_messages) {
  static const Worker worker([](WorkerScope& self) {
    self.parentPort.once("message", [&self](const Value& message) {
      self.parentPort.postMessage("once " + message.text());
      js::setTimeout(
          [&self] {
            self.parentPort.on("message", [&self](const Value& later) {
              self.parentPort.postMessage("on " + later.text());
              self.parentPort.close();
            });
          },
          50);
    });
  });
  worker.on("message", [](const Value& message) {
    log_value(message);
    if (message == Value("once a")) worker.postMessage("b");
  });
  worker.postMessage("a");
}

static void log_close_of(js::ChannelPort& port) {
  port.on("message", log_never);
  port.on("close", [] { log("close"); });
}

PROGRAM(worker_port_in_an_unread_message_closes) {
  static MessageChannel channel;
  const Worker worker([](WorkerScope& self) { self.parentPort.once("message", [] { js::process::exit(0); }); });
  log_close_of(channel.port1);
  worker.postMessage("end");
  worker.postMessage(channel.port2, {channel.port2});
}

PROGRAM(worker_port_for_a_worker_that_never_starts_closes) {
  static MessageChannel channel;
  log_close_of(channel.port1);
  const Worker worker([](WorkerScope&) {}, {.workerData = channel.port2, .transferList = {channel.port2}});
  worker.terminate();
}

PROGRAM(worker_port_posted_to_the_dead_stays) {
  static MessageChannel channel;
  static const Worker worker([](WorkerScope&) {});
  worker.on("exit", [] {
    worker.postMessage(channel.port2, {channel.port2});
    worker.postMessage(Value::function("f"));
    channel.port1.on("message", [](const Value& message) {
      log_value(message);
      channel.port1.close();
    });
    channel.port2.postMessage("still mine");
  });
}
