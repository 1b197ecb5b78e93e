// What happens once: pthread_once (and so std::call_once), the guards of static locals, and the registration of their destructors
// (Itanium C++ ABI, 3.3.2 and 3.3.6).
//
// Both are a lock around "done already?". The first to get it runs the initialisation while it holds the lock; if that throws, the next
// one tries.
#include <cxxabi.h>
#include <pthread.h>

#include "runtime/address_table.hpp"
#include "runtime/lock.hpp"
#include "runtime/memory_access.hpp"
#include "runtime/real_functions.hpp"

extern "C" {
// Ours, from hooks_tsan_atomic.cpp: the guard's first byte is an atomic object that compiled code looks at by itself.
char __tsan_atomic8_load(const volatile char* address, int order);
void __tsan_atomic8_store(volatile char* address, char value, int order);
}

namespace weft {
namespace {

constinit RealFunction real_once{pthread_once, "pthread_once"};
constinit RealFunction<int(void (*)(void*), void*, void*)> real_atexit{nullptr, "__cxa_atexit"};
constinit RealFunction real_guard_acquire{abi::__cxa_guard_acquire, "__cxa_guard_acquire"};
constinit RealFunction real_guard_release{abi::__cxa_guard_release, "__cxa_guard_release"};
constinit RealFunction real_guard_abort{abi::__cxa_guard_abort, "__cxa_guard_abort"};

constexpr int kDone = 2;  // what glibc leaves in a pthread_once_t

/// The thread that ran an initialisation, and how many visible operations it had done when it released the lock.
struct Done {
  bool done = false;
  Event release{};
};
AddressTable<Done> initialisations;

/// Releases the lock also when the initialisation throws, or calls pthread_exit.
class HeldOnce {
 public:
  HeldOnce(Execution& execution, std::uintptr_t control, const void* place)
      : execution_(execution), control_(control), place_(place) {
    acquire_lock(execution, control, WaitKind::once, place);
  }
  ~HeldOnce() { release_lock(execution_, control_, place_); }
  HeldOnce(const HeldOnce&) = delete;
  HeldOnce& operator=(const HeldOnce&) = delete;

 private:
  Execution& execution_;
  std::uintptr_t control_;
  const void* place_;
};

bool done_happened_before(Execution& execution, std::uintptr_t control) {
  const Done* const done = initialisations.find(execution, control);
  return done != nullptr && done->done && covers(execution.clock(), done->release);
}

void call_once(Execution& execution, std::uintptr_t control, void (*initialise)(), const void* place) {
  if (done_happened_before(execution, control)) return;  // needs no event: nobody could see another answer
  const HeldOnce held(execution, control, place);
  if (Done& done = initialisations.at(execution, control); done.done) return;
  initialise();
  const Execution::Thread& self = execution.running();
  Done& done = initialisations.at(execution, control);
  done.done = true;
  done.release.thread = self.id;
  done.release.index = self.position;  // the release is the next event
}

}  // namespace
}  // namespace weft

extern "C" int pthread_once(pthread_once_t* control, void (*initialise)()) {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_once(control, initialise);
  if (*control == kDone) return 0;  // before the exploration began
  call_once(*execution, reinterpret_cast<std::uintptr_t>(control), initialise, __builtin_return_address(0));
  return 0;
}

// A static local that an execution makes is gone with it, when its memory and its guard are put back: its destructor must not run at
// the end of the process, and 10^7 registrations must not pile up.
extern "C" int __cxa_atexit(void (*function)(void*), void* object, void* dso) noexcept {
  return weft::Execution::current() == nullptr ? weft::real_atexit(function, object, dso) : 0;
}

namespace __cxxabiv1 {

extern "C" {

int __cxa_guard_acquire(__guard* guard) {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_guard_acquire(guard);
  auto* const byte = reinterpret_cast<char*>(guard);
  const auto lock = reinterpret_cast<std::uintptr_t>(guard);
  acquire_lock(*execution, lock, WaitKind::once, __builtin_return_address(0));
  if (__tsan_atomic8_load(byte, __ATOMIC_ACQUIRE) == 0) return 1;
  release_lock(*execution, lock, __builtin_return_address(0));
  return 0;
}

void __cxa_guard_release(__guard* guard) noexcept {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_guard_release(guard);
  __tsan_atomic8_store(reinterpret_cast<char*>(guard), 1, __ATOMIC_RELEASE);
  release_lock(*execution, reinterpret_cast<std::uintptr_t>(guard), __builtin_return_address(0));
}

void __cxa_guard_abort(__guard* guard) noexcept {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_guard_abort(guard);
  release_lock(*execution, reinterpret_cast<std::uintptr_t>(guard), __builtin_return_address(0));
}

}  // extern "C"

}  // namespace __cxxabiv1
