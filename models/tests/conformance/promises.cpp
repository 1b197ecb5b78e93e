// Promises and async functions, measured in microtasks. Twins of promise_*.mjs.
#include "conformance.hpp"

using conformance::clock;
using conformance::log;
using js::Error;
using js::Promise;
using js::queueMicrotask;
using js::rejected;
using js::resolved;
using js::setImmediate;
using js::process::nextTick;

namespace {

std::string got(int value) { return "got " + std::to_string(value); }
void on_unhandled_rejection(std::function<void(const Error&)> handler) {
  js::EventLoop::current().on_unhandled_rejection(std::move(handler));
}

/// A thenable that says when it is asked.
template <class T>
js::Thenable<T> thenable(T value) {
  return {[value](auto resolve, auto) {
    log("then called");
    resolve(value);
  }};
}

}  // namespace

// --- await ---

static Promise<> await_settled() {
  log("start");
  co_await resolved();
  log("after await");
}

PROGRAM(promise_await_settled) {
  await_settled();
  clock(3);
}

static Promise<> await_value() {
  log(got(co_await 7));
  log(got(co_await 8));
}

PROGRAM(promise_await_value) {
  await_value();
  clock(3);
}

static Promise<> await_rejected() {
  try {
    co_await rejected(Error("no"));
  } catch (const Error& error) {
    log("caught " + error.message());
  }
}

PROGRAM(promise_await_rejected) {
  await_rejected();
  clock(3);
}

static Promise<> await_thenable() {
  log("start");
  log("got " + co_await thenable<std::string>("v"));
}

PROGRAM(promise_await_thenable) {
  await_thenable();
  clock(3);
}

static Promise<> await_thenables_that_throw() {
  const js::Thenable<std::string> thrower{[](auto, auto) { throw Error("no"); }};
  const js::Thenable<std::string> resolves_first{[](auto resolve, auto) {
    resolve("v");
    throw Error("too late");
  }};
  try {
    co_await thrower;
  } catch (const Error& error) {
    log("caught " + error.message());
  }
  log("got " + co_await resolves_first);
}

PROGRAM(promise_await_thenable_that_throws) {
  await_thenables_that_throw();
  clock(5);
}

// --- what an async function returns ---

static Promise<int> returns_value() { co_return 7; }
static Promise<int> returns_promise() { co_return resolved(7); }
static Promise<int> returns_thenable() { co_return thenable(7); }

template <Promise<int> (*function)()>
static Promise<> log_result() {
  log(got(co_await function()));
}

PROGRAM(promise_async_returns_value) {
  log_result<returns_value>();
  clock(3);
}

PROGRAM(promise_async_returns_promise) {
  log_result<returns_promise>();
  clock(4);
}

PROGRAM(promise_async_returns_thenable) {
  log_result<returns_thenable>();
  clock(3);
}

static Promise<std::string> returns_directly() { co_return resolved<std::string>("direct"); }
static Promise<std::string> returns_awaited() { co_return co_await resolved<std::string>("awaited"); }

PROGRAM(promise_async_returns_await_promise) {
  returns_directly().then(log);
  returns_awaited().then(log);
  clock(4);
}

static Promise<int> throws() {
  throw Error("thrown");
  co_return 0;
}
static Promise<int> returns_rejected() { co_return rejected<int>(Error("returned")); }
static int log_message(const Error& error) {
  log(error.message());
  return 0;
}

PROGRAM(promise_async_returns_rejected) {
  returns_rejected().catch_(log_message);
  throws().catch_(log_message);
  clock(4);
}

static Promise<> three_steps(std::string name) {
  log(name + " 1");
  co_await resolved();
  log(name + " 2");
  co_await resolved();
  log(name + " 3");
}

PROGRAM(promise_async_runs_at_once_until_await) {
  log("before");
  three_steps("a");
  three_steps("b");
  log("after");
}

static Promise<> inner() {
  log("inner");
  co_return;
}
static Promise<> middle() {
  co_await inner();
  log("middle");
}
static Promise<> outer() {
  co_await middle();
  log("outer");
}

PROGRAM(promise_nested_async_calls) {
  outer();
  clock(4);
}

static Promise<> step(std::string name) {
  co_await resolved();
  log(name);
}
static Promise<> sequence() {
  co_await step("first");
  co_await step("second");
}
static Promise<> parallel() {
  const Promise<> a = step("a");
  const Promise<> b = step("b");
  co_await a;
  co_await b;
  log("a and b done");
}

PROGRAM(promise_await_in_sequence_and_in_parallel) {
  sequence();
  parallel();
  clock(5);
}

static Promise<> resumed_by_a_tick() {
  co_await Promise<>::make([](auto resolve, auto) { nextTick([resolve] { resolve(); }); });
  log("resumed");
}

PROGRAM(promise_await_resumes_inside_the_drain) {
  setImmediate([] {
    resumed_by_a_tick();
    nextTick([] { log("tick 2"); });
    queueMicrotask([] { log("microtask"); });
  });
}

// --- the constructor and its functions ---

PROGRAM(promise_executor_runs_at_once) {
  const auto promise = Promise<std::string>::make([](auto resolve, auto) {
    log("executor");
    resolve("value");
    log("executor goes on");
  });
  promise.then(log);
  log("after");
}

PROGRAM(promise_executor_throws) {
  Promise<>::make([](auto, auto) { throw Error("from the executor"); }).catch_([](const Error& error) {
    log("caught " + error.message());
  });
  log("after");
}

PROGRAM(promise_resolve_with_promise) {
  const auto settled = resolved<std::string>("v");
  Promise<std::string>::make([=](auto resolve, auto) { resolve(settled); }).then([] {
    log("resolved with a promise");
  });
  Promise<std::string>::make([](auto resolve, auto) { resolve("v"); }).then([] { log("resolved with a value"); });
  resolved(settled).then([] { log("Promise.resolve"); });
  clock(3);
}

PROGRAM(promise_resolve_twice) {
  const auto promise = Promise<std::string>::make([](auto resolve, auto) {
    resolve("first");
    resolve("second");
  });
  promise.then(log);
}

static Promise<> report(Promise<std::string> promise) {
  try {
    log(co_await promise);
  } catch (const Error& error) {
    log(error.message());
  }
}

PROGRAM(promise_reject_after_resolve) {
  const auto rejects = Promise<std::string>::make([](auto resolve, auto reject) {
    resolve("value 1");
    reject(Error("too late"));
  });
  const auto throws_later = Promise<std::string>::make([](auto resolve, auto) {
    resolve("value 2");
    throw Error("too late");
  });
  const auto resolves = Promise<std::string>::make([](auto resolve, auto reject) {
    reject(Error("error 3"));
    resolve("too late");
  });
  report(rejects);
  report(throws_later);
  report(resolves);
}

PROGRAM(promise_resolved_with_pending_is_locked_in) {
  static const auto pending = Promise<std::string>::pending();
  const auto follower = Promise<std::string>::make([](auto resolve, auto reject) {
    resolve(pending);
    reject(Error("ignored"));
  });
  follower.then(log);
  setImmediate([] {
    log("still pending");
    pending.resolve("value of inner");
  });
}

PROGRAM(promise_resolved_with_itself) {
  const auto promise = Promise<>::pending();
  promise.catch_([](const Error& error) { log(error.name()); });
  promise.resolve(promise);
}

// --- reactions ---

PROGRAM(promise_then_returns_value) {
  resolved().then([] { return 7; }).then([](int value) { log(got(value)); });
  clock(4);
}

PROGRAM(promise_then_returns_promise) {
  resolved().then([] { return resolved(7); }).then([](int value) { log(got(value)); });
  clock(5);
}

PROGRAM(promise_then_returns_thenable) {
  resolved().then([] { return thenable(7); }).then([](int value) { log(got(value)); });
  clock(4);
}

static void chain(const std::string& name, int steps) {
  Promise<> promise = resolved();
  for (int i = 1; i <= steps; ++i) promise = promise.then([=] { log(name + std::to_string(i)); });
}

PROGRAM(promise_chains_interleaved) {
  chain("a", 3);
  chain("b", 1);
  chain("c", 2);
}

static Promise<> waits(Promise<> promise) {
  co_await promise;
  log("2");
}

PROGRAM(promise_reactions_in_order_of_registration) {
  const auto promise = Promise<>::pending();
  promise.then([] { log("1"); });
  waits(promise);
  promise.then([] { log("3"); });
  promise.resolve();
  promise.then([] { log("4"); });
  log("resolved");
}

PROGRAM(promise_rejection_passes_through) {
  rejected(Error("no"))
      .then([] { log("never"); })
      .then([] { log("never"); })
      .catch_([](const Error& error) { log("caught " + error.message()); })
      .then([] { log("goes on"); });
  clock(5);
}

PROGRAM(promise_throw_in_reaction) {
  resolved()
      .then([] { throw Error("no"); })
      .then([] { log("never"); }, [](const Error& error) { log("caught " + error.message()); });
}

PROGRAM(promise_finally) {
  const auto value = resolved<std::string>("value");
  const auto log_error = [](const Error& error) {
    log(error.message());
    return std::string();
  };
  value.finally([] { log("finally 1"); }).then(log);
  rejected<std::string>(Error("error")).finally([] { log("finally 2"); }).catch_(log_error);
  resolved<std::string>("value").finally([] { throw Error("thrown by finally"); }).catch_(log_error);
  clock(5);
}

// --- rejections that nobody handles ---

PROGRAM(promise_unhandled_rejection) {
  on_unhandled_rejection([](const Error& error) { log("unhandled " + error.message()); });
  setImmediate([] {
    (void)rejected(Error("no"));
    nextTick([] { log("tick"); });
    queueMicrotask([] {
      log("microtask");
      nextTick([] { log("tick of the microtask"); });
    });
  });
  setImmediate([] { log("next immediate"); });
}

PROGRAM(promise_rejection_handled_in_time) {
  on_unhandled_rejection([](const Error&) { log("unhandled"); });
  setImmediate([] {
    const Promise<> promise = rejected(Error("no"));
    queueMicrotask([promise] { nextTick([promise] { promise.catch_([](const Error&) { log("caught"); }); }); });
  });
  setImmediate([] { log("next immediate"); });
}

PROGRAM(promise_rejection_handled_too_late) {
  on_unhandled_rejection([](const Error&) { log("unhandled"); });
  js::EventLoop::current().on_rejection_handled([] { log("handled after all"); });
  static Promise<> promise = resolved();
  setImmediate([] { promise = rejected(Error("no")); });
  setImmediate([] { promise.catch_([](const Error&) { log("caught"); }); });
}

PROGRAM(promise_unhandled_branch) {
  on_unhandled_rejection([](const Error& error) { log("unhandled " + error.message()); });
  setImmediate([] {
    const Promise<> promise = rejected(Error("no"));
    promise.catch_([](const Error&) { log("caught"); });
    promise.then([] { log("never"); });
  });
}
