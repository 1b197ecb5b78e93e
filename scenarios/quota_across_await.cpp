// A quota is checked before an await and written after it: two requests are admitted against an allowance of one, and
// the counter cannot even show it. Source: seeds 003, the nine-step table of requests A and B; S41 and S43 of the
// catalogue.
#include <models/map.hpp>
#include <models/promise.hpp>
#include <weft/scenario.hpp>

namespace {

constexpr int kUser = 42;

struct QuotaServer {
  explicit QuotaServer(int allowance) : quota("quota", {{kUser, allowance}}) {}

  js::Map<int, int> quota;
  js::Map<int, js::Promise<>*> in_flight{"in_flight"};
  int admitted = 0;
  int declined = 0;
  int charged = 0;  // and not refunded
  int charges = 0;

  js::Promise<> charge_upstream() {
    weft::check(++charges <= 6, "no request is charged for ever");  // three, two of which lose once, one again
    co_await js::io("charge upstream");
    ++charged;
  }
  js::Promise<> charge_that_may_fail() {
    co_await js::io("charge upstream");
    if (weft::choose(2) == 1) {
      ++declined;
      throw js::Error("card declined");
    }
    ++charged;
  }
  js::Promise<> refund_upstream() {
    co_await js::io("refund upstream");
    --charged;
  }
};

// --- broken ---

js::Promise<> check_then_await(QuotaServer& server, int user) {
  const int before = server.quota.get(user);
  if (before > 0) {
    weft::note("more than 0: admit");
    co_await server.charge_upstream();
    server.quota.set(user, before - 1);  // what it read may be long gone
    ++server.admitted;
  }
}

// --- fixed: check and claim with no await between them, and give back what was not used ---

js::Promise<> claim_then_await(QuotaServer& server, int user) {
  if (server.quota.get(user) > 0) {
    server.quota.set(user, server.quota.get(user) - 1);
    ++server.admitted;
    try {
      co_await server.charge_that_may_fail();
    } catch (const js::Error&) {
      server.quota.set(user, server.quota.get(user) + 1);
      --server.admitted;
    }
  }
}

// --- fixed: write only over the value that was read ---

js::Promise<> compare_and_set(QuotaServer& server, int user) {
  for (int before = server.quota.get(user); before > 0; before = server.quota.get(user)) {
    co_await server.charge_upstream();
    if (server.quota.get(user) == before) {
      server.quota.set(user, before - 1);
      ++server.admitted;
      co_return;
    }
    co_await server.refund_upstream();
  }
}

// --- fixed: one request of a user at a time ---

js::Promise<> in_flight_map(QuotaServer& server, int user) {
  js::Promise<> done = js::Promise<>::pending();
  js::Promise<>* const before = server.in_flight.get(user);
  server.in_flight.set(user, &done);
  if (before != nullptr) co_await *before;
  co_await check_then_await(server, user);
  if (server.in_flight.get(user) == &done) server.in_flight.delete_(user);
  done.resolve();
}

template <auto handle>
void serve(int allowance, int requests) {
  js::EventLoop loop;
  QuotaServer server(allowance);
  weft::watch("remaining", server.quota.slot(kUser));
  weft::watch("admitted", server.admitted);
  loop.spawn("Request A", [&] { return handle(server, kUser); });
  loop.spawn("Request B", [&] { return handle(server, kUser); });
  if (requests == 3) {
    loop.spawn("Request C", [&]() -> js::Promise<> {
      co_await js::io("arrive");  // while others are under way, or later
      co_await handle(server, kUser);
    });
  }
  loop.run();
  const int remaining = server.quota.get(kUser);
  weft::check_equal(remaining, allowance - server.admitted, "remaining = allowance - admitted");
  weft::check(remaining >= 0, "remaining >= 0");
  weft::check(server.charged == server.admitted, "who is charged is admitted");
  if (allowance >= requests)
    weft::check(server.admitted + server.declined == requests, "with enough for all, each request is admitted once");
  weft::check(server.in_flight.size() == 0, "no lock outlives its request");
  weft::sometimes(server.admitted == 1, "a request is admitted");
}

template <auto handle>
void two_requests() {
  serve<handle>(1, 2);
}

/// Less than they ask for, or more.
template <auto handle>
void three_requests() {
  serve<handle>(weft::choose(2) == 0 ? 1 : 4, 3);
}

// Of the fixed ones' executions some are with an allowance of 1, the others with 4; C arrives before, between or after
// the charges. claim_then_await: 5 + 96. With 1, one request is charged at a time: A; C, too, if A's card was declined
// before C came. With 4 there are 12 orders of three charges and C's arrival before its own, and each charge may fail.
// compare_and_set: all orders, too, and those of the refunds and second attempts of who came too late.
// in_flight_map: 2 + 3. Charges never overlap, so there is only the moment of C's arrival.
WEFT_SCENARIO(quota_across_await)
    .source("seeds 003")
    .model(weft::sc)
    .broken("check_then_await", two_requests<check_then_await>,
            weft::finds::invariant("remaining = allowance - admitted"))
    .fixed("claim_then_await", three_requests<claim_then_await>)
    .fixed("compare_and_set", three_requests<compare_and_set>)
    .fixed("in_flight_map", three_requests<in_flight_map>);

}  // namespace
