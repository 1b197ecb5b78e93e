// view[0] += 1 is three steps, and on two cores they interleave: two increments of a shared 7 give 8.
// Source: seeds 000, the six-step table; 001, exercise 3; S01 of the catalogue.
#include <models/atomics.hpp>
#include <models/worker.hpp>
#include <mutex>
#include <weft/scenario.hpp>

namespace {

/// What the workers share: the buffer, and, for the variant that needs one, a lock.
struct Shared {
  js::SharedArrayBuffer buffer{4};
  std::mutex mutex;
};

// --- broken ---

void plain(Shared& shared, js::WorkerScope&) {
  const js::Int32Array view(shared.buffer);
  const int loaded = view[0];
  weft::note("compute + 1");
  view[0] = loaded + 1;
}

// --- fixed: one indivisible step ---

void atomic(Shared& shared, js::WorkerScope&) { js::Atomics::add(js::Int32Array(shared.buffer), 0, 1); }

// --- fixed: one worker at a time ---

void mutex(Shared& shared, js::WorkerScope&) {
  const js::Int32Array view(shared.buffer);
  const std::lock_guard lock(shared.mutex);
  view[0] += 1;
}

// --- fixed: nothing is shared; main adds up what the workers report ---

void messages(Shared&, js::WorkerScope& self) { self.parentPort.postMessage(1); }

template <auto increment>
void two_workers() {
  Shared shared;
  const js::Int32Array view(shared.buffer);
  weft::name(view[0], "view[0]");
  view[0] = 7;
  js::EventLoop loop;
  for (const char* const name : {"Worker 1", "Worker 2"}) {
    js::Worker worker([&shared](js::WorkerScope& self) { increment(shared, self); }, {.name = name});
    worker.on("message", [view](const js::Value& count) { view[0] += static_cast<int>(count.number()); });
  }
  loop.run();
  weft::check(view[0] == 9, "counter = 7 + increments");
}

WEFT_SCENARIO(lost_increment)
    .source("seeds 000, 001")
    .model(weft::sc)
    .broken("plain", two_workers<plain>, weft::finds::data_race("view[0]"),
            weft::finds::invariant("counter = 7 + increments"))
    .fixed("atomic", two_workers<atomic>)
    .fixed("mutex", two_workers<mutex>)
    .fixed("messages", two_workers<messages>);

}  // namespace
