// AbortSignal against what it is to abort, in every order.
#include <models/abort.hpp>
#include <models/promise.hpp>

#include "explored_logs.hpp"

namespace {

using js::AbortController;
using js::AbortSignal;
using js::Error;
using js_test::expect_logs;
using js_test::explored_module;
using js_test::Log;

/// Looks at its signal only when the answer is there.
js::Promise<> request(Log& log, AbortSignal signal) {
  try {
    co_await js::io("request");
    signal.throwIfAborted();
    log("answered");
  } catch (const Error& error) {
    log(error.name());
  }
}

TEST(AbortController, AbortsBeforeOrAfterTheAnswer) {
  expect_logs(explored_module([](Log& log) {
                const AbortController controller;
                (void)request(log, controller.signal);
                js::EventLoop::current().start_io([controller] { controller.abort(); });
              }),
              {"answered", "AbortError"}, 2);
}

TEST(AbortController, AbortsOnceAndForAll) {
  expect_logs(explored_module([](Log& log) {
                const AbortController controller;
                const AbortSignal signal = controller.signal;
                log(signal.aborted() ? "aborted" : "not");
                signal.addEventListener([&log, signal] { log("listener:" + signal.reason()->message()); });
                controller.abort(Error("first"));
                controller.abort(Error("second"));
                signal.addEventListener(log.says("never"));
                log(signal.aborted() ? "aborted:" + signal.reason()->message() : "not");
              }),
              {"not listener:first aborted:first"}, 1);
}

TEST(AbortSignal, TimeoutIsFreeAgainstIoAndKeepsNothingAlive) {
  // The answered one is aborted nevertheless, or the loop ends before.
  expect_logs(explored_module([](Log& log) { (void)request(log, AbortSignal::timeout(10)); }),
              {"answered", "TimeoutError"}, 3);
  // It is due when the module has run, or never.
  expect_logs(explored_module([](Log& log) { AbortSignal::timeout(10).addEventListener(log.says("aborted")); }),
              {"", "aborted"}, 2);
}

TEST(AbortSignal, AnyFollowsWhicheverIsFirst) {
  expect_logs(explored_module([](Log& log) {
                const AbortController user;
                const AbortSignal either = AbortSignal::any({user.signal, AbortSignal::timeout(10)});
                either.addEventListener([&log, either] { log(either.reason()->name()); });
                js::EventLoop::current().start_io([user] { user.abort(); });
              }),
              {"AbortError", "TimeoutError"}, 3);  // after an AbortError the timer may still fire
}

}  // namespace
