// The fuzzing engine's signals (time-outs, interrupts), kept away from executions.
//
// The engine's handlers read clocks and print. Inside an execution that would be virtual time and the scenario's
// memory, on a fiber that is not the engine's thread. An execution always ends (endless loops and endless runs are
// findings), so the signals wait until then.
#pragma once

#include <csignal>

namespace weft::fuzz {

/// While one of these lives, the signals wait.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace weft::fuzz
