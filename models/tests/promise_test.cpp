// Promises and their combinators over every order of what they wait for. Their ticks are compared with Node in
// conformance/.
#include <models/promise_combinators.hpp>

#include "explored_logs.hpp"

namespace {

using js::Error;
using js::Promise;
using js_test::expect_logs;
using js_test::explored_module;
using js_test::Log;
using Text = std::string;
using Texts = std::vector<Promise<Text>>;

Promise<Text> answer(Text name) {
  co_await js::io("answer");
  co_return name;
}
Promise<Text> failure(Text name) {
  co_await js::io("failure");
  throw Error(name);
}
Promise<> tell(Log& log, Promise<Text> promise) {
  try {
    log(co_await promise);
  } catch (const Error& error) {
    log(error.name() + ":" + error.message());
  }
}

TEST(All, HasItsValuesInTheOrderOfThePromisesWhateverComesFirst) {
  const auto run = [](Log& log) -> Promise<> {
    const Texts answers{answer("a"), answer("b"), answer("c")};
    const std::vector<Text> values = co_await js::all(answers);
    log(values[0] + values[1] + values[2]);
  };
  expect_logs(explored_module([&run](Log& log) { (void)run(log); }), {"abc"}, 6);
}

TEST(All, IsRejectedByTheFirstToFailAndHandlesTheOthers) {
  const auto run = [](Log& log) -> Promise<> {
    const Texts promises{failure("a"), answer("b"), failure("c")};
    try {
      co_await js::all(promises);
    } catch (const Error& error) {
      log(error.message());
    }
  };
  expect_logs(explored_module([&run](Log& log) { (void)run(log); }), {"a", "c"}, 6);
}

TEST(AllSettled, TellsHowEachEnded) {
  const auto run = [](Log& log) -> Promise<> {
    const Texts promises{answer("a"), failure("b")};
    const std::vector<js::Settled<Text>> outcomes = co_await js::allSettled(promises);
    log(outcomes[0].fulfilled() ? "fulfilled:" + *outcomes[0].value : "rejected");
    log(outcomes[1].fulfilled() ? "fulfilled" : "rejected:" + outcomes[1].reason->message());
  };
  expect_logs(explored_module([&run](Log& log) { (void)run(log); }), {"fulfilled:a rejected:b"}, 2);
}

TEST(Race, IsWonByAnyone) {
  expect_logs(explored_module([](Log& log) {
                (void)tell(log, js::race(Texts{answer("a"), answer("b"), failure("c")}));
              }),
              {"a", "b", "Error:c"}, 6);
}

TEST(Any, IsTheFirstValueOrAnAggregateError) {
  expect_logs(explored_module([](Log& log) {
                (void)tell(log, js::any(Texts{failure("a"), answer("b"), answer("c")}));
              }),
              {"b", "c"}, 6);
  expect_logs(explored_module([](Log& log) {
                (void)tell(log, js::any(Texts{failure("a"), failure("b")}));
              }),
              {"AggregateError:All promises were rejected"}, 2);
}

TEST(Race, OfNothingNeverSettles) {
  const js_test::Explored nothing = js_test::explored([](Log&) {
    js::EventLoop loop;
    loop.spawn("waits", [] { return js::race(std::vector<Promise<Text>>{}); });
    loop.run();
  });
  EXPECT_TRUE(nothing.result.found("invariant", "every task settles")) << nothing.result;
}

// Two operations settle one promise: whichever comes first. The second is ignored, and no error.
TEST(Resolve, WorksOnce) {
  expect_logs(explored_module([](Log& log) {
                (void)tell(log, Promise<Text>::make([](auto resolve, auto reject) {
                             js::EventLoop::current().start_io([resolve] { resolve(Text("resolved")); });
                             js::EventLoop::current().start_io([reject] { reject(Error("rejected")); });
                           }));
              }),
              {"resolved", "Error:rejected"}, 2);
}

TEST(Resolve, WithItselfRejects) {
  expect_logs(explored_module([](Log& log) {
                const auto promise = Promise<Text>::pending();
                promise.resolve(promise);
                (void)tell(log, promise);
              }),
              {"TypeError:Chaining cycle detected for promise"}, 1);
}

}  // namespace
