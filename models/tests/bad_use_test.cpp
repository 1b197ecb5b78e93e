// Wrong use of the models does what the platform does: an error of the platform's name, or nothing where that says
// nothing. Each of these is compared with Node in conformance/, too (port_*, atomics_*, promise_*, worker_*).
#include <models/abort.hpp>
#include <models/atomics.hpp>
#include <models/worker.hpp>

#include "explored_logs.hpp"

namespace {

using js::ArrayBuffer;
using js::Int32Array;
using js::MessageChannel;
using js::SharedArrayBuffer;
using js::Value;
using js::Worker;
using js::WorkerScope;
using js_test::expect_logs;
using js_test::explored;
using js_test::explored_module;
using js_test::Log;

/// The name of the error that `use` throws, or "nothing".
template <class Use>
std::string thrown_by(Use use) {
  try {
    use();
    return "nothing";
  } catch (const js::Error& error) {
    return error.name();
  }
}

/// A program with a channel; port1's messages are logged.
js_test::Explored with_channel(void (*module)(Log& log, MessageChannel& channel)) {
  return explored([module](Log& log) {
    js::EventLoop* const loop = new js::EventLoop;
    MessageChannel channel;
    channel.port1.on("message", [&log](const Value& value) { log("got:" + value.to_string()); });
    channel.port1.on("close", log.says("close"));
    loop->run([&] { module(log, channel); });
    delete loop;
  });
}

TEST(ClosedPort, DropsWhatIsPostedToIt) {
  expect_logs(with_channel([](Log& log, MessageChannel& channel) {
                channel.port2.close();
                log(thrown_by([&] { channel.port2.postMessage(1); }));
              }),
              {"nothing close"});
  expect_logs(with_channel([](Log& log, MessageChannel& channel) {
                channel.port1.close();
                log(thrown_by([&] { channel.port2.postMessage(1); }));
              }),
              {"nothing close"});
}

TEST(ClosedPort, CanBeClosedAgain) {
  expect_logs(with_channel([](Log& log, MessageChannel& channel) {
                channel.port1.close();
                log(thrown_by([&] { channel.port1.close(); }));
              }),
              {"nothing close"});
}

TEST(Clone, OfAFunctionThrowsAndSendsNothing) {
  expect_logs(with_channel([](Log& log, MessageChannel& channel) {
                log(thrown_by([&] { channel.port2.postMessage(Value::array({1, Value::function("f")})); }));
                channel.port2.close();
              }),
              {"DataCloneError close"});
}

TEST(TransferList, WithThePortItselfOrAPortTwiceThrows) {
  expect_logs(with_channel([](Log& log, MessageChannel& channel) {
                log(thrown_by([&] { channel.port2.postMessage(channel.port2, {channel.port2}); }));
                const ArrayBuffer buffer(8);
                log(thrown_by([&] { channel.port2.postMessage(buffer, {buffer, buffer}); }));
                log(buffer.detached() ? "detached" : "whole");
                channel.port2.close();
              }),
              {"DataCloneError DataCloneError whole close"});
}

TEST(TransferList, WithASharedBufferThrows) {
  expect_logs(explored([](Log& log) {
                SharedArrayBuffer shared(8);
                js::EventLoop loop;
                loop.run([&] { log(thrown_by([&] { (void)js::structuredClone(shared, {shared}); })); });
              }),
              {"DataCloneError"}, 1);
}

TEST(Port, CannotBeClonedOnlyTransferred) {
  expect_logs(with_channel([](Log& log, MessageChannel& channel) {
                log(thrown_by([&] { channel.port2.postMessage(channel.port1); }));
                channel.port2.close();
              }),
              {"DataCloneError close"});
}

TEST(Port, CannotBeTransferredWhileItCloses) {
  expect_logs(with_channel([](Log& log, MessageChannel& channel) {
                channel.port1.close();
                MessageChannel* const other = new MessageChannel;
                log(thrown_by([&] { other->port1.postMessage(channel.port1, {channel.port1}); }));
                [[gnu::used, maybe_unused]] static MessageChannel* kept;  // a channel outlives the loops that have its ports
                kept = other;
              }),
              {"DataCloneError close"});
}

TEST(Port, CannotBeTransferredTwice) {
  expect_logs(with_channel([](Log& log, MessageChannel& channel) {
                MessageChannel* const other = new MessageChannel;
                channel.port2.postMessage(other->port1, {other->port1});
                log(thrown_by([&] { channel.port2.postMessage(other->port1, {other->port1}); }));
                channel.port2.close();
                [[gnu::used, maybe_unused]] static MessageChannel* kept;  // a channel outlives the loops that have its ports
                kept = other;
              }),
              {"DataCloneError got:MessagePort close"});
}

TEST(DetachedBuffer, IsEmptyForItsOldViewsAndRefusesNewOnes) {
  expect_logs(explored_module([](Log& log) {
                const ArrayBuffer buffer(8);
                const Int32Array view(buffer);
                view.set(0, 7);
                const Value moved = js::structuredClone(buffer, {buffer});
                log(std::to_string(buffer.byteLength()) + std::to_string(view.length()));
                log(view.get(0) ? "value" : "undefined");
                log(thrown_by([&] { view.set(0, 8); }));
                log(thrown_by([&] { (void)Int32Array(buffer); }));
                log(thrown_by([&] { (void)buffer.slice(0, 4); }));
                log(std::to_string(Int32Array(moved.array_buffer())[0]));
              }),
              {"00 undefined nothing TypeError TypeError 7"}, 1);
}

// In the transfer list it is no error, and arrives empty; to clone it is one.
TEST(DetachedBuffer, CanBeTransferredAgainButNotCloned) {
  expect_logs(with_channel([](Log& log, MessageChannel& channel) {
                const ArrayBuffer buffer(8);
                (void)js::structuredClone(buffer, {buffer});
                log(thrown_by([&] { channel.port2.postMessage(buffer); }));
                channel.port1.once("message", [&log](const Value& value) {
                  log(std::to_string(value.array_buffer().byteLength()) + " bytes");
                });
                log(thrown_by([&] { channel.port2.postMessage(buffer, {buffer}); }));
                channel.port2.close();
              }),
              {"DataCloneError nothing got:ArrayBuffer(0) 0 bytes close"});
}

TEST(Atomics, RefuseWaitingOnMemoryThatIsNotShared) {
  expect_logs(explored_module([](Log& log) {
                const Int32Array own(2);
                log(thrown_by([&] { js::Atomics::wait(own, 0, 0); }));
                log(thrown_by([&] { (void)js::Atomics::waitAsync(own, 0, 0); }));
                log(std::to_string(js::Atomics::notify(own, 0)));
                log(std::to_string(js::Atomics::add(own, 0, 5)));
                log(std::to_string(js::Atomics::load(own, 0)));
              }),
              {"TypeError TypeError 0 0 5"}, 1);
}

TEST(Atomics, RefuseAnIndexOutsideOfTheView) {
  expect_logs(explored([](Log& log) {
                SharedArrayBuffer shared(8);
                js::EventLoop loop;
                loop.run([&] {
                  const Int32Array view(shared);
                  log(thrown_by([&] { js::Atomics::load(view, 2); }));
                  log(thrown_by([&] { js::Atomics::wait(view, 2, 0); }));
                  log(thrown_by([&] { js::Atomics::notify(view, 2); }));
                });
              }),
              {"RangeError RangeError RangeError"}, 1);
}

TEST(Promise, IgnoresWhatComesAfterTheFirstResolution) {
  expect_logs(explored_module([](Log& log) {
                const auto promise = js::Promise<int>::pending();
                promise.resolve(1);
                log(thrown_by([&] {
                  promise.resolve(2);
                  promise.reject(js::Error("no"));
                }));
                (void)promise.then([&log](int value) { log(std::to_string(value)); });
              }),
              {"nothing 1"}, 1);
}

TEST(Worker, ThatIsGoneIsPostedToAndTerminatedInVain) {
  expect_logs(
      explored_module([](Log& log) {
        const Worker worker([](WorkerScope& self) { self.parentPort.on("message", [] { js::process::exit(5); }); });
        worker.on("exit", [&log, worker](const Value& code) {
          log("exit:" + code.to_string());
          log(thrown_by([&] { worker.postMessage("too late"); }));
          (void)worker.terminate().then([&log](int again) { log("terminated:" + std::to_string(again)); });
        });
        worker.postMessage("go");
      }),
      {"exit:5 nothing terminated:0"});
}

// It takes nothing: what cannot be cloned is no error, and a port stays with its owner.
TEST(Worker, ThatIsGoneLeavesPortsToTheirOwner) {
  expect_logs(with_channel([](Log& log, MessageChannel& channel) {
                const Worker worker([](WorkerScope&) {});
                worker.on("exit", [&log, &channel, worker] {
                  log(thrown_by([&] { worker.postMessage(Value::function("f")); }));
                  log(thrown_by([&] { worker.postMessage(channel.port2, {channel.port2}); }));
                  channel.port2.postMessage("mine");
                  channel.port2.close();
                });
              }),
              {"nothing nothing got:mine close"});
}

TEST(Port, InTheTransferListAloneIsTransferredNevertheless) {
  expect_logs(with_channel([](Log& log, MessageChannel& channel) {
                MessageChannel* const other = new MessageChannel;
                [[gnu::used, maybe_unused]] static MessageChannel* kept;  // a channel outlives the loops that have its ports
                kept = other;
                other->port1.on("close", log.says("never: close of the other"));
                channel.port2.postMessage("text", {other->port2});
                log(thrown_by([&] { channel.port2.postMessage(other->port2, {other->port2}); }));
                channel.port2.close();
              }),
              {"DataCloneError got:text close"});
}

TEST(Port, HearsOfACloseEvenIfItWasNeverStarted) {
  expect_logs(explored([](Log& log) {
                auto* const loop = new js::EventLoop;
                MessageChannel empty;
                MessageChannel full;
                empty.port1.on("close", log.says("empty"));
                full.port1.on("close", log.says("never: messages wait"));
                full.port2.postMessage(1);
                loop->run([&] {
                  empty.port2.close();
                  full.port2.close();
                  js::setImmediate([loop] { loop->start_io([] {}); });
                });
                delete loop;
              }),
              {"empty"});
}

TEST(AbortController, CanBeAbortedAgain) {
  expect_logs(explored_module([](Log& log) {
                const js::AbortController controller;
                controller.abort();
                log(thrown_by([&] { controller.abort(js::Error("second")); }));
                log(thrown_by([&] { controller.signal.throwIfAborted(); }));
              }),
              {"nothing AbortError"}, 1);
}

}  // namespace
