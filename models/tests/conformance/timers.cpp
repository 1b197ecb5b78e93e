// setTimeout, setInterval, setImmediate and their clear functions. Twins of timers_*.mjs.
#include "conformance.hpp"

using conformance::block;
using conformance::log;
using js::setImmediate;
using js::setInterval;
using js::setTimeout;

PROGRAM_IN_TIME(timers_by_due_time) {
  setTimeout([] { log("30"); }, 30);
  setTimeout([] { log("10"); }, 10);
  setTimeout([] { log("20"); }, 20);
}

PROGRAM_IN_TIME(timers_overdue_by_due_time) {
  setTimeout([] { log("20"); }, 20);
  setTimeout([] { log("1"); }, 1);
  setTimeout([] { log("10"); }, 10);
  block(40);
  log("main");
}

PROGRAM(timers_same_duration_is_fifo) {
  for (const char* name : {"a", "b", "c"}) setTimeout([name] { log(name); }, 5);
}

PROGRAM(timers_zero_is_one) {
  setTimeout([] { log("1"); }, 1);
  setTimeout([] { log("0"); }, 0);
  setTimeout([] { log("-5"); }, -5);
  setTimeout([] { log("none"); });
  setTimeout([] { log("1 again"); }, 1);
}

PROGRAM_IN_TIME(timers_earlier_due_although_set_later) {
  setTimeout([] { log("set at 0 for 50"); }, 50);
  block(15);
  setTimeout([] { log("set at 15 for 10"); }, 10);
  block(60);
}

PROGRAM_IN_TIME(timers_later_due_although_shorter) {
  setTimeout([] { log("set at 0 for 10"); }, 10);
  block(30);
  setTimeout([] { log("set at 30 for 1"); }, 1);
  block(10);
}

PROGRAM(timers_clear) {
  static const js::Timeout cleared = setTimeout([] { log("never"); }, 1);
  static const js::Timeout runs = setTimeout([] { log("runs"); }, 1);
  js::clearTimeout(cleared);
  js::clearTimeout(cleared);
  setTimeout(
      [] {
        js::clearTimeout(runs);
        log("end");
      },
      10);
}

PROGRAM_IN_TIME(timers_clear_a_sibling_that_is_due) {
  static js::Timeout timers[3];
  timers[0] = setTimeout(
      [] {
        log("a");
        js::clearTimeout(timers[1]);
      },
      1);
  timers[1] = setTimeout([] { log("never"); }, 1);
  timers[2] = setTimeout([] { log("c"); }, 1);
  block(10);
}

PROGRAM(timers_interval_clears_itself) {
  static int runs = 0;
  static const js::Timeout interval = setInterval(
      [] {
        log("run " + std::to_string(++runs));
        if (runs == 3) {
          js::clearInterval(interval);
          log("cleared");
        }
      },
      2);
}

PROGRAM(timers_interval_cleared_by_its_microtask) {
  static const js::Timeout interval = setInterval(
      [] {
        log("run");
        js::queueMicrotask([] { js::clearInterval(interval); });
      },
      1);
}

PROGRAM_IN_TIME(timers_interval_does_not_catch_up) {
  static int runs = 0;
  static const js::Timeout interval = setInterval(
      [] {
        log("run " + std::to_string(++runs));
        if (runs == 1) setTimeout([] { log("timeout"); }, 10);
        if (runs == 2) js::clearInterval(interval);
      },
      40);
  block(130);
  log("main");
}

PROGRAM(timers_clear_immediate_from_a_timer) {
  setTimeout(
      [] {
        const js::Immediate cleared = setImmediate([] { log("never"); });
        setImmediate([] { log("immediate"); });
        js::clearImmediate(cleared);
        log("timer");
      },
      1);
}

PROGRAM(timers_clear_a_sibling_immediate) {
  static js::Immediate immediates[3];
  immediates[0] = setImmediate([] {
    log("a");
    js::clearImmediate(immediates[1]);
  });
  immediates[1] = setImmediate([] { log("never"); });
  immediates[2] = setImmediate([] { log("c"); });
}

static void next(int step) {
  setTimeout(
      [step] {
        log("step " + std::to_string(step));
        if (step < 4) next(step + 1);
      },
      1);
}

PROGRAM(timers_nested) { next(1); }

PROGRAM(timers_clear_timeout_takes_an_interval) {
  const js::Timeout interval = setInterval([] { log("never"); }, 1);
  const js::Timeout timeout = setTimeout([] { log("never"); }, 1);
  js::clearTimeout(interval);
  js::clearInterval(timeout);
  setTimeout([] { log("end"); }, 5);
}

PROGRAM_IN_TIME(timers_list_by_list) {
  setTimeout([] { log("set at 0 for 10"); }, 10);
  block(3);
  setTimeout([] { log("set at 3 for 8"); }, 8);
  block(2);
  setTimeout([] { log("set at 5 for 10"); }, 10);
  block(40);
}

PROGRAM(timers_of_one_callback) {
  setTimeout([] { log("2"); }, 2);
  setTimeout([] { log("1"); }, 1);
}

PROGRAM(timers_lists_at_any_time) {
  setTimeout([] { log("set first for 4"); }, 4);
  setTimeout([] { log("set second for 2"); }, 2);
  setTimeout([] { log("set third for 4"); }, 4);
}

PROGRAM_IN_TIME(timers_emptied_list_keeps_its_place) {
  js::Timeout cleared = setTimeout([] { log("never"); }, 10);
  cleared.unref();
  js::clearTimeout(cleared);
  block(7);
  setTimeout([] { log("set at 7 for 5"); }, 5);
  block(2);
  setTimeout([] { log("set at 9 for 10"); }, 10);
  block(40);
}

PROGRAM_IN_TIME(timers_overdue_in_the_phase_wait) {
  setTimeout(
      [] {
        log("first");
        setImmediate([] { log("immediate"); });
        block(30);
      },
      5);
  setTimeout([] { log("second"); }, 15);
}

PROGRAM_IN_TIME(timers_interval_counts_from_its_begin) {
  static int runs = 0;
  static const js::Timeout interval = setInterval(
      [] {
        log("run " + std::to_string(++runs));
        if (runs == 2) return js::clearInterval(interval);
        block(20);
        setTimeout([] { log("timeout"); }, 20);
      },
      30);
}

PROGRAM(timers_refresh_inside_the_callback) {
  static int runs = 0;
  static js::Timeout timer = setTimeout(
      [] {
        log("run " + std::to_string(++runs));
        if (runs < 3) timer.refresh();
      },
      2);
}

PROGRAM_IN_TIME(timers_refresh_after_the_run) {
  static js::Timeout timer = setTimeout([] { log("runs"); }, 2);
  js::Timeout cleared = setTimeout([] { log("never"); }, 50);
  js::clearTimeout(cleared);
  cleared.refresh();
  setTimeout(
      [] {
        log("refresh");
        timer.refresh();
      },
      20);
}

PROGRAM(timers_refresh_goes_to_the_end) {
  js::Timeout first = setTimeout([] { log("a"); }, 5);
  setTimeout([] { log("b"); }, 5);
  first.refresh();
}
