// Atomic operations that compilers leave to libatomic: on 16 bytes, on objects of odd sizes, on misaligned ones.
//
// Weft does not explore them; inside an execution each is a finding that says so. Outside, the scenario's program must
// work as it does elsewhere: all these operations take one lock, as libatomic's do where the processor has no
// instruction for them, so a program that is linked with Weft needs no libatomic.
//
// Interface: "Atomic/GCCMM/LIbrary" in the GCC wiki. gcc's -fsanitize=thread calls __tsan_atomic128_* for 16 bytes
// (hooks_tsan_atomic.cpp) and these for the rest, clang's calls these.
#include <cstddef>
#include <cstring>

#include "runtime/unsupported.hpp"

namespace weft {
namespace {

__extension__ typedef unsigned __int128 WideInteger;

class WideAtomicLock {
 public:
  WideAtomicLock() {
    while (__atomic_test_and_set(&taken_, __ATOMIC_ACQUIRE)) __builtin_ia32_pause();
  }
  ~WideAtomicLock() { __atomic_clear(&taken_, __ATOMIC_RELEASE); }
  WideAtomicLock(const WideAtomicLock&) = delete;
  WideAtomicLock& operator=(const WideAtomicLock&) = delete;

 private:
  static inline bool taken_ = false;
};

template <class Change>
WideInteger change(volatile void* object, bool returns_new, const void* place, Change result) {
  refuse_wide_atomic(sizeof(WideInteger), place);
  const WideAtomicLock lock;
  auto* const value = const_cast<WideInteger*>(static_cast<volatile WideInteger*>(object));
  const WideInteger old = *value;
  *value = result(old);
  return returns_new ? *value : old;
}

bool compare_exchange(std::size_t size, void* object, void* expected, const void* desired, const void* place) {
  refuse_wide_atomic(size, place);
  const WideAtomicLock lock;
  const bool equal = std::memcmp(object, expected, size) == 0;
  if (equal) {
    std::memcpy(object, desired, size);
  } else {
    std::memcpy(expected, object, size);
  }
  return equal;
}

}  // namespace
}  // namespace weft

#define WEFT_PLACE __builtin_return_address(0)

// Under other names in C++: compilers know the real ones as built-in functions with other types.
extern "C" {
void weft_atomic_load(std::size_t size, void* object, void* result, int order) __asm__("__atomic_load");
void weft_atomic_store(std::size_t size, void* object, void* value, int order) __asm__("__atomic_store");
void weft_atomic_exchange(std::size_t size, void* object, void* value, void* result,
                          int order) __asm__("__atomic_exchange");
bool weft_atomic_compare_exchange(std::size_t size, void* object, void* expected, void* desired, int order,
                                  int failure) __asm__("__atomic_compare_exchange");
weft::WideInteger weft_atomic_load_16(const volatile void* object, int order) __asm__("__atomic_load_16");
void weft_atomic_store_16(volatile void* object, weft::WideInteger value, int order) __asm__("__atomic_store_16");
bool weft_atomic_compare_exchange_16(volatile void* object, void* expected, weft::WideInteger desired, int order,
                                     int failure) __asm__("__atomic_compare_exchange_16");

void weft_atomic_load(std::size_t size, void* object, void* result, int) {
  weft::refuse_wide_atomic(size, WEFT_PLACE);
  const weft::WideAtomicLock lock;
  std::memcpy(result, object, size);
}
void weft_atomic_store(std::size_t size, void* object, void* value, int) {
  weft::refuse_wide_atomic(size, WEFT_PLACE);
  const weft::WideAtomicLock lock;
  std::memcpy(object, value, size);
}
void weft_atomic_exchange(std::size_t size, void* object, void* value, void* result, int) {
  weft::refuse_wide_atomic(size, WEFT_PLACE);
  const weft::WideAtomicLock lock;
  // `value` and `result` may be one object.
  for (std::size_t i = 0; i < size; ++i) {
    const std::byte old = static_cast<std::byte*>(object)[i];
    static_cast<std::byte*>(object)[i] = static_cast<std::byte*>(value)[i];
    static_cast<std::byte*>(result)[i] = old;
  }
}
bool weft_atomic_compare_exchange(std::size_t size, void* object, void* expected, void* desired, int, int) {
  return weft::compare_exchange(size, object, expected, desired, WEFT_PLACE);
}

weft::WideInteger weft_atomic_load_16(const volatile void* object, int) {
  weft::refuse_wide_atomic(sizeof(weft::WideInteger), WEFT_PLACE);
  const weft::WideAtomicLock lock;
  return *static_cast<const volatile weft::WideInteger*>(object);
}
void weft_atomic_store_16(volatile void* object, weft::WideInteger value, int) {
  weft::change(object, false, WEFT_PLACE, [=](weft::WideInteger) { return value; });
}
bool weft_atomic_compare_exchange_16(volatile void* object, void* expected, weft::WideInteger desired, int, int) {
  return weft::compare_exchange(sizeof desired, const_cast<void*>(object), expected, &desired, WEFT_PLACE);
}

#define WEFT_WIDE_FETCH(name, returns_new, result)                                                               \
  weft::WideInteger weft_atomic_##name##_16(volatile void* object, weft::WideInteger operand, int order)         \
      __asm__("__atomic_" #name "_16");                                                                          \
  weft::WideInteger weft_atomic_##name##_16(volatile void* object, weft::WideInteger operand, int) {             \
    return weft::change(object, returns_new, WEFT_PLACE, [=]([[maybe_unused]] weft::WideInteger old) { return result; }); \
  }

WEFT_WIDE_FETCH(exchange, false, operand)
WEFT_WIDE_FETCH(fetch_add, false, old + operand)
WEFT_WIDE_FETCH(fetch_sub, false, old - operand)
WEFT_WIDE_FETCH(fetch_and, false, old& operand)
WEFT_WIDE_FETCH(fetch_or, false, old | operand)
WEFT_WIDE_FETCH(fetch_xor, false, old ^ operand)
WEFT_WIDE_FETCH(fetch_nand, false, ~(old & operand))
WEFT_WIDE_FETCH(add_fetch, true, old + operand)
WEFT_WIDE_FETCH(sub_fetch, true, old - operand)
WEFT_WIDE_FETCH(and_fetch, true, old& operand)
WEFT_WIDE_FETCH(or_fetch, true, old | operand)
WEFT_WIDE_FETCH(xor_fetch, true, old ^ operand)
WEFT_WIDE_FETCH(nand_fetch, true, ~(old & operand))

}  // extern "C"
