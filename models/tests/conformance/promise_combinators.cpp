// Promise.all, race, any and allSettled. Twins of the promise_*.mjs and io_*.mjs about them.
#include <models/promise_combinators.hpp>

#include "conformance.hpp"

using conformance::clock;
using conformance::log;
using js::Error;
using js::Promise;
using js::rejected;
using js::resolved;
using js::setImmediate;

using Strings = std::vector<Promise<std::string>>;

static std::string joined(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

PROGRAM(promise_all_keeps_the_order_of_its_input) {
  static const auto a = Promise<std::string>::pending();
  static const auto b = Promise<std::string>::pending();
  a.then([] { log("a settled"); });
  b.then([] { log("b settled"); });
  js::all(Strings{a, b, resolved<std::string>("c")}).then([](const std::vector<std::string>& results) {
    log(joined(results));
  });
  setImmediate([] {
    b.resolve("b");
    setImmediate([] { a.resolve("a"); });
  });
}

PROGRAM(promise_all_ticks) {
  js::all(std::vector<Promise<int>>{resolved(1), resolved(2)}).then([] { log("all of two"); });
  js::all(std::vector<Promise<int>>{}).then([] { log("all of none"); });
  clock(3);
}

static Promise<> job(std::string name, bool fails) {
  co_await resolved();
  log(name + " runs");
  if (fails) throw Error(name + " failed");
}

PROGRAM(promise_all_rejects_once) {
  js::EventLoop::current().on_unhandled_rejection([](const Error&) { log("unhandled"); });
  js::all(std::vector<Promise<>>{job("a", false), job("b", true), job("c", true)}).catch_([](const Error& error) {
    log(error.message());
  });
}

PROGRAM(promise_race) {
  const auto a = Promise<std::string>::pending();
  const auto b = Promise<std::string>::pending();
  a.then([](const std::string& value) { log(value + " settled"); });
  js::race(Strings{a, b}).then(log, [](const Error& error) { log("race: " + error.message()); });
  b.reject(Error("b"));
  a.resolve("a");
}

PROGRAM(promise_race_of_settled) {
  js::race(Strings{}).then([] { log("never"); });
  js::race(Strings{resolved<std::string>("a"), resolved<std::string>("b")}).then(log);
  clock(3);
}

PROGRAM(promise_any) {
  js::any(Strings{rejected<std::string>(Error("a")), resolved<std::string>("b")}).then(log);
  js::any(std::vector<Promise<>>{rejected(Error("x")), rejected(Error("y"))}).catch_([](const Error& error) {
    std::string reasons;
    for (const Error& each : error.errors()) reasons += (reasons.empty() ? "" : " ") + each.message();
    log(error.name() + ": " + error.message() + ": " + reasons);
  });
}

PROGRAM(promise_all_settled) {
  js::allSettled(Strings{resolved<std::string>("a"), rejected<std::string>(Error("b")), resolved<std::string>("c")})
      .then([](const std::vector<js::Settled<std::string>>& results) {
        for (const auto& result : results)
          log(result.fulfilled() ? "fulfilled " + *result.value : "rejected " + result.reason->message());
      });
  clock(3);
}

static Promise<std::string> one(std::string name) {
  co_await conformance::stat();
  log(name);
  co_return name;
}
static Promise<> three_promises() {
  const Strings all{one("a"), one("b"), one("c")};
  log(joined(co_await js::all(all)));
}

PROGRAM(io_three_promises) { three_promises(); }

static int stored;
static Promise<> request(std::string name) {
  const int seen = stored;
  co_await conformance::stat();
  stored = seen + 1;
  log(name + " saw " + std::to_string(seen));
}
static Promise<> two_requests() {
  const std::vector<Promise<>> both{request("a"), request("b")};
  co_await js::all(both);
  log("count " + std::to_string(stored));
}

PROGRAM(io_check_then_act_across_an_await) { two_requests(); }

PROGRAM(promise_combinators_of_nothing) {
  js::race(Strings{}).then([] { log("never"); });
  js::all(Strings{}).then([](const std::vector<std::string>& values) { log("all " + std::to_string(values.size())); });
  js::allSettled(Strings{}).then(
      [](const std::vector<js::Settled<std::string>>& ends) { log("settled " + std::to_string(ends.size())); });
  js::any(Strings{}).catch_([](const Error& error) {
    log(error.name() + " " + std::to_string(error.errors().size()));
    return std::string();
  });
  clock(3);
}

PROGRAM(promise_race_lets_the_loser_run) {
  const auto limit =
      Promise<std::string>::make([](auto, auto reject) { js::setTimeout([reject] { reject(Error("too late")); }, 5); });
  const auto work = Promise<std::string>::make([](auto resolve, auto) {
                      js::setTimeout([resolve] { resolve(std::string("done")); }, 50);
                    }).then([](const std::string& value) {
    log("work " + value);
    return value;
  });
  js::race(Strings{work, limit}).catch_([](const Error& error) {
    log(error.message());
    return std::string();
  });
}
