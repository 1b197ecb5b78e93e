// pthread_mutex_* inside an execution; see mutex.hpp.
#include <pthread.h>

#include "runtime/memory_access.hpp"
#include "runtime/mutex.hpp"
#include "runtime/real_functions.hpp"
#include "runtime/unsupported.hpp"
#include "runtime/virtual_time.hpp"

namespace weft {
namespace {

constinit RealFunction real_init{pthread_mutex_init, "pthread_mutex_init"};
constinit RealFunction real_destroy{pthread_mutex_destroy, "pthread_mutex_destroy"};
constinit RealFunction real_lock{pthread_mutex_lock, "pthread_mutex_lock"};
constinit RealFunction real_trylock{pthread_mutex_trylock, "pthread_mutex_trylock"};
constinit RealFunction real_timedlock{pthread_mutex_timedlock, "pthread_mutex_timedlock"};
constinit RealFunction real_clocklock{pthread_mutex_clocklock, "pthread_mutex_clocklock"};
constinit RealFunction real_unlock{pthread_mutex_unlock, "pthread_mutex_unlock"};

}  // namespace
}  // namespace weft

extern "C" {

int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) noexcept {
  using namespace weft;
  if (Execution* const execution = Execution::current()) {
    plain_access(*execution, AccessKind::write, mutex, sizeof *mutex, __builtin_return_address(0));
    int robust = PTHREAD_MUTEX_STALLED;
    if (attributes != nullptr) pthread_mutexattr_getrobust(attributes, &robust);
    if (robust == PTHREAD_MUTEX_ROBUST)
      refuse("a robust mutex is not modelled: use one that its owner unlocks before it ends", __builtin_return_address(0));
  }
  return real_init(mutex, attributes);
}

int pthread_mutex_destroy(pthread_mutex_t* mutex) noexcept {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_destroy(mutex);
  return destroy_mutex(*execution, mutex, __builtin_return_address(0));
}

int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_lock(mutex);
  return lock_mutex(*execution, mutex, __builtin_return_address(0));
}

int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_trylock(mutex);
  return try_lock_mutex(*execution, mutex, __builtin_return_address(0));
}

int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* deadline) noexcept {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_timedlock(mutex, deadline);
  return timed_lock_mutex(*execution, mutex, virtual_time(CLOCK_REALTIME, *deadline), __builtin_return_address(0));
}

int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* deadline) noexcept {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_clocklock(mutex, clock, deadline);
  return timed_lock_mutex(*execution, mutex, virtual_time(clock, *deadline), __builtin_return_address(0));
}

int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_unlock(mutex);
  return unlock_mutex(*execution, mutex, __builtin_return_address(0));
}

}  // extern "C"
