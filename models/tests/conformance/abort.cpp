// AbortController and AbortSignal. Twins of abort_*.mjs.
#include <models/abort.hpp>

#include "conformance.hpp"

using conformance::log;
using js::AbortController;
using js::AbortSignal;
using js::Error;
using js::Promise;

static std::string aborted(const AbortSignal& signal) {
  return std::string("aborted ") + (signal.aborted() ? "true" : "false");
}

PROGRAM(abort_listeners_run_at_once) {
  const AbortController controller;
  controller.signal.addEventListener([] { log("listener 1"); });
  controller.signal.addEventListener([] { log("listener 2"); });
  log(aborted(controller.signal));
  controller.abort();
  log(aborted(controller.signal));
}

PROGRAM(abort_twice) {
  const AbortController controller;
  controller.signal.addEventListener([] { log("abort event"); });
  controller.abort(Error("first"));
  controller.abort(Error("second"));
  log(controller.signal.reason()->message());
}

PROGRAM(abort_default_reason) {
  const AbortController controller;
  log(std::string("before ") + (controller.signal.reason() ? "a reason" : "undefined"));
  controller.abort();
  log("after " + controller.signal.reason()->name());
}

PROGRAM(abort_throw_if_aborted) {
  const AbortController controller;
  controller.signal.throwIfAborted();
  log("not aborted");
  controller.abort(Error("time is up"));
  try {
    controller.signal.throwIfAborted();
  } catch (const Error& error) {
    log(error.message());
  }
}

PROGRAM(abort_already_aborted) {
  const AbortSignal signal = AbortSignal::abort(Error("reason"));
  signal.addEventListener([] { log("never"); });
  log(aborted(signal) + ", " + signal.reason()->message());
}

PROGRAM(abort_removed_and_once_listeners) {
  const AbortController controller;
  const std::uint64_t removed = controller.signal.addEventListener([] { log("never"); });
  controller.signal.addEventListener([] { log("once"); });
  controller.signal.removeEventListener(removed);
  controller.abort();
}

static Promise<> wait(AbortSignal signal) {
  return Promise<>::make([signal](auto, auto reject) {
    signal.addEventListener([=] {
      log("listener");
      reject(*signal.reason());
    });
  });
}

static Promise<> run(AbortSignal signal) {
  try {
    co_await wait(signal);
  } catch (const Error& error) {
    log("caught " + error.message());
  }
}

PROGRAM(abort_rejects_a_waiting_promise) {
  static const AbortController controller;
  run(controller.signal);
  js::setImmediate([] {
    controller.abort(Error("stop"));
    log("abort returned");
  });
}

PROGRAM(abort_after_settlement) {
  static const AbortController controller;
  const auto job = Promise<std::string>::make([](auto resolve, auto reject) {
    controller.signal.addEventListener([=] { reject(Error("aborted")); });
    js::setImmediate([=] { resolve("result"); });
  });
  job.then(log, [](const Error& error) { log(error.message()); });
  js::setTimeout(
      [] {
        controller.abort();
        log("aborted");
      },
      5);
}

PROGRAM(abort_races_with_a_timer) {
  static const AbortController controller;
  controller.signal.addEventListener([] { log("never"); });
  static const js::Timeout timer = js::setTimeout([] { controller.abort(); }, 50);
  js::setTimeout(
      [] {
        js::clearTimeout(timer);
        log("done, " + aborted(controller.signal));
      },
      1);
}

PROGRAM(abort_signal_timeout) {
  static const AbortSignal signal = AbortSignal::timeout(5);
  signal.addEventListener([] { log(signal.reason()->name()); });
  js::setTimeout([] { log("end"); }, 50);
}

PROGRAM(abort_listener_that_throws) {
  js::EventLoop::current().on_uncaught_exception([](const Error& error) { log("uncaught " + error.message()); });
  const AbortController controller;
  controller.signal.addEventListener([] { throw Error("from listener 1"); });
  controller.signal.addEventListener([] { log("listener 2"); });
  controller.abort();
  log("abort returned");
}

PROGRAM(abort_listener_removed_by_another) {
  static const AbortController controller;
  static std::uint64_t second = 0;
  controller.signal.addEventListener([] {
    log("first");
    controller.signal.removeEventListener(second);
    controller.signal.addEventListener([] { log("added"); });
  });
  second = controller.signal.addEventListener([] { log("never"); });
  controller.signal.addEventListener([] { log("third"); });
  controller.abort();
}

PROGRAM(abort_listener_added_by_the_last) {
  static const AbortController controller;
  controller.signal.addEventListener([] {
    log("last");
    controller.signal.addEventListener([] { log("never"); });
  });
  controller.abort();
}

PROGRAM(abort_any) {
  const AbortController a;
  const AbortController b;
  const AbortSignal either = AbortSignal::any({a.signal, b.signal});
  const AbortSignal nested = AbortSignal::any({either});
  nested.addEventListener([nested] { log("nested " + nested.reason()->message()); });
  either.addEventListener([either] { log("either " + either.reason()->message()); });
  b.signal.addEventListener([] { log("b"); });
  b.abort(Error("from b"));
  a.abort(Error("from a"));
  log(either.reason()->message());
  log(AbortSignal::any({AbortController().signal, a.signal, b.signal}).reason()->message());
}
