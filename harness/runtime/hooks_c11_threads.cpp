// C11 threads (<threads.h>) inside an execution: the pthread functions under other names, as in glibc, whose own versions call each other
// without going through symbols that could be interposed.
#include <pthread.h>
#include <sched.h>
#include <threads.h>
#include <time.h>

#include <cerrno>
#include <cstdint>
#include <new>

#include "runtime/arena.hpp"
#include "runtime/condition.hpp"
#include "runtime/mutex.hpp"
#include "runtime/real_functions.hpp"
#include "runtime/virtual_time.hpp"

namespace weft {
namespace {

constinit RealFunction real_create{thrd_create, "thrd_create"};
constinit RealFunction real_join{thrd_join, "thrd_join"};
constinit RealFunction real_detach{thrd_detach, "thrd_detach"};
constinit RealFunction real_current{thrd_current, "thrd_current"};
constinit RealFunction<void(int)> real_exit{nullptr, "thrd_exit"};
constinit RealFunction real_sleep{thrd_sleep, "thrd_sleep"};
constinit RealFunction real_yield{thrd_yield, "thrd_yield"};
constinit RealFunction real_mtx_init{mtx_init, "mtx_init"};
constinit RealFunction real_mtx_lock{mtx_lock, "mtx_lock"};
constinit RealFunction real_mtx_trylock{mtx_trylock, "mtx_trylock"};
constinit RealFunction real_mtx_timedlock{mtx_timedlock, "mtx_timedlock"};
constinit RealFunction real_mtx_unlock{mtx_unlock, "mtx_unlock"};
constinit RealFunction<void(mtx_t*)> real_mtx_destroy{nullptr, "mtx_destroy"};
constinit RealFunction real_cnd_init{cnd_init, "cnd_init"};
constinit RealFunction real_cnd_wait{cnd_wait, "cnd_wait"};
constinit RealFunction real_cnd_timedwait{cnd_timedwait, "cnd_timedwait"};
constinit RealFunction real_cnd_signal{cnd_signal, "cnd_signal"};
constinit RealFunction real_cnd_broadcast{cnd_broadcast, "cnd_broadcast"};
constinit RealFunction<void(cnd_t*)> real_cnd_destroy{nullptr, "cnd_destroy"};
constinit RealFunction real_tss_create{tss_create, "tss_create"};
constinit RealFunction real_tss_get{tss_get, "tss_get"};
constinit RealFunction real_tss_set{tss_set, "tss_set"};
constinit RealFunction<void(tss_t)> real_tss_delete{nullptr, "tss_delete"};
constinit RealFunction<void(once_flag*, void (*)())> real_call_once{nullptr, "call_once"};

// glibc defines these types as unions of the size of their pthread counterparts.
pthread_mutex_t* as_pthread(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
pthread_cond_t* as_pthread(cnd_t* condition) { return reinterpret_cast<pthread_cond_t*>(condition); }

int as_c11(int error) {
  switch (error) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ETIMEDOUT: return thrd_timedout;
    case ENOMEM: return thrd_nomem;
    default: return thrd_error;
  }
}

struct Start {
  thrd_start_t function;
  void* argument;
};

void* run_thread(void* start) {
  const Start& what = *static_cast<const Start*>(start);
  return reinterpret_cast<void*>(static_cast<std::intptr_t>(what.function(what.argument)));
}

}  // namespace
}  // namespace weft

using weft::Execution;

extern "C" {

int thrd_create(thrd_t* thread, thrd_start_t function, void* argument) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_create(thread, function, argument);
  void* const memory =
      weft::arena::allocate(execution->running().id, sizeof(weft::Start), alignof(weft::Start));
  return weft::as_c11(pthread_create(thread, nullptr, weft::run_thread, new (memory) weft::Start{function, argument}));
}

int thrd_join(thrd_t thread, int* result) {
  if (Execution::current() == nullptr) return weft::real_join(thread, result);
  void* value = nullptr;
  const int error = pthread_join(thread, &value);
  if (error == 0 && result != nullptr) *result = static_cast<int>(reinterpret_cast<std::intptr_t>(value));
  return weft::as_c11(error);
}

int thrd_detach(thrd_t thread) {
  return Execution::current() == nullptr ? weft::real_detach(thread) : weft::as_c11(pthread_detach(thread));
}

thrd_t thrd_current() { return Execution::current() == nullptr ? weft::real_current() : pthread_self(); }

void thrd_exit(int result) {
  if (Execution::current() != nullptr) pthread_exit(reinterpret_cast<void*>(static_cast<std::intptr_t>(result)));
  weft::real_exit(result);
  __builtin_unreachable();
}

int thrd_sleep(const timespec* span, timespec* rest) {
  return Execution::current() == nullptr ? weft::real_sleep(span, rest) : nanosleep(span, rest);
}

void thrd_yield() {
  if (Execution::current() == nullptr) weft::real_yield();
}

int mtx_init(mtx_t* mutex, int type) {
  if (Execution::current() == nullptr) return weft::real_mtx_init(mutex, type);
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, (type & mtx_recursive) != 0 ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
  return weft::as_c11(pthread_mutex_init(weft::as_pthread(mutex), &attributes));
}

int mtx_lock(mtx_t* mutex) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_mtx_lock(mutex);
  return weft::as_c11(weft::lock_mutex(*execution, weft::as_pthread(mutex), __builtin_return_address(0)));
}

int mtx_trylock(mtx_t* mutex) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_mtx_trylock(mutex);
  return weft::as_c11(weft::try_lock_mutex(*execution, weft::as_pthread(mutex), __builtin_return_address(0)));
}

int mtx_timedlock(mtx_t* mutex, const timespec* deadline) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_mtx_timedlock(mutex, deadline);
  return weft::as_c11(weft::timed_lock_mutex(*execution, weft::as_pthread(mutex),
                                             weft::virtual_time(CLOCK_REALTIME, *deadline), __builtin_return_address(0)));
}

int mtx_unlock(mtx_t* mutex) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_mtx_unlock(mutex);
  return weft::as_c11(weft::unlock_mutex(*execution, weft::as_pthread(mutex), __builtin_return_address(0)));
}

void mtx_destroy(mtx_t* mutex) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_mtx_destroy(mutex);
  weft::destroy_mutex(*execution, weft::as_pthread(mutex), __builtin_return_address(0));
}

int cnd_init(cnd_t* condition) {
  if (Execution::current() == nullptr) return weft::real_cnd_init(condition);
  return weft::as_c11(pthread_cond_init(weft::as_pthread(condition), nullptr));
}

int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_cnd_wait(condition, mutex);
  return weft::as_c11(weft::wait_on_condition(*execution, weft::as_pthread(condition), weft::as_pthread(mutex),
                                              std::nullopt, __builtin_return_address(0)));
}

int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* deadline) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_cnd_timedwait(condition, mutex, deadline);
  return weft::as_c11(weft::wait_on_condition(*execution, weft::as_pthread(condition), weft::as_pthread(mutex),
                                              weft::virtual_time(CLOCK_REALTIME, *deadline),
                                              __builtin_return_address(0)));
}

int cnd_signal(cnd_t* condition) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_cnd_signal(condition);
  weft::signal_condition(*execution, weft::as_pthread(condition), __builtin_return_address(0));
  return thrd_success;
}

int cnd_broadcast(cnd_t* condition) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_cnd_broadcast(condition);
  weft::broadcast_condition(*execution, weft::as_pthread(condition), __builtin_return_address(0));
  return thrd_success;
}

void cnd_destroy(cnd_t* condition) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return weft::real_cnd_destroy(condition);
  weft::destroy_condition(*execution, weft::as_pthread(condition), __builtin_return_address(0));
}

int tss_create(tss_t* key, tss_dtor_t destructor) {
  if (Execution::current() == nullptr) return weft::real_tss_create(key, destructor);
  return weft::as_c11(pthread_key_create(key, destructor));
}

void* tss_get(tss_t key) { return Execution::current() == nullptr ? weft::real_tss_get(key) : pthread_getspecific(key); }

int tss_set(tss_t key, void* value) {
  if (Execution::current() == nullptr) return weft::real_tss_set(key, value);
  return weft::as_c11(pthread_setspecific(key, value));
}

void tss_delete(tss_t key) {
  if (Execution::current() == nullptr) return weft::real_tss_delete(key);
  pthread_key_delete(key);
}

void call_once(once_flag* flag, void (*function)()) {
  if (Execution::current() == nullptr) return weft::real_call_once(flag, function);
  pthread_once(reinterpret_cast<pthread_once_t*>(flag), function);
}

}  // extern "C"
