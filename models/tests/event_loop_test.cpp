// What the event loop leaves open, and what it does not: counts and outcomes of explorations.
#include <models/promise.hpp>

#include "explored_logs.hpp"

namespace {

using js::setImmediate;
using js::setTimeout;
using js_test::expect_logs;
using js_test::Explored;
using js_test::explored;
using js_test::explored_module;
using js_test::Log;

// --- free time ---

TEST(Timers, OfOneCallbackFireByDelayThenInOrder) {
  expect_logs(explored_module([](Log& log) {
                setTimeout(log.says("a5"), 5);
                setTimeout(log.says("b1"), 1);
                setTimeout(log.says("c5"), 5);
                setTimeout(log.says("d0"), 0);  // 0 is 1
              }),
              {"b1 d0 a5 c5"}, 1);
}

// Before the immediate, or after it and then before or after b.
TEST(Timers, OfTwoCallbacksFireInAnyOrderIfTheSecondIsShorter) {
  expect_logs(explored_module([](Log& log) {
                setTimeout(log.says("a"), 10);
                setImmediate([&log] { setTimeout(log.says("b"), 5); });
              }),
              {"a b", "b a"}, 3);
}

TEST(Timers, OfTwoCallbacksFireInOrderIfTheSecondIsNotShorter) {
  expect_logs(explored_module([](Log& log) {
                setTimeout(log.says("a"), 5);
                setImmediate([&log] { setTimeout(log.says("b"), 5); });
              }),
              {"a b"}, 2);
}

TEST(Timers, AreFreeAgainstIo) {
  expect_logs(explored_module([](Log& log) {
                setTimeout(log.says("timer"), 1);
                js::EventLoop::current().start_io(log.says("io"));
              }),
              {"timer io", "io timer"}, 2);
}

TEST(Timers, AreFreeAgainstImmediatesOfTheMainModuleOnly) {
  expect_logs(explored_module([](Log& log) {
                setTimeout(log.says("timer"), 0);
                setImmediate(log.says("immediate"));
              }),
              {"timer immediate", "immediate timer"}, 2);
  expect_logs(explored_module([](Log& log) {
                js::EventLoop::current().start_io([&log] {
                  setTimeout(log.says("timer"), 0);
                  setImmediate(log.says("immediate"));
                });
              }),
              {"immediate timer"}, 1);
}

TEST(Timers, CanBeClearedByOneThatFiresBefore) {
  expect_logs(explored_module([](Log& log) {
                static js::Timeout second;
                setTimeout(
                    [&log] {
                      log("first");
                      js::clearTimeout(second);
                    },
                    1);
                second = setTimeout(log.says("never"), 1);
              }),
              {"first"}, 1);
}

TEST(Timers, RepeatUntilTheirOwnCallbackClearsThem) {
  expect_logs(explored_module([](Log& log) {
                static js::Timeout interval;
                static int rounds;
                rounds = 0;
                interval = js::EventLoop::current().setInterval(
                    [&log] {
                      log(std::to_string(++rounds));
                      if (rounds == 3) js::clearInterval(interval);
                    },
                    1);
              }),
              {"1 2 3"}, 1);
}

TEST(Timers, ThatAreUnrefedKeepNoLoopAlive) {
  expect_logs(explored_module([](Log& log) { setTimeout(log.says("never"), 1).unref(); }), {""}, 1);
}

// Whether it is due by then is free.
TEST(Timers, ThatAreUnrefedMayFireBesideOthersUntilTheLoopEnds) {
  expect_logs(explored_module([](Log& log) {
                setTimeout(log.says("end"), 1);
                setTimeout(log.says("unrefed"), 2).unref();
              }),
              {"end", "end unrefed"}, 2);
}

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

TEST(ExactTime, LagIsHowMuchLaterThanDueATimerFires) {
  expect_logs(
      explored_module(
          [](Log& log) {
            js::EventLoop& loop = js::EventLoop::current();
            setTimeout([&] { loop.block(30); }, 5);
            setTimeout([&] { log("at " + std::to_string(loop.now()) + " lag " + std::to_string(loop.max_lag())); }, 10);
          },
          js::Time::exact),
      {"at 35 lag 25"}, 1);
}

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
