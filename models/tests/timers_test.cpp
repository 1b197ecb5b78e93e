// Which timers fire when: orders that some clock would show, each once, and no other; and what a known clock shows.
#include <models/promise.hpp>

#include <array>

#include "explored_logs.hpp"

namespace {

using js::setImmediate;
using js::setTimeout;
using js_test::expect_logs;
using js_test::explored;
using js_test::explored_module;
using js_test::Log;
using js_test::Logs;

// --- free time ---

// The clock goes on between two calls: at the second one, 1 ms may be over.
TEST(Timers, OfOneCallbackFireInEitherOrderIfTheSecondIsShorter) {
  const auto long_one_first = [](Log& log) {
    setTimeout(log.says("2"), 2);
    setTimeout(log.says("1"), 1);
  };
  expect_logs(explored_module(long_one_first), {"1 2", "2 1"}, 2);
  expect_logs(explored_module(long_one_first, js::Time::exact), {"1 2"}, 1);
}

TEST(Timers, OfOneCallbackFireInOrderIfTheSecondIsNotShorter) {
  expect_logs(explored_module([](Log& log) {
                setTimeout(log.says("a"), 1);
                setTimeout(log.says("b"), 1);
                setTimeout(log.says("c"), 2);
                setTimeout(log.says("d"), 0);  // is 1
              }),
              {"a b c d", "a b d c"}, 2);
}

// Of one duration they keep their order, otherwise nothing is certain.
TEST(Timers, OfOneDurationFireInTheirOrder) {
  expect_logs(explored_module([](Log& log) {
                setTimeout(log.says("a5"), 5);
                setTimeout(log.says("b1"), 1);
                setTimeout(log.says("c5"), 5);
                setTimeout(log.says("d1"), 1);
              }),
              js_test::interleavings({{"a5", "c5"}, {"b1", "d1"}}), 6);
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

// But one that is due when the module has run fires: the module is run in a round of the loop.
TEST(Timers, ThatAreUnrefedKeepNoLoopAlive) {
  expect_logs(explored_module([](Log& log) { setTimeout(log.says("due"), 1).unref(); }), {"", "due"}, 2);
  expect_logs(explored_module([](Log& log) { setTimeout(log.says("never"), 1).unref(); }, js::Time::exact), {""}, 1);
}

// Whether it is due by then is free.
TEST(Timers, ThatAreUnrefedMayFireBesideOthersUntilTheLoopEnds) {
  expect_logs(explored_module([](Log& log) {
                setTimeout(log.says("end"), 1);
                setTimeout(log.says("unrefed"), 2).unref();
              }),
              {"end", "end unrefed"}, 2);
  expect_logs(explored_module([](Log& log) {
                setTimeout(log.says("unrefed"), 1).unref();
                setImmediate(log.says("end"));
              }),
              {"end", "end unrefed", "unrefed end"}, 3);
}

// --- every order, and no other ---

/// Lets any time from 0 to `most` pass on a loop that knows the time.
void pass(js::Milliseconds most) {
  js::EventLoop& loop = js::EventLoop::current();
  if (loop.time() == js::Time::exact) loop.block(weft::choose(static_cast<std::uint32_t>(most) + 1));
}

/// What time may pass between: each call, each end of a callback.
using Program = std::function<void(Log& log, js::Milliseconds most)>;

/// Free time shows what all clocks together show; those, at most `most` ms from one reading to the next, show `logs`.
void expect_same_as_all_clocks(const Program& program, js::Milliseconds most) {
  const js_test::Explored free = explored_module([&](Log& log) { program(log, most); });
  EXPECT_TRUE(free.result.proved()) << free.result;
  const js_test::Explored clocks = explored_module([&](Log& log) { program(log, most); }, js::Time::exact);
  EXPECT_TRUE(clocks.result.proved()) << clocks.result;
  EXPECT_EQ(free.logs(), clocks.logs());
  EXPECT_GT(free.logs().size(), 1u);
}

js::Callback says_and_passes(Log& log, const std::string& word, js::Milliseconds most) {
  return [&log, word, most] {
    log(word);
    pass(most);
  };
}

void set(Log& log, const std::string& word, js::Milliseconds delay, js::Milliseconds most) {
  setTimeout(says_and_passes(log, word, most), delay);
  pass(most);
}

TEST(FreeTimers, OfTwoDurationsShowWhatAllClocksShow) {
  expect_same_as_all_clocks(
      [](Log& log, js::Milliseconds most) {
        set(log, "x3", 3, most);
        set(log, "z2", 2, most);
        set(log, "y3", 3, most);
      },
      4);
}

TEST(FreeTimers, OfThreeDurationsShowWhatAllClocksShow) {
  expect_same_as_all_clocks(
      [](Log& log, js::Milliseconds most) {
        set(log, "4", 4, most);
        set(log, "1", 1, most);
        set(log, "2", 2, most);
      },
      4);
}

TEST(FreeTimers, SetByTimersShowWhatAllClocksShow) {
  expect_same_as_all_clocks(
      [](Log& log, js::Milliseconds most) {
        setTimeout(
            [&log, most] {
              log("a");
              pass(most);
              set(log, "a1", 1, most);
            },
            1);
        pass(most);
        set(log, "b3", 3, most);
        set(log, "c1", 1, most);
      },
      4);
}

TEST(FreeTimers, AgainstImmediatesThatTheySetShowWhatAllClocksShow) {
  expect_same_as_all_clocks(
      [](Log& log, js::Milliseconds most) {
        setTimeout(
            [&log, most] {
              log("a");
              setImmediate(says_and_passes(log, "immediate", most));
              pass(most);
            },
            1);
        pass(most);
        set(log, "b2", 2, most);
      },
      3);
}

TEST(FreeTimers, OfAListWhoseFirstIsClearedShowWhatAllClocksShow) {
  expect_same_as_all_clocks(
      [](Log& log, js::Milliseconds most) {
        const js::Timeout cleared = setTimeout(log.says("never"), 3);
        pass(most);
        set(log, "x3", 3, most);
        js::clearTimeout(cleared);
        set(log, "y1", 1, most);
        set(log, "z3", 3, most);
      },
      4);
}

TEST(FreeTimers, AndAnIntervalShowWhatAllClocksShow) {
  expect_same_as_all_clocks(
      [](Log& log, js::Milliseconds most) {
        static js::Timeout interval;
        static int runs;
        runs = 0;
        interval = js::setInterval(
            [&log, most] {
              log("i" + std::to_string(++runs));
              pass(most);
              if (runs == 2) js::clearInterval(interval);
            },
            2);
        pass(most);
        set(log, "x3", 3, most);
      },
      4);
}

// --- a known clock ---

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

// Sets them at these times, each for its delay, and looks at them at the last time.
std::string order_at(const std::vector<std::pair<js::Milliseconds, js::Milliseconds>>& set_at_for,
                     js::Milliseconds looked_at) {
  const js_test::Explored result = explored_module(
      [&](Log& log) {
        js::EventLoop& loop = js::EventLoop::current();
        for (const auto& [at, delay] : set_at_for) {
          loop.block(at - loop.now());
          setTimeout(log.says(std::to_string(at) + "+" + std::to_string(delay)), delay);
        }
        loop.block(looked_at - loop.now());
      },
      js::Time::exact);
  EXPECT_EQ(result.result.executions, 1u);
  return *result.logs().begin();
}

// All that are due of one duration, before the next list is looked at.
TEST(ExactTimers, AreWorkedOffListByList) {
  EXPECT_EQ(order_at({{0, 10}, {3, 8}, {5, 10}}, 40), "0+10 5+10 3+8");
  EXPECT_EQ(order_at({{0, 10}, {3, 8}, {5, 10}}, 14), "0+10 3+8 5+10");
  EXPECT_EQ(order_at({{0, 10}, {3, 8}, {5, 10}}, 0), "0+10 3+8 5+10");
  EXPECT_EQ(order_at({{0, 10}, {1, 9}}, 40), "0+10 1+9");
  EXPECT_EQ(order_at({{0, 10}, {1, 8}}, 40), "1+8 0+10");
}

// The list that has waited for its next timer is then younger than the one that expires at the same time.
TEST(ExactTimers, OfAListThatWaitsComeBehindThoseOfAnOlderOne) {
  expect_logs(explored_module(
                  [](Log& log) {
                    js::EventLoop& loop = js::EventLoop::current();
                    setTimeout(
                        [&] {
                          log("x");
                          loop.block(20);
                        },
                        10);
                    loop.block(3);
                    setTimeout(log.says("3+12"), 12);
                    loop.block(2);
                    setTimeout(log.says("5+10"), 10);
                  },
                  js::Time::exact),
              {"x 3+12 5+10"}, 1);
}

// The system's timer is set for at least 1 ms, from when the clock was read last.
TEST(ExactTimers, ThatAreOverdueWaitForTheNextMillisecond) {
  expect_logs(explored_module(
                  [](Log& log) {
                    js::EventLoop& loop = js::EventLoop::current();
                    setTimeout(
                        [&] {
                          loop.block(30);
                          setTimeout([] {}, 100);
                        },
                        1);
                    setTimeout([&] { log("at " + std::to_string(loop.now())); }, 3);
                  },
                  js::Time::exact),
              {"at 32"}, 1);
}

TEST(ExactTimers, OfAnEmptiedListKeepItsPlaceIfItHadNoReference) {
  const auto clears_first = [](bool unref) {
    return explored_module(
               [unref](Log& log) {
                 js::EventLoop& loop = js::EventLoop::current();
                 js::Timeout cleared = setTimeout(log.says("never"), 10);
                 if (unref) cleared.unref();
                 js::clearTimeout(cleared);
                 loop.block(7);
                 setTimeout(log.says("7+5"), 5);
                 loop.block(2);
                 setTimeout(log.says("9+10"), 10);
                 loop.block(30);
               },
               js::Time::exact)
        .logs();
  };
  EXPECT_EQ(clears_first(true), Logs{"9+10 7+5"});
  EXPECT_EQ(clears_first(false), Logs{"7+5 9+10"});
}

// The phase has read the clock when it began.
TEST(ExactTimers, ThatBecomeDueWhileOneRunsWaitForTheNextPhase) {
  expect_logs(explored_module(
                  [](Log& log) {
                    setTimeout(
                        [&] {
                          log("a");
                          setImmediate(log.says("immediate"));
                          js::EventLoop::current().block(30);
                        },
                        5);
                    setTimeout(log.says("b"), 10);
                  },
                  js::Time::exact),
              {"a immediate b"}, 1);
}

// Not from its end.
TEST(ExactTimers, IntervalsCountFromTheBeginOfTheirRun) {
  expect_logs(explored_module(
                  [](Log& log) {
                    js::EventLoop& loop = js::EventLoop::current();
                    static js::Timeout interval;
                    static int runs;
                    runs = 0;
                    interval = js::setInterval(
                        [&] {
                          log("at " + std::to_string(loop.now()));
                          if (++runs == 3) js::clearInterval(interval);
                          loop.block(4);
                        },
                        10);
                  },
                  js::Time::exact),
              {"at 10 at 20 at 30"}, 1);
}

// --- refresh ---

TEST(Refresh, ArmsATimerThatRunsOrHasRunAgain) {
  expect_logs(explored_module([](Log& log) {
                static js::Timeout timer;
                static int runs;
                runs = 0;
                timer = setTimeout(
                    [&] {
                      log(std::to_string(++runs));
                      if (runs < 3) timer.refresh();
                    },
                    2);
              }),
              {"1 2 3"}, 1);
  expect_logs(explored_module(
                  [](Log& log) {
                    static js::Timeout timer;
                    timer = setTimeout(log.says("runs"), 2);
                    setTimeout([] { timer.refresh(); }, 10);
                  },
                  js::Time::exact),
              {"runs runs"}, 1);
}

TEST(Refresh, DoesNothingOnceCleared) {
  expect_logs(explored_module([](Log& log) {
                static js::Timeout timer;
                timer = setTimeout(
                    [&] {
                      log("runs");
                      js::clearTimeout(timer);
                      timer.refresh();
                    },
                    2);
              }),
              {"runs"}, 1);
}

TEST(Refresh, MovesATimerBehindTheOthersOfItsDuration) {
  expect_logs(explored_module([](Log& log) {
                js::Timeout first = setTimeout(log.says("a"), 2);
                setTimeout(log.says("b"), 2);
                first.refresh();
              }),
              {"b a"}, 1);
}

// Whether the second is due when the first throws is open; if so, it goes before the tick.
TEST(Timers, ThatThrowLetTheNextOneThatIsDueGoBeforeTheirTicks) {
  expect_logs(explored_module([](Log& log) {
                js::EventLoop::current().on_uncaught_exception([&log](const js::Error&) { log("caught"); });
                setTimeout(
                    [&log] {
                      js::process::nextTick(log.says("tick"));
                      throw js::Error("");
                    },
                    1);
                setTimeout(log.says("next"), 2);
              }),
              {"caught next tick", "caught tick next"}, 2);
}

}  // namespace
