// Atomics: results, sleeping and waking. Twins of atomics_*.mjs.
#include <concepts>
#include <type_traits>

#include <models/atomics.hpp>
#include <models/worker.hpp>

#include "conformance.hpp"

namespace Atomics = js::Atomics;
using conformance::log;
using conformance::log_value;
using conformance::on_exit;
using js::Int32Array;
using js::SharedArrayBuffer;
using js::Uint8Array;
using js::Value;
using js::WorkerScope;

template <std::integral T>
static std::string text(T value) {
  if constexpr (std::is_same_v<T, bool>) return value ? "true" : "false";
  return std::to_string(value);
}
static std::string text(Atomics::WaitResult result) { return Atomics::to_string(result); }
static Int32Array view_of(const WorkerScope& self) { return Int32Array(self.workerData.shared_buffer()); }

// --- accesses ---

PROGRAM(atomics_read_modify_write_results) {
  static SharedArrayBuffer shared(4);
  const Int32Array view(shared);
  log("store " + text(Atomics::store(view, 0, 12)));
  log("add " + text(Atomics::add(view, 0, 3)));
  log("sub " + text(Atomics::sub(view, 0, 5)));
  log("and " + text(Atomics::and_(view, 0, 6)));
  log("or " + text(Atomics::or_(view, 0, 9)));
  log("xor " + text(Atomics::xor_(view, 0, 5)));
  log("exchange " + text(Atomics::exchange(view, 0, 40)));
  log("load " + text(Atomics::load(view, 0)));
}

PROGRAM(atomics_compare_exchange) {
  static SharedArrayBuffer shared(4);
  const Int32Array view(shared);
  log(text(Atomics::compareExchange(view, 0, 0, 1)));
  log(text(Atomics::compareExchange(view, 0, 0, 2)));
  log(text(Atomics::load(view, 0)));
}

PROGRAM(atomics_wrap_around) {
  static SharedArrayBuffer shared_bytes(1);
  const Uint8Array bytes(shared_bytes);
  log("add " + text(Atomics::add<std::uint8_t>(bytes, 0, 250)));
  log("add " + text(Atomics::add<std::uint8_t>(bytes, 0, 10)));
  log("load " + text(Atomics::load(bytes, 0)));
  log("sub " + text(Atomics::sub<std::uint8_t>(bytes, 0, 5)));
  log("load " + text(Atomics::load(bytes, 0)));
  static SharedArrayBuffer shared_words(4);
  const Int32Array words(shared_words);
  Atomics::store(words, 0, 0x7fffffff);
  Atomics::add(words, 0, 1);
  log(text(Atomics::load(words, 0)));
}

PROGRAM(atomics_on_a_buffer_of_ones_own) {
  const Int32Array view(4);
  log("add " + text(Atomics::add(view, 0, 1)));
  log("load " + text(Atomics::load(view, 0)));
  log("notify " + text(Atomics::notify(view, 0)));
}

PROGRAM(atomics_index_out_of_bounds) {
  static SharedArrayBuffer shared(8);
  const Int32Array view(shared);
  try {
    Atomics::load(view, 2);
  } catch (const js::Error& error) {
    log(error.name());
  }
  view.set(2, 7);
  log(view.get(2) ? text(*view.get(2)) : "undefined");
}

// --- wait ---

PROGRAM(atomics_wait_not_equal) {
  static SharedArrayBuffer shared(4);
  const Int32Array view(shared);
  Atomics::store(view, 0, 1);
  log(text(Atomics::wait(view, 0, 0)));
}

PROGRAM(atomics_wait_timed_out) {
  static SharedArrayBuffer shared(4);
  const Int32Array view(shared);
  js::setImmediate([] { log("immediate"); });
  log(text(Atomics::wait(view, 0, 0, 20)));
  log(text(Atomics::wait(view, 0, 0, 0)));
}

PROGRAM(atomics_wait_ok) {
  static SharedArrayBuffer shared(4);
  const Int32Array view(shared);
  js::Worker(
      [](WorkerScope& self) {
        Atomics::store(view_of(self), 0, 1);
        Atomics::notify(view_of(self), 0);
      },
      {.workerData = shared});
  log(text(Atomics::wait(view, 0, 0)));
  log("value " + text(Atomics::load(view, 0)));
}

PROGRAM(atomics_wait_in_a_worker) {
  static SharedArrayBuffer shared(4);
  const js::Worker worker(
      [](WorkerScope& self) { self.parentPort.postMessage(text(Atomics::wait(view_of(self), 0, 0))); },
      {.workerData = shared, .announces_online = true});
  worker.on("online", [] {
    const Int32Array view(shared);
    Atomics::store(view, 0, 1);
    Atomics::notify(view, 0);
  });
  worker.on("message", log_value);
}

PROGRAM(atomics_wait_not_shared) {
  try {
    Atomics::wait(Int32Array(4), 0, 0);
  } catch (const js::Error& error) {
    log(error.name());
  }
  try {
    Atomics::waitAsync(Int32Array(4), 0, 0);
  } catch (const js::Error& error) {
    log(error.name());
  }
}

// What is a TypeError there does not compile here.
template <class View>
static void expect_no_wait(const char* name) {
  if constexpr (!requires(const View& view) { Atomics::wait(view, 0, 0, 0); }) log(std::string(name) + " TypeError");
}

PROGRAM(atomics_wait_other_types) {
  expect_no_wait<Uint8Array>("Uint8Array");
  expect_no_wait<js::TypedArray<std::int16_t>>("Int16Array");
  expect_no_wait<js::Uint32Array>("Uint32Array");
  expect_no_wait<js::TypedArray<double>>("Float64Array");
}

// --- notify ---

PROGRAM(atomics_notify_nobody) {
  static SharedArrayBuffer shared(4);
  const Int32Array view(shared);
  log(text(Atomics::notify(view, 0)));
  log(text(Atomics::wait(view, 0, 0, 10)));
}

PROGRAM(atomics_notify_counts) {
  static SharedArrayBuffer shared(4);
  const Int32Array view(shared);
  for (const char* name : {"a", "b", "c"}) {
    Atomics::waitAsync(view, 0, 0).promise->then([name](const std::string& result) { log(name + (" " + result)); });
  }
  log(text(Atomics::notify(view, 0, 0)));
  log(text(Atomics::notify(view, 0, 1)));
  log(text(Atomics::notify(view, 0)));
  log(text(Atomics::notify(view, 0)));
  js::setTimeout([] { log("end"); }, 50);
}

PROGRAM(atomics_notify_two_workers) {
  static SharedArrayBuffer shared(4);
  for (int i = 0; i < 2; ++i) {
    const js::Worker worker(
        [](WorkerScope& self) { self.parentPort.postMessage(text(Atomics::wait(view_of(self), 0, 0))); },
        {.workerData = shared, .announces_online = i == 1});
    worker.on("message", log_value);
    if (i == 1) {
      worker.on("online", [] {
        const Int32Array view(shared);
        Atomics::store(view, 0, 1);
        log("woke " + text(Atomics::notify(view, 0)));
      });
    }
  }
}

// --- waitAsync ---

PROGRAM(atomics_wait_async_results) {
  static SharedArrayBuffer shared(4);
  const Int32Array view(shared);
  const Atomics::AsyncWait different = Atomics::waitAsync(view, 0, 1);
  log("async " + text(different.async) + ", " + text(different.value));
  const Atomics::AsyncWait no_time = Atomics::waitAsync(view, 0, 0, 0);
  log("async " + text(no_time.async) + ", " + text(no_time.value));
  const Atomics::AsyncWait waits = Atomics::waitAsync(view, 0, 0);
  log("async " + text(waits.async) + ", " + text(waits.promise.has_value()));
}

PROGRAM(atomics_wait_async_ok) {
  static SharedArrayBuffer shared(4);
  js::setTimeout([] { log("end"); }, 50);
  js::setImmediate([] {
    const Int32Array view(shared);
    Atomics::waitAsync(view, 0, 0).promise->then(log);
    log("woken " + text(Atomics::notify(view, 0)));
    js::process::nextTick([] { log("tick"); });
    js::queueMicrotask([] { log("microtask"); });
  });
}

PROGRAM_IN_TIME(atomics_wait_async_timed_out) {
  static SharedArrayBuffer shared(4);
  const Int32Array view(shared);
  js::setTimeout([] { log("end"); }, 200);
  Atomics::waitAsync(view, 0, 0, 10).promise->then(log);
}

PROGRAM(atomics_wait_async_keeps_nothing_alive) {
  static SharedArrayBuffer shared(4);
  const Int32Array view(shared);
  Atomics::waitAsync(view, 0, 0).promise->then([] { log("never"); });
  on_exit([](int code) { log("exit " + std::to_string(code)); });
}

PROGRAM(atomics_wait_async_woken_by_a_worker) {
  static SharedArrayBuffer shared(4);
  static const Int32Array view(shared);
  const Atomics::AsyncWait waiting = Atomics::waitAsync(view, 0, 0);
  log("async " + text(waiting.async));
  static const js::Worker worker(
      [](WorkerScope& self) {
        self.parentPort.once("message", [&self] {
          Atomics::store(view_of(self), 0, 1);
          Atomics::notify(view_of(self), 0);
        });
      },
      {.workerData = shared});
  waiting.promise->then([](const std::string& result) { log(result + ", value " + text(Atomics::load(view, 0))); });
  js::setTimeout(
      [] {
        log("timer");
        worker.postMessage("go");
      },
      1);
  js::setTimeout([] {}, 300);
}

static void wait_async(const char* name, std::size_t index, const Int32Array& view) {
  Atomics::waitAsync(view, index, 0).promise->then([name] {
    log(name);
    js::process::nextTick([name] { log(std::string("tick of ") + name); });
    js::queueMicrotask([name] { log(std::string("microtask of ") + name); });
  });
}

PROGRAM(atomics_wait_async_settle_together) {
  static SharedArrayBuffer shared(8);
  const Int32Array view(shared);
  wait_async("a", 0, view);
  wait_async("b", 1, view);
  wait_async("c", 0, view);
  wait_async("d", 0, view);
  Atomics::notify(view, 1);
  Atomics::notify(view, 0, 1);
  Atomics::notify(view, 0);
}

PROGRAM(atomics_wait_async_notified_one_by_one) {
  static SharedArrayBuffer shared(4);
  for (const char* name : {"a", "b", "c"}) {
    Atomics::waitAsync(Int32Array(shared), 0, 0).promise->then([name] {
      log(name);
      js::queueMicrotask([name] { log(std::string("microtask of ") + name); });
    });
  }
  static const js::Worker worker(
      [](WorkerScope& self) {
        for (int i = 0; i < 3; ++i) Atomics::notify(view_of(self), 0, 1);
        self.parentPort.on("message", [&self] { self.parentPort.close(); });
      },
      {.workerData = shared});
  js::setTimeout([] { worker.postMessage("end"); }, 50);
}

// --- agents that end ---

static void sleep_until_woken(WorkerScope& self) {
  self.parentPort.postMessage("sleeps");
  Atomics::wait(view_of(self), 0, 0);
}

static void start_a_sleeper(WorkerScope& self) {
  const js::Worker inner(sleep_until_woken, {.workerData = self.workerData});
  inner.on("message", [&self](const Value& message) { self.parentPort.postMessage(message); });
}

static js::Promise<> terminate_and_notify(SharedArrayBuffer& shared) {
  for (const auto& body : {sleep_until_woken, start_a_sleeper}) {
    const js::Worker worker(body, {.workerData = shared});
    const auto sleeps = js::Promise<>::pending();
    worker.once("message", [sleeps] { sleeps.resolve(); });
    co_await sleeps;
    co_await worker.terminate();
    log("notify " + text(Atomics::notify(Int32Array(shared), 0)));
  }
}

PROGRAM(atomics_terminated_waiter_is_not_counted) {
  static SharedArrayBuffer shared(4);
  terminate_and_notify(shared);
}

static void wait_async_and_end(WorkerScope& self) { Atomics::waitAsync(view_of(self), 0, 0); }

static void wait_async_and_exit(WorkerScope& self) {
  wait_async_and_end(self);
  js::process::exit(0);
}

static js::Promise<> notify_after_exit(SharedArrayBuffer& shared) {
  for (const auto& body : {wait_async_and_end, wait_async_and_exit}) {
    const js::Worker worker(body, {.workerData = shared});
    const auto gone = js::Promise<>::pending();
    worker.once("exit", [gone] { gone.resolve(); });
    co_await gone;
    log("notify " + text(Atomics::notify(Int32Array(shared), 0)));
  }
}

PROGRAM(atomics_wait_async_of_an_ended_worker) {
  static SharedArrayBuffer shared(4);
  notify_after_exit(shared);
}

// --- two workers ---

template <auto body>
static void two_workers_then(SharedArrayBuffer& shared, void (*done)()) {
  static int left;
  left = 2;
  for (int i = 0; i < 2; ++i) {
    const js::Worker worker(body, {.workerData = shared});
    worker.on("exit", [done] {
      if (--left == 0) done();
    });
  }
}

static void increment_plainly(WorkerScope& self) { weft::racy(view_of(self)[0])++; }

PROGRAM(atomics_plain_increments_lose) {
  static SharedArrayBuffer shared(4);
  two_workers_then<increment_plainly>(shared, [] { log(text(Int32Array(shared)[0])); });
}

static void increment_atomically(WorkerScope& self) { Atomics::add(view_of(self), 0, 1); }

PROGRAM(atomics_increments_do_not_lose) {
  static SharedArrayBuffer shared(4);
  two_workers_then<increment_atomically>(shared, [] { log(text(Atomics::load(Int32Array(shared), 0))); });
}

static void increment_under_a_lock(WorkerScope& self) {
  const Int32Array view = view_of(self);
  while (Atomics::compareExchange(view, 0, 0, 1) != 0) Atomics::wait(view, 0, 1);
  view[1]++;
  Atomics::store(view, 0, 0);
  Atomics::notify(view, 0, 1);
}

PROGRAM(atomics_lock_between_workers) {
  static SharedArrayBuffer shared(8);
  two_workers_then<increment_under_a_lock>(shared, [] { log(text(Int32Array(shared)[1])); });
}
