// pthread_rwlock_* and pthread_spin_* inside an execution; see rwlock.hpp and lock.hpp.
#include <pthread.h>

#include <cerrno>

#include "runtime/lock.hpp"
#include "runtime/memory_access.hpp"
#include "runtime/real_functions.hpp"
#include "runtime/rwlock.hpp"
#include "runtime/virtual_time.hpp"

namespace weft {
namespace {

constinit RealFunction real_rw_init{pthread_rwlock_init, "pthread_rwlock_init"};
constinit RealFunction real_rw_destroy{pthread_rwlock_destroy, "pthread_rwlock_destroy"};
constinit RealFunction real_rdlock{pthread_rwlock_rdlock, "pthread_rwlock_rdlock"};
constinit RealFunction real_wrlock{pthread_rwlock_wrlock, "pthread_rwlock_wrlock"};
constinit RealFunction real_tryrdlock{pthread_rwlock_tryrdlock, "pthread_rwlock_tryrdlock"};
constinit RealFunction real_trywrlock{pthread_rwlock_trywrlock, "pthread_rwlock_trywrlock"};
constinit RealFunction real_timedrdlock{pthread_rwlock_timedrdlock, "pthread_rwlock_timedrdlock"};
constinit RealFunction real_timedwrlock{pthread_rwlock_timedwrlock, "pthread_rwlock_timedwrlock"};
constinit RealFunction real_clockrdlock{pthread_rwlock_clockrdlock, "pthread_rwlock_clockrdlock"};
constinit RealFunction real_clockwrlock{pthread_rwlock_clockwrlock, "pthread_rwlock_clockwrlock"};
constinit RealFunction real_rw_unlock{pthread_rwlock_unlock, "pthread_rwlock_unlock"};
constinit RealFunction real_spin_init{pthread_spin_init, "pthread_spin_init"};
constinit RealFunction real_spin_destroy{pthread_spin_destroy, "pthread_spin_destroy"};
constinit RealFunction real_spin_lock{pthread_spin_lock, "pthread_spin_lock"};
constinit RealFunction real_spin_trylock{pthread_spin_trylock, "pthread_spin_trylock"};
constinit RealFunction real_spin_unlock{pthread_spin_unlock, "pthread_spin_unlock"};

std::uintptr_t address_of(pthread_spinlock_t* lock) { return reinterpret_cast<std::uintptr_t>(lock); }

}  // namespace
}  // namespace weft

using weft::Execution;
using weft::Patience;
using weft::RwlockMode;

extern "C" {

int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t* attributes) noexcept {
  if (Execution* const execution = Execution::current()) {
    weft::plain_access(*execution, weft::AccessKind::write, lock, sizeof *lock, __builtin_return_address(0));
  }
  return weft::real_rw_init(lock, attributes);
}

int pthread_rwlock_destroy(pthread_rwlock_t* lock) noexcept {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_rw_destroy(lock);
  return weft::destroy_rwlock(*execution, lock, __builtin_return_address(0));
}

int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_rdlock(lock);
  return weft::lock_rwlock(*execution, lock, RwlockMode::read, Patience::unlimited, 0, __builtin_return_address(0));
}

int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_wrlock(lock);
  return weft::lock_rwlock(*execution, lock, RwlockMode::write, Patience::unlimited, 0, __builtin_return_address(0));
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) noexcept {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_tryrdlock(lock);
  return weft::lock_rwlock(*execution, lock, RwlockMode::read, Patience::none, 0, __builtin_return_address(0));
}

int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) noexcept {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_trywrlock(lock);
  return weft::lock_rwlock(*execution, lock, RwlockMode::write, Patience::none, 0, __builtin_return_address(0));
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* deadline) noexcept {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_timedrdlock(lock, deadline);
  return weft::lock_rwlock(*execution, lock, RwlockMode::read, Patience::until_deadline,
                           weft::virtual_time(CLOCK_REALTIME, *deadline), __builtin_return_address(0));
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* deadline) noexcept {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_timedwrlock(lock, deadline);
  return weft::lock_rwlock(*execution, lock, RwlockMode::write, Patience::until_deadline,
                           weft::virtual_time(CLOCK_REALTIME, *deadline), __builtin_return_address(0));
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* deadline) noexcept {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_clockrdlock(lock, clock, deadline);
  return weft::lock_rwlock(*execution, lock, RwlockMode::read, Patience::until_deadline,
                           weft::virtual_time(clock, *deadline), __builtin_return_address(0));
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* deadline) noexcept {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_clockwrlock(lock, clock, deadline);
  return weft::lock_rwlock(*execution, lock, RwlockMode::write, Patience::until_deadline,
                           weft::virtual_time(clock, *deadline), __builtin_return_address(0));
}

int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_rw_unlock(lock);
  return weft::unlock_rwlock(*execution, lock, __builtin_return_address(0));
}

int pthread_spin_init(pthread_spinlock_t* lock, int shared) noexcept {
  if (Execution* const execution = Execution::current()) {
    weft::plain_access(*execution, weft::AccessKind::write, const_cast<int*>(lock), sizeof *lock,
                       __builtin_return_address(0));
  }
  return weft::real_spin_init(lock, shared);
}

int pthread_spin_destroy(pthread_spinlock_t* lock) noexcept {
  return Execution::current() == nullptr ? weft::real_spin_destroy(lock) : 0;
}

int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_spin_lock(lock);
  weft::acquire_lock(*execution, weft::address_of(lock), weft::WaitKind::spin_lock, __builtin_return_address(0));
  return 0;
}

int pthread_spin_trylock(pthread_spinlock_t* lock) noexcept {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_spin_trylock(lock);
  weft::poll_lock(*execution, weft::address_of(lock));
  return weft::try_acquire_lock(*execution, weft::address_of(lock), __builtin_return_address(0)) ? 0 : EBUSY;
}

int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_spin_unlock(lock);
  weft::release_lock(*execution, weft::address_of(lock), __builtin_return_address(0));
  return 0;
}

}  // extern "C"
