// One iteration: the body of a scenario run once, in a process of its own, with a watchdog over it.
//
// A process for each: globals begin as they were, and a crash, a hang, a terminated worker or a dropped iteration leave
// nothing behind.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "stress/process_state.hpp"

namespace weft::stress {

struct IterationEnd {
  enum class How : std::uint8_t {
    reported,   ///< the board's phase says how it went
    exited,     ///< the process ended itself, with `status`
    signalled,  ///< a signal ended the process: `status`
    blocked,    ///< no thread could go on
    overdue,    ///< it did not end in time
  };
  How how = How::reported;
  int status = 0;
  std::vector<ThreadState> threads;  ///< blocked, overdue: what they did
  std::string messages;              ///< what came on standard error: the scenario's, and the ThreadSanitizer's reports
};

/// Runs `body` in a process forked from this one, which must have no other threads. The board then has what it wrote
/// down. An iteration that takes longer than `most_seconds` is overdue.
IterationEnd run_iteration(const std::function<void()>& body, std::uint64_t seed, double most_seconds);

}  // namespace weft::stress
