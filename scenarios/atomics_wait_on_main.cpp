// Atomics.wait on the main thread stops its event loop, and the one who would notify is queued behind that loop: a
// worker's message, whose handler would have called Atomics.notify. Neither side ever goes on. Source: seeds 000,
// failure modes; S18 of the catalogue.
#include <models/atomics.hpp>
#include <models/worker.hpp>
#include <weft/scenario.hpp>

namespace {

constexpr std::int32_t kWorking = 0;
constexpr std::int32_t kDone = 1;

void announce(const js::Int32Array& state) {
  js::Atomics::store(state, 0, kDone);
  js::Atomics::notify(state, 0);
}

/// What the worker does when its work is done: it tells the main loop, or it wakes the waiter itself.
void report_to_main_loop(js::WorkerScope& self, const js::Int32Array&) { self.parentPort.postMessage("done"); }
void notify_directly(js::WorkerScope&, const js::Int32Array& state) { announce(state); }

/// How main waits for it.
js::Promise<> wait_blocking(const js::Int32Array& state) {
  js::Atomics::wait(state, 0, kWorking);
  co_return;
}

js::Promise<> wait_async(const js::Int32Array& state) {
  const js::Atomics::AsyncWait waiting = js::Atomics::waitAsync(state, 0, kWorking);
  if (waiting.async) co_await *waiting.promise;
}

template <auto finish, auto wait>
void main_waits_for_worker() {
  js::SharedArrayBuffer buffer(4);
  const js::Int32Array state(buffer);
  weft::name(state[0], "state[0]");
  js::EventLoop loop;
  bool seen_done = false;
  js::Worker worker([&buffer](js::WorkerScope& self) { finish(self, js::Int32Array(buffer)); }, {.name = "Worker"});
  worker.on("message", [&] { announce(state); });
  loop.spawn("Main", [&]() -> js::Promise<> {
    co_await js::io("read request");  // the worker may be done before main asks
    co_await wait(state);
    seen_done = js::Atomics::load(state, 0) == kDone;
  });
  loop.run();
  weft::check(seen_done, "main goes on once the worker is done");
}

// wait_async: 4 executions. The worker's message and its exit are handled before the read completes, or only the
// message; or neither, and then the wait is woken before or after the exit is handled. notify_directly: 4. The worker
// is gone before the read completes; else main looks before the worker's store and sleeps, or between store and notify,
// or after both.
WEFT_SCENARIO(atomics_wait_on_main)
    .source("seeds 000")
    .model(weft::sc)
    .broken("wait_for_message", main_waits_for_worker<report_to_main_loop, wait_blocking>, weft::finds::deadlock())
    .fixed("wait_async", main_waits_for_worker<report_to_main_loop, wait_async>)
    .fixed("notify_directly", main_waits_for_worker<notify_directly, wait_blocking>);

}  // namespace
