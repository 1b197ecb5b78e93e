// A promise chain that goes on queueing microtasks never lets the loop reach its timers: a setTimeout(fn, 0) of minutes
// ago has not run. "Yielding" with an already resolved promise does not help: that is one more microtask. Source: seeds
// 003, schedules and "Advanced"; S44 and S45 of the catalogue.
#include <models/promise.hpp>
#include <weft/scenario.hpp>

namespace {

constexpr int kChunks = 6;
constexpr std::uint32_t kPatience = 4;  // microtasks

struct Batch {
  int chunks_done = 0;
  bool timer_fired = false;

  bool has_more() const { return chunks_done < kChunks; }
  /// `came_by`: what let the batch go on after the chunk before.
  void do_chunk(const char* came_by) {
    js::note([&] {
      std::string text = "chunk " + std::to_string(chunks_done + 1);
      if (chunks_done != 0) text.append(" (").append(came_by).append(")");
      return text;
    });
    ++chunks_done;
  }
};

// --- broken: each microtask queues the next one ---

void recursive_microtasks(Batch& batch) {
  batch.do_chunk("queueMicrotask");
  if (batch.has_more()) js::queueMicrotask([&batch] { recursive_microtasks(batch); });
}

// --- broken, though it means well: a resolved promise is one more microtask ---

js::Promise<> yield_by_resolved_promise(Batch& batch) {
  while (batch.has_more()) {
    batch.do_chunk("await Promise.resolve()");
    co_await js::resolved();
  }
}

// --- fixed: a macrotask between chunks ---

js::Promise<> yield_by_set_immediate(Batch& batch) {
  while (batch.has_more()) {
    batch.do_chunk("await setImmediate()");
    co_await js::immediate();
  }
}

template <auto work>
void batch_and_timer() {
  js::EventLoop loop;
  loop.require_turn_within(kPatience);
  Batch batch;
  weft::watch("chunks", batch.chunks_done);
  weft::watch("timer fired", batch.timer_fired);
  loop.spawn("Heartbeat", [&] {
    js::setTimeout(
        [&batch] {
          batch.timer_fired = true;
          weft::sometimes(batch.has_more(), "the timer fires between chunks");
        },
        0);
  });
  loop.spawn("Batch", [&] { return work(batch); });
  loop.run();
  weft::check(!batch.has_more() && batch.timer_fired, "the batch and the timer both run to their end");
}

// Fixed: one execution for each chunk before which the timer may be due, and one in which it is due after the last.
WEFT_SCENARIO(microtask_starvation)
    .source("seeds 003")
    .model(weft::sc)
    .broken("recursive_microtasks", batch_and_timer<recursive_microtasks>,
            weft::finds::invariant("every ready macrotask runs within 4 microtasks"))
    .broken("yield_by_resolved_promise", batch_and_timer<yield_by_resolved_promise>,
            weft::finds::invariant("every ready macrotask runs within 4 microtasks"))
    .fixed("yield_by_set_immediate", batch_and_timer<yield_by_set_immediate>);

}  // namespace
