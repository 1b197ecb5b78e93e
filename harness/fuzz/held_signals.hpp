// The fuzzing engine's signals (time-outs, interrupts), kept away from executions.
//
// The engine's handlers read clocks and print. Inside an execution that would be virtual time and the scenario's memory,
// on a fiber that is not the engine's thread. An execution always ends (endless loops and endless runs are findings), so
// the handlers wait until then. Blocking the signals would cost two system calls for each execution.
#pragma once

namespace weft::fuzz {

/// While one of these lives, the handlers wait that the engine had set when the first one was made.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
};

}  // namespace weft::fuzz
