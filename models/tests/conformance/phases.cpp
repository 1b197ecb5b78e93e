// The phases of the event loop. Twins of phases_*.mjs.
#include <models/message_port.hpp>

#include "conformance.hpp"

using conformance::log;
using conformance::on_exit;
using conformance::stat;

PROGRAM(phases_immediate_and_timeout_from_main) {
  js::setTimeout([] { log("timeout"); }, 0);
  js::setImmediate([] { log("immediate"); });
}

PROGRAM(phases_immediate_first_from_io) {
  stat([] {
    log("io");
    js::setTimeout([] { log("timeout"); }, 0);
    js::setImmediate([] { log("immediate"); });
  });
}

PROGRAM(phases_immediate_first_from_timer) {
  js::setTimeout(
      [] {
        log("timer");
        js::setTimeout([] { log("armed"); }, 0);
        js::setImmediate([] { log("immediate"); });
      },
      1);
}

PROGRAM_IN_TIME(phases_armed_timer_waits_even_if_overdue) {
  js::setTimeout(
      [] {
        js::setTimeout([] { log("armed"); }, 0);
        js::setImmediate([] { log("immediate"); });
        conformance::block(10);
        log("timer");
      },
      1);
}

PROGRAM_IN_TIME(phases_overdue_timer_before_next_immediate) {
  js::setImmediate([] {
    js::setTimeout([] { log("timer"); }, 0);
    js::setImmediate([] { log("next immediate"); });
    conformance::block(10);
    log("immediate");
  });
}

PROGRAM(phases_immediates_are_a_batch) {
  js::setImmediate([] {
    log("1");
    js::setImmediate([] { log("nested in 1"); });
  });
  js::setImmediate([] {
    log("2");
    js::setImmediate([] { log("nested in 2"); });
  });
  js::setImmediate([] { log("3"); });
}

PROGRAM(phases_all_from_io) {
  stat([] {
    js::setTimeout([] { log("timeout"); }, 0);
    js::setImmediate([] { log("immediate"); });
    js::resolved().then([] { log("promise"); });
    js::queueMicrotask([] { log("microtask"); });
    js::process::nextTick([] { log("tick"); });
    log("io");
  });
}

static void chain_of_immediates(const char* name, int steps) {
  if (steps == 0) return;
  js::setImmediate([=] {
    log(std::string(name) + " " + std::to_string(steps));
    chain_of_immediates(name, steps - 1);
  });
}

PROGRAM(phases_ping_pong_of_immediates) {
  chain_of_immediates("a", 3);
  chain_of_immediates("b", 2);
}

PROGRAM_IN_TIME(phases_unref_timer_keeps_nothing_alive) {
  js::setTimeout([] { log("never"); }, 100).unref();
  js::setTimeout([] { log("timer"); }, 1);
  on_exit([](int code) { log("exit " + std::to_string(code)); });
}

static js::Promise<> waits_for_ever() {
  log("waits");
  co_await js::Promise<>::pending();
  log("never");
}

PROGRAM(phases_loop_ends_with_promises_pending) {
  waits_for_ever();
  on_exit([](int code) { log("exit " + std::to_string(code)); });
}

PROGRAM_IN_TIME(phases_unref_timer_that_is_due) {
  js::setTimeout([] { log("timer"); }, 1).unref();
  js::setImmediate([] {
    log("immediate");
    conformance::block(5);
  });
}

PROGRAM(phases_unref_timer_of_the_main_module) {
  js::setTimeout([] { log("timer"); }, 1).unref();
  log("main");
}

static js::MessageChannel& channel_without_reference() {
  static js::MessageChannel channel;
  channel.port2.on("message", [](const js::Value& message) { conformance::log_value(message); });
  channel.port2.unref();
  return channel;
}

PROGRAM(phases_last_immediate_and_a_message) {
  js::setImmediate([&channel = channel_without_reference()] {
    channel.port1.postMessage("message");
    log("immediate");
  });
}

PROGRAM(phases_last_io_and_a_message) {
  stat([&channel = channel_without_reference()] {
    channel.port1.postMessage("message");
    log("io");
  });
}

PROGRAM(phases_last_timer_and_a_message) {
  js::setTimeout(
      [&channel = channel_without_reference()] {
        channel.port1.postMessage("message");
        log("timer");
      },
      1);
}

PROGRAM(phases_main_module_and_a_message) {
  channel_without_reference().port1.postMessage("message");
  log("main");
}
