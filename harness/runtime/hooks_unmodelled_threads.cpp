// Thread functions that take a handle, and that Weft does not model: with the handle of a model thread, which the C
// library does not know, they would crash. Inside an execution they end the thread with a finding that says so.
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>

#include "runtime/execution.hpp"
#include "runtime/real_functions.hpp"
#include "runtime/unsupported.hpp"

namespace weft {
namespace {

constinit RealFunction real_kill{pthread_kill, "pthread_kill"};
constinit RealFunction real_sigqueue{pthread_sigqueue, "pthread_sigqueue"};
constinit RealFunction real_getattr{pthread_getattr_np, "pthread_getattr_np"};
constinit RealFunction real_getaffinity{pthread_getaffinity_np, "pthread_getaffinity_np"};
constinit RealFunction real_getcpuclockid{pthread_getcpuclockid, "pthread_getcpuclockid"};
constinit RealFunction real_setschedprio{pthread_setschedprio, "pthread_setschedprio"};

}  // namespace
}  // namespace weft

using weft::Execution;
using weft::refuse;

extern "C" {

int pthread_kill(pthread_t thread, int signal) noexcept {
  if (Execution::current() == nullptr) return weft::real_kill(thread, signal);
  refuse("pthread_kill is not modelled: tell the thread through an atomic flag", __builtin_return_address(0));
  return 0;
}

int pthread_sigqueue(pthread_t thread, int signal, const sigval value) noexcept {
  if (Execution::current() == nullptr) return weft::real_sigqueue(thread, signal, value);
  refuse("pthread_sigqueue is not modelled: tell the thread through an atomic flag", __builtin_return_address(0));
  return 0;
}

int pthread_getattr_np(pthread_t thread, pthread_attr_t* attributes) noexcept {
  if (Execution::current() == nullptr) return weft::real_getattr(thread, attributes);
  refuse(
      "pthread_getattr_np is not modelled: the stack of a model thread is Weft's own; leave such code out of the "
      "scenario",
      __builtin_return_address(0));
  return 0;
}

int pthread_getaffinity_np(pthread_t thread, std::size_t size, cpu_set_t* cpus) noexcept {
  if (Execution::current() == nullptr) return weft::real_getaffinity(thread, size, cpus);
  refuse("pthread_getaffinity_np is not modelled: model threads run on no particular CPU; fix the number of threads",
         __builtin_return_address(0));
  return 0;
}

int pthread_getcpuclockid(pthread_t thread, clockid_t* clock) noexcept {
  if (Execution::current() == nullptr) return weft::real_getcpuclockid(thread, clock);
  refuse("pthread_getcpuclockid is not modelled: a model thread has virtual time only; use std::chrono::steady_clock",
         __builtin_return_address(0));
  return 0;
}

int pthread_setschedprio(pthread_t thread, int priority) noexcept {
  return Execution::current() == nullptr ? weft::real_setschedprio(thread, priority) : 0;
}

}  // extern "C"
