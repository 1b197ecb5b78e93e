// Failures that the program itself announces: a false invariant, assert, abort, exit, an exception that nobody catches.
//
// Each becomes a finding and stops the thread that met it; the other threads go on, so that the run ends like any
// other.
#pragma once

#include <string_view>

#include "detect/finding.hpp"

namespace weft {

class Execution;

/// Records a finding about the running thread at code address `place` and stops that thread. Only inside an execution.
/// `values`: what was found instead of what, if that is known.
[[noreturn]] void fail(FindingKind kind, std::string_view message, const void* place, std::string_view values = {});
/// The same where `execution` is not the current one: in the engine's own code.
[[noreturn]] void fail(Execution& execution, FindingKind kind, std::string_view message, const void* place,
                       std::string_view values = {});

/// While one of these lives, std::terminate inside an execution is a finding. Restores what was there before. One at a
/// time.
class TerminateGuard {
 public:
  TerminateGuard();
  ~TerminateGuard();
  TerminateGuard(const TerminateGuard&) = delete;
  TerminateGuard& operator=(const TerminateGuard&) = delete;
};

}  // namespace weft
