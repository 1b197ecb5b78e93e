// Atomics.wait, waitAsync and notify between a loop and its workers: who is woken, and what each is told.
#include <models/atomics.hpp>
#include <models/worker.hpp>

#include "explored_logs.hpp"

namespace {

using js::Int32Array;
using js::SharedArrayBuffer;
using js::Value;
using js::Worker;
using js::WorkerScope;
using js_test::expect_logs;
using js_test::explored;
using js_test::explored_module;
using js_test::Log;

/// A loop with shared memory: element 0 is waited on.
js_test::Explored with_memory(void (*module)(Log& log, SharedArrayBuffer& shared)) {
  return explored([module](Log& log) {
    SharedArrayBuffer shared(8);
    js::EventLoop loop;
    loop.run([&] { module(log, shared); });
  });
}

/// A worker that waits while element 0 is 0, and tells how that ended.
void waiter(Log& log, SharedArrayBuffer& shared) {
  const Worker worker(
      [](WorkerScope& self) {
        const Int32Array view(self.workerData.shared_buffer());
        self.parentPort.postMessage(js::Atomics::to_string(js::Atomics::wait(view, 0, 0)));
      },
      {.workerData = shared});
  worker.on("message", [&log](const Value& value) { log(value.to_string()); });
}

TEST(Notify, CountsWhomItWakes) {
  expect_logs(with_memory([](Log& log, SharedArrayBuffer& shared) {
                waiter(log, shared);
                const Int32Array view(shared);
                js::Atomics::store(view, 0, 1);
                log(std::to_string(js::Atomics::notify(view, 0)));
              }),
              {"1 ok", "0 not-equal"});
}

// Of two that wait, `notify(..., 1)` wakes one; the other one sleeps until the second call.
TEST(Notify, WakesNoMoreThanAsked) {
  expect_logs(with_memory([](Log& log, SharedArrayBuffer& shared) {
                waiter(log, shared);
                waiter(log, shared);
                const Int32Array view(shared);
                js::Atomics::store(view, 0, 1);
                log(std::to_string(js::Atomics::notify(view, 0, 1)));
                log(std::to_string(js::Atomics::notify(view, 0)));
              }),
              {"0 0 not-equal not-equal", "1 0 ok not-equal", "1 0 not-equal ok", "1 1 ok ok"});
}

TEST(Notify, WakesNobodyOnAnotherElement) {
  expect_logs(with_memory([](Log& log, SharedArrayBuffer& shared) {
                const Int32Array view(shared);
                (void)js::Atomics::waitAsync(view, 0, 0);
                log(std::to_string(js::Atomics::notify(view, 1)));
                log(std::to_string(js::Atomics::notify(view, 0, 0)));
                log(std::to_string(js::Atomics::notify(view, 0)));
              }),
              {"0 0 1"}, 1);
}

TEST(Notify, WakesWhoCameFirst) {
  expect_logs(with_memory([](Log& log, SharedArrayBuffer& shared) {
                const Int32Array view(shared);
                (void)js::Atomics::waitAsync(view, 0, 0).promise->then(log.says("first"));
                (void)js::Atomics::waitAsync(view, 0, 0).promise->then(log.says("never: second"));
                log(std::to_string(js::Atomics::notify(view, 0, 1)));
              }),
              {"1 first"}, 1);
}

// A sleeper on another element goes on sleeping.
TEST(Notify, WakesNoSleeperOnAnotherElement) {
  expect_logs(with_memory([](Log& log, SharedArrayBuffer& shared) {
                waiter(log, shared);
                const Int32Array view(shared);
                log(std::to_string(js::Atomics::notify(view, 1)));
                js::Atomics::store(view, 0, 1);
                log(std::to_string(js::Atomics::notify(view, 0)));
              }),
              {"0 1 ok", "0 0 not-equal"});
}

// The store comes before the wait, or the notification does before the timeout, or neither.
TEST(Wait, WithATimeoutEndsInEachWay) {
  expect_logs(with_memory([](Log& log, SharedArrayBuffer& shared) {
                const Int32Array view(shared);
                const Worker worker(
                    [](WorkerScope& self) {
                      const Int32Array memory(self.workerData.shared_buffer());
                      js::Atomics::store(memory, 0, 1);
                      js::Atomics::notify(memory, 0);
                    },
                    {.workerData = shared});
                log(js::Atomics::to_string(js::Atomics::wait(view, 0, 0, 10)));
              }),
              {"ok", "timed-out", "not-equal"});
}

TEST(Wait, ForeverBlocksTheLoopThatWouldNotify) {
  const js_test::Explored stuck = with_memory([](Log&, SharedArrayBuffer& shared) {
    const Int32Array view(shared);
    js::setTimeout([view] { js::Atomics::notify(view, 0); }, 1);
    js::Atomics::wait(view, 0, 0);
  });
  EXPECT_TRUE(stuck.result.found("deadlock")) << stuck.result;
}

TEST(WaitAsync, KeepsNoLoopAlive) {
  expect_logs(with_memory([](Log& log, SharedArrayBuffer& shared) {
                const js::Atomics::AsyncWait wait = js::Atomics::waitAsync(Int32Array(shared), 0, 0);
                (void)wait.promise->then(log.says("never"));
                log(wait.async ? "async" : "at once");
              }),
              {"async"}, 1);
}

// Not even until its time-out.
// But it may be over when the module has run.
TEST(WaitAsync, WithATimeoutKeepsNoLoopAlive) {
  expect_logs(with_memory([](Log& log, SharedArrayBuffer& shared) {
                (void)js::Atomics::waitAsync(Int32Array(shared), 0, 0, 10).promise->then(log.says("timed out"));
              }),
              {"", "timed out"}, 2);
}

TEST(WaitAsync, IsAnsweredByATaskOfItsOwn) {
  expect_logs(with_memory([](Log& log, SharedArrayBuffer& shared) {
                const Int32Array view(shared);
                (void)js::Atomics::waitAsync(view, 0, 0).promise->then([&log](const std::string& end) { log(end); });
                log(std::to_string(js::Atomics::notify(view, 0)));
                js::queueMicrotask(log.says("microtask"));
              }),
              {"1 microtask ok"}, 1);
}

// In the order of the notifications; the microtasks come when all are settled.
TEST(WaitAsync, IsAnsweredByOneTaskForAllThatWereNotified) {
  expect_logs(with_memory([](Log& log, SharedArrayBuffer& shared) {
                const Int32Array view(shared);
                for (const std::size_t element : {std::size_t{0}, std::size_t{1}, std::size_t{0}}) {
                  (void)js::Atomics::waitAsync(view, element, 0).promise->then([&log, element](const std::string&) {
                    log(std::to_string(element));
                    js::queueMicrotask(log.says("microtask"));
                  });
                }
                js::Atomics::notify(view, 1);
                js::Atomics::notify(view, 0, 1);
                js::Atomics::notify(view, 0, 1);
              }),
              {"1 0 0 microtask microtask microtask"}, 1);
}

// By another agent: in one task or in two, but always in order.
TEST(WaitAsync, IsAnsweredInTheOrderOfNotifications) {
  expect_logs(with_memory([](Log& log, SharedArrayBuffer& shared) {
                const Int32Array view(shared);
                for (const char* word : {"a", "b"}) {
                  (void)js::Atomics::waitAsync(view, 0, 0).promise->then([&log, word](const std::string&) {
                    log(word);
                    js::queueMicrotask(log.says("microtask"));
                  });
                }
                const Worker worker(
                    [](WorkerScope& self) {
                      const Int32Array memory(self.workerData.shared_buffer());
                      js::Atomics::notify(memory, 0, 1);
                      js::Atomics::notify(memory, 0, 1);
                    },
                    {.workerData = shared});
              }),
              {"a b microtask microtask", "a microtask b microtask"});
}

// However it ended.
TEST(WaitAsync, OfAnAgentThatHasEndedIsNotCounted) {
  expect_logs(with_memory([](Log& log, SharedArrayBuffer& shared) {
                const Worker worker(
                    [](WorkerScope& self) {
                      (void)js::Atomics::waitAsync(Int32Array(self.workerData.shared_buffer()), 0, 0);
                      if (weft::choose(2) == 1) js::process::exit(0);
                    },
                    {.workerData = shared});
                worker.on("exit", [&] { log(std::to_string(js::Atomics::notify(Int32Array(shared), 0))); });
              }),
              {"0"}, 2);
}

// A timer of the loop's keeps it alive long enough for both ends.
TEST(WaitAsync, WithATimeoutEndsInBothWays) {
  expect_logs(
      with_memory([](Log& log, SharedArrayBuffer& shared) {
        const Int32Array view(shared);
        (void)js::Atomics::waitAsync(view, 0, 0, 10).promise->then([&log](const std::string& end) { log(end); });
        js::EventLoop::current().start_io([view] { js::Atomics::notify(view, 0); });
      }),
      {"ok", "timed-out"});
}

TEST(Add, LosesNothingThatPlainAccessesWouldLose) {
  expect_logs(
      explored([](Log& log) {
        SharedArrayBuffer shared(4);
        const Int32Array view(shared);
        {
          js::EventLoop loop;
          loop.run([&] {
            for (int i = 0; i < 2; ++i) {
              const Worker worker(
                  [](WorkerScope& self) { js::Atomics::add(Int32Array(self.workerData.shared_buffer()), 0, 1); },
                  {.workerData = shared});
            }
          });
        }
        log(std::to_string(view[0]));
      }),
      {"2"});
}

}  // namespace
