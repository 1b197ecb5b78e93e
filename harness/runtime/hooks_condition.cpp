// pthread_cond_* inside an execution; see condition.hpp.
#include <pthread.h>

#include "runtime/condition.hpp"
#include "runtime/memory_access.hpp"
#include "runtime/real_functions.hpp"
#include "runtime/virtual_time.hpp"

namespace weft {
namespace {

// glibc keeps the functions of an older, smaller pthread_cond_t under the same names.
constexpr const char* kVersion = "GLIBC_2.3.2";
constinit RealFunction real_init{pthread_cond_init, "pthread_cond_init", kVersion};
constinit RealFunction real_destroy{pthread_cond_destroy, "pthread_cond_destroy", kVersion};
constinit RealFunction real_wait{pthread_cond_wait, "pthread_cond_wait", kVersion};
constinit RealFunction real_timedwait{pthread_cond_timedwait, "pthread_cond_timedwait", kVersion};
constinit RealFunction real_clockwait{pthread_cond_clockwait, "pthread_cond_clockwait"};
constinit RealFunction real_signal{pthread_cond_signal, "pthread_cond_signal", kVersion};
constinit RealFunction real_broadcast{pthread_cond_broadcast, "pthread_cond_broadcast", kVersion};

/// The clock that pthread_condattr_setclock chose; glibc keeps it in the second bit of __wrefs.
clockid_t clock_of(const pthread_cond_t* condition) {
  return (condition->__data.__wrefs & 2) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

}  // namespace
}  // namespace weft

extern "C" {

int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t* attributes) noexcept {
  using namespace weft;
  if (Execution* const execution = Execution::current()) {
    plain_access(*execution, AccessKind::write, condition, sizeof *condition, __builtin_return_address(0));
  }
  return real_init(condition, attributes);
}

int pthread_cond_destroy(pthread_cond_t* condition) noexcept {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_destroy(condition);
  destroy_condition(*execution, condition, __builtin_return_address(0));
  return 0;
}

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_wait(condition, mutex);
  return wait_on_condition(*execution, condition, mutex, std::nullopt, __builtin_return_address(0));
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* deadline) {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_timedwait(condition, mutex, deadline);
  return wait_on_condition(*execution, condition, mutex, virtual_time(clock_of(condition), *deadline),
                           __builtin_return_address(0));
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* deadline) {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_clockwait(condition, mutex, clock, deadline);
  return wait_on_condition(*execution, condition, mutex, virtual_time(clock, *deadline), __builtin_return_address(0));
}

int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_signal(condition);
  signal_condition(*execution, condition, __builtin_return_address(0));
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_broadcast(condition);
  broadcast_condition(*execution, condition, __builtin_return_address(0));
  return 0;
}

}  // extern "C"
