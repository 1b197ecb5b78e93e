// Faults of the scenario that the system reports by a signal: bad memory accesses, stack overflow, arithmetic, and
// loops that never end.
//
// The handler runs on a stack of its own (sigaltstack), records the finding, and ends the fiber from there: it switches
// to another one and never comes back. Weft's own faults are left to the system.
#pragma once

#include <csignal>
#include <cstdint>
#include <iterator>
#include <memory>

#include "runtime/execution.hpp"

namespace weft {

/// CPU time without a visible operation after which a thread counts as caught in an endless loop.
inline constexpr std::uint32_t kEndlessLoopSeconds = 2;

/// While one of these lives, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP and SIGABRT inside `execution` are findings, and so is an endless
/// loop, which a timer of CPU time (SIGPROF) looks for. Restores what was there before. One at a time.
class SignalGuard {
 public:
  explicit SignalGuard(Execution& execution);
  ~SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

 private:
  static constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT};
  // The report of a finding in a replay is made on it, and reads debug information.
  static constexpr std::size_t kStackSize = std::size_t{1} << 19;

  Execution* outer_;  // whose guard this one replaces for a while: a replay inside an exploration
  std::unique_ptr<std::byte[]> stack_;
  stack_t stack_before_{};
  struct sigaction before_[std::size(kFaults) + 1]{};
};

}  // namespace weft
