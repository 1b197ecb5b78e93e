// What scenarios/worker_death.cpp leaves out of the pool: a full queue, what is transferred, answers. How it mends
// itself after a death is that scenario's matter.
#include <models/worker_pool.hpp>

#include "explored_logs.hpp"

namespace {

using js::Value;
using js::Worker;
using js::WorkerPool;
using js::WorkerScope;
using js_test::expect_logs;
using js_test::explored;
using js_test::Log;

void answer(WorkerScope& self) {
  self.parentPort.on("message", [&self](const Value& job) {
    self.parentPort.postMessage(job.is_array_buffer() ? Value(static_cast<int>(job.array_buffer().byteLength())) : job);
  });
}

void no_supervision(WorkerPool&, Worker) {}

js::Promise<> ask(Log& log, WorkerPool& pool, Value payload, js::TransferList transfer = {}) {
  try {
    log((co_await pool.run(payload, transfer)).to_string());
  } catch (const js::Error& error) {
    log(error.message());
  }
}

js_test::Explored with_pool(WorkerPool::Options options, void (*module)(Log& log, WorkerPool& pool)) {
  return explored([options, module](Log& log) {
    js::EventLoop loop;
    WorkerPool pool(answer, no_supervision, options);
    loop.run([&] { module(log, pool); });
    weft::check(pool.idle() == options.size, "all workers are idle in the end");
  });
}

TEST(WorkerPool, AnswersEachJob) {
  expect_logs(with_pool({.size = 2},
                        [](Log& log, WorkerPool& pool) {
                          for (const char* job : {"a", "b"}) (void)ask(log, pool, job);
                        }),
              {"a b", "b a"});
}

// The first job is with the worker, the second one waits, the third one is one too many.
TEST(WorkerPool, RejectsAJobWhenTheQueueIsFull) {
  expect_logs(with_pool({.size = 1, .max_queue = 1},
                        [](Log& log, WorkerPool& pool) {
                          for (const char* job : {"a", "b", "c"}) (void)ask(log, pool, job);
                        }),
              {"job queue full a b"});
}

TEST(WorkerPool, NeedsNoQueueForAWorkerThatIsIdle) {
  expect_logs(with_pool({.size = 1, .max_queue = 0},
                        [](Log& log, WorkerPool& pool) {
                          for (const char* job : {"a", "b"}) (void)ask(log, pool, job);
                        }),
              {"job queue full a"});
}

// The bytes stay with the caller until a worker takes the job.
TEST(WorkerPool, TransfersWhatAJobBringsAlong) {
  expect_logs(with_pool({.size = 1},
                        [](Log& log, WorkerPool& pool) {
                          const js::ArrayBuffer first(8);
                          const js::ArrayBuffer second(4);
                          (void)ask(log, pool, first, {first});
                          (void)ask(log, pool, second, {second});
                          log(std::to_string(first.byteLength()) + "," + std::to_string(second.byteLength()));
                        }),
              {"0,4 8 4"});
}

}  // namespace
