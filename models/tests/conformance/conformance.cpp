#include "conformance.hpp"

namespace conformance {

std::vector<Program>& programs() {
  static std::vector<Program> all;
  return all;
}

void log_value(const js::Value& value) { log(value.to_string()); }

void clock(int microtasks) {
  js::Promise<> promise = js::resolved();
  for (int i = 1; i <= microtasks; ++i) promise = promise.then([i] { log(std::to_string(i)); });
}

void block(js::Milliseconds duration) { js::EventLoop::current().block(duration); }

void stat(js::Callback done) { js::EventLoop::current().start_pool_work(std::move(done)); }

js::Promise<> stat() { return js::pool_work("stat"); }

}  // namespace conformance
