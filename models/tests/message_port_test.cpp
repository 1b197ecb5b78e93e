// In which orders a loop handles the messages of several ports: all that keep the order of each port, and no other.
#include <models/atomics.hpp>
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
              expected, 3);
}

// They come in the poll phase in which it is started, and before what is still on its way then.
TEST(ParentPort, KeepsTheOrderWhenItIsStartedLate) {
  expect_logs(explored_module([](Log& log) {
                const Worker worker([](WorkerScope& self) {
                  js::EventLoop::current().start_io([&self] {
                    self.parentPort.on("message", [&self](const Value& value) {
                      self.parentPort.postMessage(value);
                      if (value == Value("3")) self.parentPort.close();
                    });
                  });
                });
                worker.on("message", logs(log));
                for (const char* word : {"1", "2", "3"}) worker.postMessage(word);
              }),
              {"1 2 3"});
}

// One that comes while nobody listens waits for the next listener.
TEST(ParentPort, IsStoppedByTheRemovalOfItsLastListener) {
  expect_logs(explored_module([](Log& log) {
                const Worker worker([](WorkerScope& self) {
                  self.parentPort.once("message", [&self](const Value& first) {
                    self.parentPort.postMessage(first);
                    js::EventLoop::current().start_io([&self] {
                      self.parentPort.on("message", [&self](const Value& second) {
                        self.parentPort.postMessage(second);
                        self.parentPort.close();
                      });
                    });
                  });
                });
                worker.on("message", logs(log));
                worker.postMessage("1");
                worker.postMessage("2");
              }),
              {"1 2"});
}

// Nothing is sent any more. Of what has been sent to it, the rest of the turn still comes: how much that is, is open.
TEST(ParentPort, ThatIsClosedInAHandlerSendsNothingAndEndsItsTurn) {
  expect_logs(explored([](Log& log) {
                js::SharedArrayBuffer shared(4);
                const js::Int32Array handled(shared);
                {
                  js::EventLoop loop;
                  loop.run([&] {
                    const Worker worker(
                        [](WorkerScope& self) {
                          self.parentPort.on("message", [&self] {
                            js::Atomics::add(js::Int32Array(self.workerData.shared_buffer()), 0, 1);
                            self.parentPort.close();
                            self.parentPort.postMessage("never");
                          });
                        },
                        {.workerData = shared});
                    worker.on("message", logs(log));
                    for (int i = 0; i < 3; ++i) worker.postMessage(i);
                  });
                }
                log(std::to_string(handled[0]));
              }),
              {"1", "2", "3"});
}

// Posted by the loop itself, both are in one turn.
TEST(MessagePort, ThatIsClosedInAHandlerDeliversTheRestOfItsTurn) {
  expect_logs(explored([](Log& log) {
                MessageChannel* channel = nullptr;
                {
                  js::EventLoop loop;
                  channel = new MessageChannel;
                  loop.run([&] {
                    channel->port1.on("message", [&](const Value& value) {
                      log(value.to_string());
                      channel->port1.close();
                    });
                    channel->port1.on("close", log.says("close"));
                    channel->port2.postMessage("1");
                    channel->port2.postMessage("2");
                  });
                }
                delete channel;
              }),
              {"1 2 close"}, 1);
}

// --- what waits on a port ---

/// A program with a channel and a loop.
js_test::Explored with_channel(void (*module)(Log& log, MessageChannel& channel)) {
  return explored([module](Log& log) {
    MessageChannel* channel = nullptr;
    {
      js::EventLoop loop;
      channel = new MessageChannel;
      loop.run([&] { module(log, *channel); });
    }
    delete channel;
  });
}

TEST(WaitingMessages, FollowThePortToAWorkerAndBack) {
  expect_logs(with_channel([](Log& log, MessageChannel& channel) {
                for (const char* word : {"1", "2", "3", "4"}) channel.port1.postMessage(word);
                log(js::receiveMessageOnPort(channel.port2)->text());
                const Worker worker(
                    [](WorkerScope& self) {
                      auto& port = dynamic_cast<js::ChannelPort&>(self.workerData.port());
                      const Value second = *js::receiveMessageOnPort(port);
                      self.parentPort.postMessage(Value::array({second, port}), {Value(port)});
                    },
                    {.workerData = channel.port2, .transferList = {channel.port2}});
                worker.on("message", [&log](const Value& message) {
                  log(message[std::size_t{0}].text());
                  js::MessagePort& port = message[1].port();
                  port.on("message", [&log, &port](const Value& word) {
                    log(word.text());
                    if (word == Value("4")) port.close();
                  });
                });
              }),
              {"1 2 3 4"});
}

// They are handed out in the order in which they came, whatever else the loop handles meanwhile.
TEST(WaitingMessages, AreHandedOutWhenThePortIsStartedAgain) {
  expect_logs(with_channel([](Log& log, MessageChannel& channel) {
                for (const char* word : {"1", "2", "3"}) channel.port1.postMessage(word);
                channel.port2.once("message", [&](const Value& first) {
                  log(first.text());
                  js::setImmediate([&] {
                    channel.port1.postMessage("4");
                    channel.port2.on("message", [&](const Value& later) {
                      log(later.text());
                      if (later == Value("4")) channel.port2.close();
                    });
                  });
                });
              }),
              {"1 2 3 4"});
}

TEST(ReceiveMessageOnPort, TakesFromTheTurnThatIsBeingHandled) {
  expect_logs(with_channel([](Log& log, MessageChannel& channel) {
                for (const char* word : {"1", "2", "3"}) channel.port1.postMessage(word);
                channel.port2.on("message", [&](const Value& word) {
                  log("event:" + word.text());
                  if (word == Value("3")) channel.port2.close();
                  if (const auto next = js::receiveMessageOnPort(channel.port2)) log("taken:" + next->text());
                });
              }),
              {"event:1 taken:2 event:3"});
}

// It is there, or it is not.
TEST(ReceiveMessageOnPort, TakesWhatAnotherAgentMayHaveSent) {
  expect_logs(with_channel([](Log& log, MessageChannel& channel) {
                sender(channel.port1, {"1", "2"});
                for (int i = 0; i < 3; ++i) {
                  const auto word = js::receiveMessageOnPort(channel.port2);
                  log(word ? word->text() : "none");
                }
              }),
              {"none none none", "none none 1", "none 1 none", "1 none none", "none 1 2", "1 none 2", "1 2 none"});
}

// --- ports that nobody receives ---

/// A loop on which port1 of a channel waits for its 'close'.
js_test::Explored waiting_for_close(void (*module)(MessageChannel& channel)) {
  return explored([module](Log& log) {
    MessageChannel* channel = nullptr;
    {
      js::EventLoop loop;
      channel = new MessageChannel;
      loop.run([&] {
        channel->port1.on("message", log.says("never"));
        channel->port1.on("close", log.says("close"));
        module(*channel);
      });
    }
    delete channel;
  });
}

TEST(PortInAMessage, ThatAWorkerHasNotReadWhenItEndsCloses) {
  expect_logs(
      waiting_for_close([](MessageChannel& channel) {
        const Worker worker([](WorkerScope& self) { self.parentPort.once("message", [] { js::process::exit(0); }); });
        worker.postMessage("end");
        worker.postMessage(channel.port2, {channel.port2});
      }),
      {"close"});
}

// The worker lives on until the parent has heard of that.
TEST(PortInAMessage, ThatIsDroppedByAClosedParentPortCloses) {
  expect_logs(waiting_for_close([](MessageChannel& channel) {
                MessageChannel& life = *new MessageChannel;
                [[gnu::used, maybe_unused]] static MessageChannel* kept;  // a channel outlives the loops that have its ports
                kept = &life;
                const Worker worker(
                    [](WorkerScope& self) {
                      self.parentPort.close();
                      self.workerData.port().on("message", [] {});
                    },
                    {.workerData = life.port2, .transferList = {life.port2}});
                channel.port1.on("close", [&life] { life.port1.close(); });
                worker.postMessage(channel.port2, {channel.port2});
              }),
              {"close"});
}

TEST(PortInAMessage, ThatIsTheDataOfAWorkerThatNeverStartsCloses) {
  expect_logs(waiting_for_close([](MessageChannel& channel) {
                const Worker worker([](WorkerScope&) {},
                                    {.workerData = channel.port2, .transferList = {channel.port2}});
                (void)worker.terminate();
              }),
              {"close"});
}

// The parent of that worker, itself a worker, ends before it has heard of the message.
TEST(PortInAMessage, ThatAnEndedParentHasNotReadCloses) {
  expect_logs(waiting_for_close([](MessageChannel& channel) {
                const Worker parent(
                    [](WorkerScope& self) {
                      const Worker inner(
                          [](WorkerScope& inner_self) {
                            js::MessagePort& port = inner_self.workerData.port();
                            inner_self.parentPort.postMessage(Value(port), {Value(port)});
                            inner_self.parentPort.on("message", [] {});
                          },
                          {.workerData = self.workerData, .transferList = {self.workerData}});
                      js::process::exit(0);
                    },
                    {.workerData = channel.port2, .transferList = {channel.port2}});
              }),
              {"close"});
}

TEST(PortInAMessage, ThatWaitsOnAPortThatClosesCloses) {
  expect_logs(waiting_for_close([](MessageChannel& channel) {
                MessageChannel* const carrier = new MessageChannel;
                [[gnu::used, maybe_unused]] static MessageChannel* kept;
                kept = carrier;
                carrier->port1.postMessage(channel.port2, {channel.port2});
                carrier->port2.close();
              }),
              {"close"});
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
