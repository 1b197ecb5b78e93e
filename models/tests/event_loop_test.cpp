// What the event loop leaves open, and what it does not: counts and outcomes of explorations. Timers: timers_test.cpp.
#include <models/message_port.hpp>
#include <models/promise.hpp>

#include <stdexcept>

#include "explored_logs.hpp"

namespace {

using js::setImmediate;
using js::setTimeout;
using js_test::expect_logs;
using js_test::Explored;
using js_test::explored;
using js_test::explored_module;
using js_test::Log;

TEST(Io, CompletesInAnyOrder) {
  const Explored io = explored_module([](Log& log) {
    for (const char* name : {"a", "b", "c"}) js::EventLoop::current().start_io(log.says(name));
  });
  expect_logs(io, js_test::interleavings({{"a"}, {"b"}, {"c"}}), 6);
}

// With two threads the third piece of work begins when one of the others has ended.
TEST(ThreadPool, LetsTheRestWait) {
  expect_logs(explored_module([](Log& log) {
                js::EventLoop::current().set_pool_size(2);
                for (const char* name : {"a", "b", "c"}) js::EventLoop::current().start_pool_work(log.says(name));
              }),
              {"a b c", "a c b", "b a c", "b c a"}, 4);
}

// --- the last turn ---

js_test::Explored with_unrefed_port(const std::function<void(Log&, js::MessageChannel&)>& module) {
  return explored([module](Log& log) {
    js::EventLoop* const loop = new js::EventLoop;
    js::MessageChannel channel;
    channel.port2.on("message", log.says("message"));
    channel.port2.unref();
    loop->run([&] { module(log, channel); });
    delete loop;
  });
}

TEST(LastTurn, ReceivesNothingIfNothingEverKeptTheLoopAlive) {
  expect_logs(with_unrefed_port([](Log&, js::MessageChannel& channel) { channel.port1.postMessage(1); }), {""}, 1);
}

// The first timers phase is followed by a poll phase, a later one by the end.
TEST(LastTurn, MayReceiveWhatATimerSends) {
  expect_logs(with_unrefed_port([](Log& log, js::MessageChannel& channel) {
                setTimeout(
                    [&] {
                      log("timer");
                      channel.port1.postMessage(1);
                    },
                    1);
              }),
              {"timer", "timer message"}, 2);
}

TEST(LastTurn, DoesNotReceiveWhatAnImmediateSends) {
  expect_logs(with_unrefed_port([](Log& log, js::MessageChannel& channel) {
                setImmediate([&] {
                  log("immediate");
                  channel.port1.postMessage(1);
                });
              }),
              {"immediate"}, 1);
}

TEST(LastTurn, ReceivesWhatPoolWorkSendsAndMayReceiveWhatOtherIoSends) {
  expect_logs(with_unrefed_port([](Log& log, js::MessageChannel& channel) {
                js::EventLoop::current().start_pool_work([&] {
                  log("work");
                  channel.port1.postMessage(1);
                });
              }),
              {"work message"}, 1);
  expect_logs(with_unrefed_port([](Log& log, js::MessageChannel& channel) {
                js::EventLoop::current().start_io([&] {
                  log("io");
                  channel.port1.postMessage(1);
                });
              }),
              {"io", "io message"}, 2);
}

TEST(Phases, RunInTheirOrder) {
  expect_logs(explored_module([](Log& log) {
                js::EventLoop& loop = js::EventLoop::current();
                loop.start_io([&] {
                  loop.defer_to_close(log.says("close"));
                  setImmediate(log.says("check"));
                  loop.defer_to_pending(log.says("pending"));
                  js::process::nextTick(log.says("tick"));
                  js::queueMicrotask(log.says("microtask"));
                  log("poll");
                });
              }),
              {"poll tick microtask check close pending"}, 1);
}

// --- exact time ---

TEST(ExactTime, FourPiecesOfPoolWorkGoOnAtOnce) {
  const auto work = [](Log& log) {
    js::EventLoop& loop = js::EventLoop::current();
    for (int i = 0; i < 5; ++i) loop.start_pool_work([&] { log(std::to_string(loop.now())); }, 10);
  };
  expect_logs(explored_module(work, js::Time::exact), {"10 10 10 10 20"}, 1);
}

TEST(ExactTime, IoAndTimersComeWhenTheyAreDue) {
  expect_logs(explored_module(
                  [](Log& log) {
                    js::EventLoop::current().start_io(log.says("io20"), 20);
                    js::EventLoop::current().start_io(log.says("io3"), 3);
                    setTimeout(log.says("timer30"), 30);
                    setTimeout(log.says("timer10"), 10);
                  },
                  js::Time::exact),
              {"io3 timer10 io20 timer30"}, 1);
}

// --- what a loop must not do ---

void microtasks_in_a_row(Log& log, int count) {
  js::EventLoop::current().require_turn_within(3);
  js::EventLoop::current().start_io([&log, count] {
    setTimeout(log.says("timer"), 0);
    static std::function<void(int)> chain;
    chain = [](int left) {
      if (left > 0) js::queueMicrotask([left] { chain(left - 1); });
    };
    chain(count);
  });
}

TEST(Starvation, IsMoreMicrotasksInARowThanAllowed) {
  expect_logs(explored_module([](Log& log) { microtasks_in_a_row(log, 3); }), {"timer"}, 1);
  const Explored four = explored_module([](Log& log) { microtasks_in_a_row(log, 4); });
  EXPECT_TRUE(four.result.found("invariant", "every ready macrotask runs within 3 microtasks")) << four.result;
}

TEST(Tasks, ThatNeverSettleAreFound) {
  const Explored pending = explored([](Log&) {
    js::EventLoop loop;
    loop.spawn("waits for nobody", []() -> js::Promise<> { co_await js::Promise<>::pending(); });
    loop.run();
  });
  EXPECT_TRUE(pending.result.found("invariant", "every task settles")) << pending.result;
  expect_logs(explored([](Log&) {
                js::EventLoop loop;
                loop.spawn("waits for I/O", []() -> js::Promise<> { co_await js::io("io"); });
                loop.run();
              }),
              {""}, 1);
}

std::string invariant_of(const Explored& explored) {
  return explored.result.findings.empty() ? "" : explored.result.findings.front().message;
}

TEST(Interval, ThatIsNeverClearedIsNamedByAFailure) {
  const Explored explored = explored_module([](Log&) {
    js::EventLoop::current().set_most_callbacks(20);
    js::setInterval([] {}, 10);
  });
  EXPECT_TRUE(
      explored.result.found("invariant", "the event loop ends: the interval of 10 ms set at event_loop_test.cpp:"))
      << explored.result;
  EXPECT_TRUE(explored.result.found("invariant", " keeps it alive, after 20 callbacks")) << invariant_of(explored);
}

// Without a bound of its own, too, and soon.
TEST(Interval, ThatIsNeverClearedEndsTheExploration) {
  const Explored explored = explored_module([](Log&) { js::setInterval([] {}, 10); });
  EXPECT_TRUE(explored.result.found("invariant", "the event loop ends")) << explored.result;
  EXPECT_LT(explored.result.seconds, 20);  // about 1 on an idle machine
}

TEST(Loop, OfImmediatesThatNeverEndsIsFound) {
  const Explored explored = explored_module([](Log&) {
    js::EventLoop::current().set_most_callbacks(20);
    static std::function<void()> again;
    again = [] { setImmediate(again); };
    again();
  });
  EXPECT_EQ(invariant_of(explored), "the event loop ends, after 20 callbacks");
}

// How often it runs before the I/O completes is open: three times at most here.
TEST(Interval, ThatIoClearsRunsAnyNumberOfTimes) {
  const Explored explored = explored_module([](Log& log) {
    js::EventLoop::current().set_most_timers_in_a_row(3);
    static js::Timeout interval;
    interval = js::setInterval(log.says("tick"), 10);
    js::EventLoop::current().start_io([] { js::clearInterval(interval); });
  });
  EXPECT_EQ(explored.result.verdict, weft::Verdict::bounded) << explored.result;
  EXPECT_EQ(explored.logs(), (js_test::Logs{"", "tick", "tick tick", "tick tick tick"}));
  EXPECT_EQ(explored.result.executions, 4u);
  EXPECT_NE(explored.result.reason.find("set_most_timers_in_a_row"), std::string::npos) << explored.result.reason;
}

// --- errors and the end ---

TEST(UncaughtException, EndsTheLoopAndComesOutOfRun) {
  expect_logs(explored([](Log& log) {
                js::EventLoop loop;
                setTimeout([] { throw js::RangeError("too far"); }, 1);
                setTimeout(log.says("never"), 2);
                try {
                  loop.run();
                } catch (const js::Error& error) {
                  log(error.name() + " " + (loop.failed() ? "failed" : "did not fail"));
                }
              }),
              {"RangeError failed"}, 1);
}

TEST(UncaughtException, IsGivenToItsHandlerIfThereIsOne) {
  expect_logs(
      explored_module([](Log& log) {
        js::EventLoop::current().on_uncaught_exception([&log](const js::Error& e) { log("caught " + e.name()); });
        setTimeout([] { throw js::RangeError("too far"); }, 1);
        setTimeout(log.says("next"), 2);
      }),
      {"caught RangeError next"}, 1);
}

// JavaScript can throw anything.
TEST(UncaughtException, MayBeAnyValue) {
  struct Anything {};
  expect_logs(explored_module([](Log& log) {
                js::EventLoop::current().on_uncaught_exception([&log](const js::Error& e) { log(e.what()); });
                setTimeout([] { throw 42; }, 1);
                setTimeout([] { throw "text"; }, 1);
                setTimeout([] { throw std::string("string"); }, 1);
                setTimeout([] { throw 0.5; }, 1);
                setTimeout([] { throw js::Value(true); }, 1);
                setTimeout([] { throw std::out_of_range("index"); }, 1);
              }),
              {"42 text string 0.5 true Error: index"});
  expect_logs(
      explored([](Log& log) {
        js::EventLoop loop;
        setTimeout([] { throw Anything(); }, 1);
        try {
          loop.run();
        } catch (const js::Error& error) {
          log(error.name().empty() && error.message().find("Anything") != std::string::npos ? "named" : "not named");
        }
      }),
      {"named"}, 1);
}

TEST(UnhandledRejection, ComesOutOfRunUnlessHandledInTime) {
  expect_logs(explored([](Log& log) {
                js::EventLoop loop;
                try {
                  loop.run([] { (void)js::rejected(js::TypeError("no")); });
                } catch (const js::Error& error) {
                  log(error.name());
                }
              }),
              {"TypeError"}, 1);
  expect_logs(explored_module([](Log& log) {
                const js::Promise<> rejected = js::rejected(js::TypeError("no"));
                js::queueMicrotask([&log, rejected] {
                  (void)rejected.catch_([&log](const js::Error& error) { log("caught " + error.name()); });
                });
              }),
              {"caught TypeError"}, 1);
}

TEST(ProcessExit, EndsTheLoopWithoutUnwinding) {
  expect_logs(explored([](Log& log) {
                struct Finally {
                  Log& log;
                  ~Finally() { log("never: finally"); }
                };
                static js::EventLoop* loop;  // never deleted: frames that were never left may refer to it
                loop = new js::EventLoop;
                setTimeout(
                    [&log] {
                      const Finally finally{log};
                      log("exits");
                      js::process::exit(3);
                    },
                    1);
                setTimeout(log.says("never: timer"), 2);
                loop->run();
                log(std::to_string(loop->exit_code().value_or(-1)) + (loop->ended_orderly() ? " orderly" : " stopped"));
              }),
              {"exits 3 stopped"}, 1);
}

}  // namespace
