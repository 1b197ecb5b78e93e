// view[0] += 1 is three steps, and on two cores they interleave: two increments of a shared 7 give 8.
// Source: seeds 000, the six-step table; 001, exercise 3; S01 of the catalogue.
#include <cstdint>
#include <models/atomics.hpp>
#include <models/worker.hpp>
#include <mutex>
#include <string>
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

// Two increments are enough to lose one. On real threads it takes more: 4 workers of 100,000 each, and all 400,000
// must arrive.
template <auto increment, std::uint32_t kMany = 100'000>
void workers() {
  const std::uint32_t count = weft::scaled(2, 4);
  const std::uint32_t increments = weft::scaled(1, kMany);
  Shared shared;
  const js::Int32Array view(shared.buffer);
  weft::name(view[0], "view[0]");
  view[0] = 7;
  js::EventLoop loop;
  const auto increment_often = [&shared, increments](js::WorkerScope& self) {
    for (std::uint32_t i = 0; i < increments; ++i) increment(shared, self);
  };
  for (std::uint32_t i = 1; i <= count; ++i) {
    js::Worker worker(increment_often, {.name = "Worker " + std::to_string(i)});
    worker.on("message", [view](const js::Value& sent) { view[0] += static_cast<int>(sent.number()); });
  }
  loop.run();
  weft::check_equal(view[0], 7 + count * increments, "counter = 7 + increments");
}

// atomic, mutex: two orders of the increments, two of the workers' exits. messages: 6 ways to merge message and exit of
// one worker with those of the other.
WEFT_SCENARIO(lost_increment)
    .source("seeds 000, 001")
    .model(weft::sc)
    .broken("plain", workers<plain>, weft::finds::data_race("view[0]"),
            weft::finds::invariant("counter = 7 + increments"))
    .fixed("atomic", workers<atomic>)
    .fixed("mutex", workers<mutex>)
    .fixed("messages", workers<messages, 1'000>);  // a message takes longer

}  // namespace
