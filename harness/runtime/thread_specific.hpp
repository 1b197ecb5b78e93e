// Thread-specific data (POSIX pthread_key_create and friends) of model threads.
#pragma once

#include "runtime/thread_records.hpp"

namespace weft {

/// Calls the keys' destructors for values that are not null, again while they set new ones, at most PTHREAD_DESTRUCTOR_ITERATIONS times.
void run_specific_destructors(ThreadRecord& record);

}  // namespace weft
