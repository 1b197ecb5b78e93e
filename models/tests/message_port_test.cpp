// In which orders a loop handles the messages of several ports: all that keep the order of each port, and no other.
#include <models/worker.hpp>

#include "explored_logs.hpp"

namespace {

using js::MessageChannel;
using js::Value;
using js::Worker;
using js::WorkerScope;
using js_test::expect_logs;
using js_test::explored;
using js_test::explored_module;
using js_test::interleavings;
using js_test::Log;

js::EventEmitter::Listener logs(Log& log) {
  return [&log](const Value& value) { log(value.to_string()); };
}

/// A worker that posts these to the port that it is given.
Worker sender(js::ChannelPort& port, std::vector<std::string> words) {
  return Worker(
      [words = std::move(words)](WorkerScope& self) {
        for (const std::string& word : words) self.workerData.port().postMessage(word);
      },
      {.workerData = port, .transferList = {port}});
}

TEST(MessagePorts, OfTwoSendersAreHandledInEveryOrderThatKeepsThatOfEach) {
  expect_logs(explored([](Log& log) {
                MessageChannel* a = nullptr;
                MessageChannel* b = nullptr;
                {
                  js::EventLoop loop;
                  a = new MessageChannel;
                  b = new MessageChannel;
                  loop.run([&] {
                    a->port1.on("message", logs(log));
                    b->port1.on("message", logs(log));
                    sender(a->port2, {"a1", "a2"});
                    sender(b->port2, {"b1"});
                  });
                }
                delete a;
                delete b;
              }),
              interleavings({{"a1", "a2"}, {"b1"}}));
}

TEST(MessagePorts, OfOneSenderAreNotOrderedEither) {
  expect_logs(explored([](Log& log) {
                MessageChannel* a = nullptr;
                MessageChannel* b = nullptr;
                {
                  js::EventLoop loop;
                  a = new MessageChannel;
                  b = new MessageChannel;
                  loop.run([&] {
                    a->port1.on("message", logs(log));
                    b->port1.on("message", logs(log));
                    const Worker worker(
                        [](WorkerScope& self) {
                          js::MessagePort& to_a = self.workerData[0].port();
                          js::MessagePort& to_b = self.workerData[1].port();
                          to_a.postMessage("a1");
                          to_b.postMessage("b1");
                          to_a.postMessage("a2");
                          to_b.postMessage("b2");
                        },
                        {.workerData = Value::array({a->port2, b->port2}), .transferList = {a->port2, b->port2}});
                  });
                }
                delete a;
                delete b;
              }),
              interleavings({{"a1", "a2"}, {"b1", "b2"}}));
}

TEST(ParentPorts, OfTwoWorkersAreHandledInEveryOrderWithExitLast) {
  const auto start = [](Log& log, const std::string& name) {
    const Worker worker([name](WorkerScope& self) {
      self.parentPort.postMessage(name + "1");
      self.parentPort.postMessage(name + "2");
    });
    worker.on("message", logs(log));
    worker.on("exit", log.says(name + "-exit"));
  };
  expect_logs(explored_module([&](Log& log) {
                start(log, "a");
                start(log, "b");
              }),
              interleavings({{"a1", "a2", "a-exit"}, {"b1", "b2", "b-exit"}}));
}

TEST(ParentPort, AnErrorOvertakesMessagesButExitDoesNot) {
  js_test::Logs expected;
  for (const std::string& log : interleavings({{"m1", "m2"}, {"error"}})) expected.insert(log + " exit:1");
  expect_logs(explored_module([](Log& log) {
                const Worker worker([](WorkerScope& self) {
                  self.parentPort.postMessage("m1");
                  self.parentPort.postMessage("m2");
                  throw js::Error("no");
                });
                worker.on("message", logs(log));
                worker.on("error", log.says("error"));
                worker.on("exit", [&log](const Value& code) { log("exit:" + code.to_string()); });
              }),
              expected);
}

// Other ports are not the worker's own: their messages may come after its 'exit'.
TEST(MessagePorts, MayBeHandledAfterTheExitOfTheirSender) {
  js_test::Logs expected = interleavings({{"p"}, {"own", "exit"}});
  expect_logs(explored([](Log& log) {
                MessageChannel* channel = nullptr;
                {
                  js::EventLoop loop;
                  channel = new MessageChannel;
                  loop.run([&] {
                    channel->port1.on("message", logs(log));
                    const Worker worker(
                        [](WorkerScope& self) {
                          self.workerData.port().postMessage("p");
                          self.parentPort.postMessage("own");
                        },
                        {.workerData = channel->port2, .transferList = {channel->port2}});
                    worker.on("message", logs(log));
                    worker.on("exit", log.says("exit"));
                  });
                }
                delete channel;
              }),
              expected);
}

// A message against a timer and I/O of the receiving loop.
TEST(MessagePort, IsFreeAgainstTimersAndIo) {
  expect_logs(explored_module([](Log& log) {
                const Worker worker([](WorkerScope& self) { self.parentPort.postMessage("message"); });
                worker.on("message", logs(log));
                js::setTimeout(log.says("timer"), 1);
                js::EventLoop::current().start_io(log.says("io"));
              }),
              interleavings({{"message"}, {"timer"}, {"io"}}));
}

}  // namespace
