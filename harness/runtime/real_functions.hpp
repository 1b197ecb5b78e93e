// The library functions behind the interposed ones: what a hook calls outside of an execution.
//
// They are looked up at the first call, not at start-up: hooks run before any constructor of ours does. The cache is a plain pointer and
// no static local, since the guard of a static local is itself an interposed function.
#pragma once

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace weft {

/// The next definition of a function after the executable's own. Ends the process with a message if there is none.
template <class Function>
class RealFunction {
 public:
  /// The first argument only says the type: it is our own function of that name. `version`: needed where glibc exports an incompatible older
  /// function under the same name.
  constexpr explicit RealFunction(Function*, const char* name, const char* version = nullptr)
      : name_(name), version_(version) {}

  template <class... Arguments>
  auto operator()(Arguments... arguments) {
    return get()(arguments...);
  }
  Function* get() {
    // Two threads may both look it up; both find the same.
    Function* found = __atomic_load_n(&function_, __ATOMIC_RELAXED);
    if (found == nullptr) {
      void* const symbol = version_ == nullptr ? dlsym(RTLD_NEXT, name_) : dlvsym(RTLD_NEXT, name_, version_);
      if (symbol == nullptr) {
        std::fprintf(stderr, "weft: the C library has no %s; link the program dynamically\n", name_);
        std::abort();
      }
      found = reinterpret_cast<Function*>(symbol);
      __atomic_store_n(&function_, found, __ATOMIC_RELAXED);
    }
    return found;
  }

 private:
  const char* name_;
  const char* version_;
  Function* function_ = nullptr;
};

}  // namespace weft
