// process.nextTick against microtasks. Twins of ticks_*.mjs.
#include "conformance.hpp"

using conformance::log;
using js::queueMicrotask;
using js::setImmediate;
using js::setTimeout;
using js::process::nextTick;

PROGRAM(ticks_before_microtasks_in_a_callback) {
  setImmediate([] {
    queueMicrotask([] { log("microtask"); });
    js::resolved().then([] { log("promise"); });
    nextTick([] { log("tick"); });
    log("immediate");
  });
}

PROGRAM(ticks_after_microtasks_at_module_top_level) {
  nextTick([] { log("tick"); });
  queueMicrotask([] { log("microtask"); });
  js::resolved().then([] { log("promise"); }).then([] { log("promise 2"); });
  log("main");
}

PROGRAM(ticks_nested_ticks_before_microtasks) {
  setImmediate([] {
    queueMicrotask([] { log("microtask"); });
    nextTick([] {
      log("tick 1");
      nextTick([] {
        log("tick in tick 1");
        nextTick([] { log("tick in that"); });
      });
    });
    nextTick([] { log("tick 2"); });
  });
}

PROGRAM(ticks_from_a_microtask_wait_for_all_microtasks) {
  setImmediate([] {
    queueMicrotask([] {
      log("microtask 1");
      nextTick([] { log("tick"); });
      queueMicrotask([] {
        log("microtask in microtask 1");
        queueMicrotask([] { log("microtask in that"); });
      });
    });
    queueMicrotask([] { log("microtask 2"); });
  });
}

PROGRAM(ticks_and_microtasks_alternate) {
  setImmediate([] {
    nextTick([] {
      log("tick 1");
      queueMicrotask([] {
        log("microtask 1");
        nextTick([] {
          log("tick 2");
          queueMicrotask([] { log("microtask 2"); });
        });
      });
    });
  });
  setImmediate([] { log("next immediate"); });
}

PROGRAM(ticks_microtask_of_a_tick_waits_for_the_other_ticks) {
  setImmediate([] {
    nextTick([] {
      log("tick 1");
      queueMicrotask([] { log("microtask of tick 1"); });
    });
    nextTick([] { log("tick 2"); });
  });
}

PROGRAM(ticks_queue_microtask_nesting) {
  queueMicrotask([] {
    log("1");
    queueMicrotask([] {
      log("1.1");
      queueMicrotask([] { log("1.1.1"); });
    });
    queueMicrotask([] { log("1.2"); });
  });
  queueMicrotask([] {
    log("2");
    queueMicrotask([] { log("2.1"); });
  });
}

PROGRAM(ticks_microtasks_and_reactions_share_one_queue) {
  const js::Promise<> settled = js::resolved();
  queueMicrotask([] { log("microtask 1"); });
  settled.then([] { log("reaction 1"); });
  queueMicrotask([] { log("microtask 2"); });
  settled.then([] { log("reaction 2"); });
}

static void log_and_queue(const std::string& what, const std::string& name) {
  log(what + " " + name);
  queueMicrotask([=] { log("microtask of " + name); });
  nextTick([=] { log("tick of " + name); });
}

PROGRAM(ticks_between_two_timers) {
  for (const char* name : {"a", "b"}) setTimeout([name] { log_and_queue("timer", name); }, 1);
}

PROGRAM(ticks_between_two_immediates) {
  for (const char* name : {"a", "b"}) setImmediate([name] { log_and_queue("immediate", name); });
}

PROGRAM(io_ticks_between_completions) {
  for (const char* name : {"a", "b"}) conformance::stat([name] { log_and_queue("io", name); });
}

static int ticks;
static void tick() {
  if (++ticks < 50) nextTick(tick);
}

PROGRAM(ticks_starve_the_loop) {
  setImmediate([] {
    queueMicrotask([] { log("microtask after " + std::to_string(ticks) + " ticks"); });
    setImmediate([] { log("immediate after " + std::to_string(ticks) + " ticks"); });
    nextTick(tick);
  });
}

static int microtasks;
static void again() {
  if (++microtasks < 50) queueMicrotask(again);
}

PROGRAM_IN_TIME(ticks_microtasks_starve_the_loop) {
  setImmediate([] {
    setTimeout([] { log("timer after " + std::to_string(microtasks)); }, 1);
    setImmediate([] { log("immediate after " + std::to_string(microtasks)); });
    queueMicrotask([] {
      nextTick([] { log("tick after " + std::to_string(microtasks)); });
      again();
    });
    conformance::block(10);
  });
}

PROGRAM_IN_TIME(ticks_thrown_error_in_a_timer) {
  js::EventLoop::current().on_uncaught_exception([](const js::Error& error) { log("uncaught " + error.message()); });
  setTimeout(
      [] {
        nextTick([] { log("tick"); });
        queueMicrotask([] { log("microtask"); });
        throw js::Error("oops");
      },
      1);
  setTimeout([] { log("timer 2"); }, 1);
  conformance::block(10);
}

PROGRAM(ticks_thrown_error_in_a_microtask) {
  js::EventLoop::current().on_uncaught_exception([](const js::Error& error) { log("uncaught " + error.message()); });
  setImmediate([] {
    queueMicrotask([] {
      nextTick([] { log("tick"); });
      queueMicrotask([] { log("nested microtask"); });
      throw js::Error("oops");
    });
    queueMicrotask([] { log("microtask 2"); });
    setImmediate([] { log("next immediate"); });
  });
}

PROGRAM(ticks_thrown_error_in_an_immediate) {
  js::EventLoop::current().on_uncaught_exception([](const js::Error& error) { log("uncaught " + error.message()); });
  setImmediate([] {
    nextTick([] { log("tick"); });
    queueMicrotask([] { log("microtask"); });
    throw js::Error("oops");
  });
  setImmediate([] { log("immediate 2"); });
  setImmediate([] { log("immediate 3"); });
}

PROGRAM(ticks_thrown_value_that_is_no_error) {
  js::EventLoop::current().on_uncaught_exception(
      [](const js::Error& value) { log(std::string("uncaught ") + value.what()); });
  js::setTimeout(
      [] {
        js::process::nextTick([] { log("tick"); });
        throw 42;
      },
      1);
  js::setTimeout(
      [] {
        log("timer 2");
        throw "text";
      },
      1);
}
