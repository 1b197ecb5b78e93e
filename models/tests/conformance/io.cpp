// I/O that completes in any order. Twins of io_*.mjs.
#include "conformance.hpp"

using conformance::log;
using conformance::stat;

PROGRAM(io_two_completions) {
  stat([] { log("a"); });
  stat([] { log("b"); });
}

static js::Promise<> one_after_the_other() {
  for (const char* name : {"a", "b", "c"}) {
    co_await stat();
    log(name);
  }
}

PROGRAM(io_one_after_the_other) { one_after_the_other(); }

PROGRAM(io_against_a_timer) {
  js::setTimeout([] { log("timer"); }, 1);
  stat([] { log("io"); });
}

PROGRAM(io_against_an_immediate) {
  stat([] { log("io"); });
  js::setImmediate([] { log("immediate"); });
}
