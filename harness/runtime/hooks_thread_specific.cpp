// pthread_key_*, pthread_getspecific and pthread_setspecific, and destructors of thread_local objects, per model thread.
//
// A key that was created outside of an execution (by GoogleTest, say) can be used inside: each model thread begins with a null value for it.
// Keys created inside get numbers of their own, from the creating thread and how many it created before, so that they do not depend
// on the schedule and cost the system nothing.
#include <limits.h>
#include <pthread.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "runtime/real_functions.hpp"
#include "runtime/thread_specific.hpp"

namespace weft {
namespace {

using KeyDestructor = void (*)(void*);

constexpr std::uint32_t kModelKeyBit = 0x4000'0000;
constexpr std::uint32_t kKeysPerThread = 64;

constinit RealFunction real_key_create{pthread_key_create, "pthread_key_create"};
constinit RealFunction real_key_delete{pthread_key_delete, "pthread_key_delete"};
constinit RealFunction real_getspecific{pthread_getspecific, "pthread_getspecific"};
constinit RealFunction real_setspecific{pthread_setspecific, "pthread_setspecific"};

// Destructors of keys created outside, by key; and of those created inside, by key without its mark. The latter are set anew by each
// run's pthread_key_create before they can be looked at.
constinit std::array<KeyDestructor, PTHREAD_KEYS_MAX> outside_destructors{};
constinit std::array<KeyDestructor, kMaxThreads * kKeysPerThread> model_destructors{};

KeyDestructor destructor_of(std::uint32_t key) {
  if ((key & kModelKeyBit) != 0) return model_destructors[key & ~kModelKeyBit];
  return key < outside_destructors.size() ? outside_destructors[key] : nullptr;
}

}  // namespace

void run_specific_destructors(ThreadRecord& record) {
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
    bool called = false;
    for (std::size_t i = 0; i < record.specific.size(); ++i) {
      const auto [key, value] = record.specific[i];
      const KeyDestructor destructor = destructor_of(key);
      if (value == nullptr || destructor == nullptr) continue;
      record.specific[i].second = nullptr;
      destructor(const_cast<void*>(value));
      called = true;
    }
    if (!called) return;
  }
}

}  // namespace weft

extern "C" {

int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) noexcept {
  using namespace weft;
  if (Execution* const execution = Execution::current()) {
    ThreadRecord& record = running_record(*execution);
    if (record.keys_created == kKeysPerThread) return EAGAIN;
    const auto number =
        static_cast<std::uint32_t>(index(execution->running().id) * kKeysPerThread) + record.keys_created++;
    model_destructors[number] = destructor;
    *key = number | kModelKeyBit;
    return 0;
  }
  const int error = real_key_create(key, destructor);
  if (error == 0 && *key < outside_destructors.size()) outside_destructors[*key] = destructor;
  return error;
}

int pthread_key_delete(pthread_key_t key) noexcept {
  using namespace weft;
  if (Execution::current() == nullptr) return real_key_delete(key);
  // Values stay where they are; without a destructor nothing looks at them again.
  if ((key & kModelKeyBit) != 0) model_destructors[key & ~kModelKeyBit] = nullptr;
  return 0;
}

void* pthread_getspecific(pthread_key_t key) noexcept {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_getspecific(key);
  for (const auto& [k, value] : running_record(*execution).specific) {
    if (k == key) return const_cast<void*>(value);
  }
  return nullptr;
}

int pthread_setspecific(pthread_key_t key, const void* value) noexcept {
  using namespace weft;
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real_setspecific(key, value);
  auto& specific = running_record(*execution).specific;
  const auto at = std::find_if(specific.begin(), specific.end(), [&](const auto& entry) { return entry.first == key; });
  if (at != specific.end()) {
    at->second = value;
  } else {
    const Execution::Outside outside;
    specific.emplace_back(key, value);
  }
  return 0;
}

int __cxa_thread_atexit_impl(void (*function)(void*), void* object, void* dso) noexcept {
  using namespace weft;
  static constinit RealFunction real{__cxa_thread_atexit_impl, "__cxa_thread_atexit_impl"};
  Execution* const execution = Execution::current();
  if (execution == nullptr) return real(function, object, dso);
  const Execution::Outside outside;
  running_record(*execution).destructors.push_back({function, object});
  return 0;
}

int __cxa_thread_atexit(void (*function)(void*), void* object, void* dso) noexcept {
  return __cxa_thread_atexit_impl(function, object, dso);
}

}  // extern "C"
