// Condition variables of model threads: what pthread_cond_* and C11's cnd_* have in common.
#pragma once

#include <pthread.h>

#include <optional>

#include "runtime/thread_records.hpp"

namespace weft {

/// Returns 0, or ETIMEDOUT if there is a deadline (in virtual time). Misuse ends the thread with a finding.
int wait_on_condition(Execution& execution, pthread_cond_t* condition, pthread_mutex_t* mutex,
                      std::optional<VirtualTime> deadline, const void* place);
void signal_condition(Execution& execution, pthread_cond_t* condition, const void* place);
void broadcast_condition(Execution& execution, pthread_cond_t* condition, const void* place);
void destroy_condition(Execution& execution, pthread_cond_t* condition, const void* place);

}  // namespace weft
