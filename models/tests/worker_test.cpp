// How workers end: wherever terminate() meets them, nothing of theirs runs any more.
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
using js_test::Explored;
using js_test::explored;
using js_test::explored_module;
using js_test::Log;

void log_exit(Worker worker, Log& log) {
  worker.on("exit", [&log](const Value& code) { log("exit:" + code.to_string()); });
}

struct Finally {
  WorkerScope& self;
  ~Finally() { self.parentPort.postMessage("never: finally"); }
};

// Code 0: it had not booted yet, and its module never ran.
TEST(Terminate, StopsAWorkerThatBootsOrWaitsForMessages) {
  expect_logs(explored_module([](Log& log) {
                const Worker worker([](WorkerScope& self) { self.parentPort.on("message", [] {}); });
                log_exit(worker, log);
                (void)worker.terminate().then([&log](int code) { log("promise:" + std::to_string(code)); });
              }),
              {"exit:0 promise:0", "exit:1 promise:1"});
}

TEST(Terminate, StopsAWorkerThatIsOnline) {
  expect_logs(explored_module([](Log& log) {
                const Worker worker([](WorkerScope& self) { self.parentPort.on("message", [] {}); },
                                    {.announces_online = true});
                worker.on("online", [&log, worker] {
                  log("online");
                  (void)worker.terminate();
                });
                log_exit(worker, log);
              }),
              {"online exit:1"});
}

// It sleeps while it holds a lock: the lock is never given back, and no destructor runs.
TEST(Terminate, StopsAWorkerInAtomicsWaitWithoutUnwinding) {
  expect_logs(explored([](Log& log) {
                SharedArrayBuffer shared(8);
                const Int32Array view(shared);
                {
                  js::EventLoop loop;
                  loop.run([&] {
                    const Worker worker(
                        [](WorkerScope& self) {
                          const Int32Array memory(self.workerData.shared_buffer());
                          const Finally finally{self};
                          js::Atomics::store(memory, 1, 1);  // takes the lock
                          self.parentPort.postMessage("locked");
                          js::Atomics::wait(memory, 0, 0);
                          js::Atomics::store(memory, 1, 0);
                        },
                        {.workerData = shared});
                    worker.on("message", [&log, worker](const Value& value) {
                      log(value.to_string());
                      (void)worker.terminate();
                    });
                    log_exit(worker, log);
                  });
                }
                log("lock:" + std::to_string(view[1]));
              }),
              {"locked exit:1 lock:1"});
}

// It may be stopped between its two messages, or after them; its 'exit' comes last either way.
TEST(Terminate, LetsWhatWasSentBeforeArrive) {
  expect_logs(explored_module([](Log& log) {
                const Worker worker([](WorkerScope& self) {
                  self.parentPort.postMessage("1");
                  self.parentPort.postMessage("2");
                  self.parentPort.on("message", [] {});
                });
                worker.on("message", [&log, worker](const Value& value) {
                  log(value.to_string());
                  if (value.to_string() == "1") (void)worker.terminate();
                });
                log_exit(worker, log);
              }),
              {"1 exit:1", "1 2 exit:1"});
}

// Once the promise of terminate() is settled, the worker no longer waits; before, it may still be counted.
TEST(Terminate, TakesTheWorkerOffTheListOfWaiters) {
  expect_logs(
      explored([](Log& log) {
        SharedArrayBuffer shared(8);
        js::EventLoop loop;
        loop.run([&] {
          const Worker worker(
              [](WorkerScope& self) {
                js::Atomics::wait(Int32Array(self.workerData.shared_buffer()), 0, 0);
                self.parentPort.postMessage("never");
              },
              {.workerData = shared});
          worker.on("message", [&log](const Value& value) { log(value.to_string()); });
          (void)worker.terminate().then([&](int) { log(std::to_string(js::Atomics::notify(Int32Array(shared), 0))); });
        });
      }),
      {"0"});
}

// The worker's own worker is stopped with it; the memory is that of an agent that outlives both.
TEST(Terminate, TakesWorkersOfTheWorkerOffTheListOfWaiters) {
  expect_logs(
      explored([](Log& log) {
        SharedArrayBuffer shared(8);
        js::EventLoop loop;
        loop.run([&] {
          const Worker worker(
              [](WorkerScope& self) {
                const Worker inner(
                    [](WorkerScope& inner_self) {
                      js::Atomics::wait(Int32Array(inner_self.workerData.shared_buffer()), 0, 0);
                    },
                    {.workerData = self.workerData});
              },
              {.workerData = shared});
          (void)worker.terminate().then([&](int) { log(std::to_string(js::Atomics::notify(Int32Array(shared), 0))); });
        });
      }),
      {"0"});
}

TEST(ProcessExit, EndsTheWorkerWithItsCodeAndWithoutUnwinding) {
  expect_logs(explored_module([](Log& log) {
                const Worker worker([](WorkerScope& self) {
                  const Finally finally{self};
                  self.parentPort.postMessage("sent");
                  js::process::exit(3);
                });
                worker.on("message", [&log](const Value& value) { log(value.to_string()); });
                worker.on("error", log.says("never: error"));
                log_exit(worker, log);
              }),
              {"sent exit:3"}, 1);
}

// The handler of the message ends the parent, so the error is heard of before it or not at all.
TEST(Error, OvertakesTheMessageWhoseHandlerEndsTheParent) {
  expect_logs(explored_module([](Log& log) {
                const Worker worker([](WorkerScope& self) {
                  self.parentPort.postMessage("message");
                  throw js::Error("no");
                });
                worker.on("error", log.says("error"));
                worker.on("message", [&log] {
                  log("message");
                  js::process::exit(0);
                });
              }),
              {"message", "error message"}, 2);
}

struct NoError {};

// At the top level of the module, in a callback, and of a type that nobody knows.
TEST(Error, IsWhateverAWorkerThrows) {
  expect_logs(explored_module([](Log& log) {
                const Worker worker([](WorkerScope&) {
                  const std::uint32_t way = weft::choose(3);
                  if (way == 0) throw 42;
                  if (way == 1) throw NoError();
                  js::setTimeout([] { throw std::string("text"); }, 1);
                });
                worker.on("error", [&log](const Value& error) {
                  const std::string text = error.error().message();
                  log(text.find("NoError") == std::string::npos ? text : "NoError");
                });
                log_exit(worker, log);
              }),
              {"42 exit:1", "NoError exit:1", "text exit:1"}, 3);
}

TEST(Error, OfAWorkerWithoutListenerIsThrownOnTheParentsLoop) {
  expect_logs(explored([](Log& log) {
                js::EventLoop loop;
                try {
                  loop.run([] { const Worker worker([](WorkerScope&) { throw js::RangeError("no"); }); });
                } catch (const js::Error& error) {
                  log(error.name());
                }
              }),
              {"RangeError"});
}

}  // namespace
