// A quota is checked before an await and written after it: two requests are admitted against an allowance of one, and
// the counter cannot even show it. Source: seeds 003, the nine-step table of requests A and B; S41 and S43 of the
// catalogue.
#include <models/map.hpp>
#include <models/promise.hpp>
#include <weft/scenario.hpp>

namespace {

constexpr int kUser = 42;
constexpr int kAllowance = 1;

struct QuotaServer {
  js::Map<int, int> quota{"quota", {{kUser, kAllowance}}};
  js::Map<int, js::Promise<>*> in_flight{"in_flight"};
  int admitted = 0;

  js::Promise<> charge_upstream() { co_await js::io("charge upstream"); }
  js::Promise<> charge_that_may_fail() {
    co_await js::io("charge upstream");
    if (weft::choose(2) == 1) throw js::Error("card declined");
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
    co_await js::io("refund upstream");
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
void two_requests() {
  js::EventLoop loop;
  QuotaServer server;
  weft::watch("remaining", server.quota.slot(kUser));
  weft::watch("admitted", server.admitted);
  loop.spawn("Request A", [&] { return handle(server, kUser); });
  loop.spawn("Request B", [&] { return handle(server, kUser); });
  loop.run();
  weft::check(server.quota.get(kUser) == kAllowance - server.admitted, "remaining = allowance - admitted");
  weft::check(server.in_flight.size() == 0, "no lock outlives its request");
  weft::sometimes(server.admitted == 1, "a request is admitted");
}

// One execution for each order in which the two charges complete, and for each way in which they can end.
WEFT_SCENARIO(quota_across_await)
    .source("seeds 003")
    .model(weft::sc)
    .broken("check_then_await", two_requests<check_then_await>,
            weft::finds::invariant("remaining = allowance - admitted"))
    .fixed("claim_then_await", two_requests<claim_then_await>)
    .fixed("compare_and_set", two_requests<compare_and_set>)
    .fixed("in_flight_map", two_requests<in_flight_map>);

}  // namespace
