// The threads of an iteration: where each writes its log, its random numbers, and the random delays before what it
// does.
#pragma once

#include <csetjmp>
#include <cstdint>

#include "stress/board.hpp"
#include "stress/random.hpp"

namespace weft::stress {

/// Of one thread. Its random numbers depend on the iteration's seed and on who started it as which of its threads, so
/// they are the same in every run with this seed, however the threads are scheduled.
struct ThreadContext {
  std::uint64_t path = 0;
  std::uint32_t threads_started = 0;
  std::uint32_t index = 0;         ///< on the board
  ThreadRecord* record = nullptr;  ///< null: there are too many threads, this one has no log
  std::uint32_t task = 0;
  std::uint64_t operations = 0;
  std::uint32_t slowness = 0;  ///< delays are 2^slowness times as long
  Random choices{0};
  Random delays{0};
  std::jmp_buf* exit = nullptr;  ///< of the run_stoppable() that it is in
};

/// Begins the first thread of an iteration, with the calling one.
void begin_iteration(std::uint64_t seed);
/// True in the process of an iteration.
bool in_iteration();
ThreadContext& this_thread();
/// A line in the log of the calling thread.
void log(std::string_view text, const void* place);
/// Waits for a random time, or not at all: less and less often the more the thread has done.
void delay();

}  // namespace weft::stress
