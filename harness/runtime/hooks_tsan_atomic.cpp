// The calls that -fsanitize=thread puts in place of atomic operations.
//
// Interface: gcc's sanitizer.def and clang's ThreadSanitizer.cpp (tsan_interface_atomic.h). Inside an execution each is
// one visible operation; what it wrote is also stored in memory, so that code without hooks (memcpy in a library, a
// debugger) sees it. Outside of an execution each is the real operation, sequentially consistent.
//
// Not explored:
// - A weak compare-exchange never fails spuriously: a loop around it would only be longer, and code without a loop
// around it
//   is better found by reading it.
#include <cstdint>

#include "runtime/execution.hpp"
#include "runtime/libstdcxx_waiters.hpp"
#include "runtime/memory_access.hpp"
#include "runtime/unsupported.hpp"

namespace weft {
namespace {

Order order_of(int order) {
  switch (order & 0xffff) {  // above them are gcc's hints for lock elision
    case __ATOMIC_RELAXED:
      return Order::relaxed;
    case __ATOMIC_CONSUME:  // every compiler makes it acquire
    case __ATOMIC_ACQUIRE:
      return Order::acquire;
    case __ATOMIC_RELEASE:
      return Order::release;
    case __ATOMIC_ACQ_REL:
      return Order::acq_rel;
    default:
      return Order::seq_cst;
  }
}

template <class T>
void store_in_memory(const AtomicObject& object, volatile T* address, T value) {
  keep_for_undo(object);
  *address = value;
}

template <class T>
T load(const volatile T* address, int order, const void* place) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return __atomic_load_n(address, __ATOMIC_SEQ_CST);
  if (counts_libstdcxx_waiters(address)) [[unlikely]] return 1;
  const AtomicObject object = atomic_object(*execution, address, sizeof(T), place);
  const Step step = execution->perform({.kind = OperationKind::read,
                                        .order = order_of(order),
                                        .size = sizeof(T),
                                        .location = object.location,
                                        .place = place});
  atomic_access(*execution, AccessKind::read, object, place);
  return static_cast<T>(step.value);
}

template <class T>
void store(volatile T* address, T value, int order, const void* place) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return __atomic_store_n(address, value, __ATOMIC_SEQ_CST);
  const AtomicObject object = atomic_object(*execution, address, sizeof(T), place);
  execution->perform({.kind = OperationKind::write,
                      .order = order_of(order),
                      .size = sizeof(T),
                      .location = object.location,
                      .operand = value,
                      .place = place});
  atomic_access(*execution, AccessKind::write, object, place);
  store_in_memory(object, address, value);
}

// What a fetch operation makes of the old value. Each type has the operation on unsigned values, which wrap around.
template <class T>
struct Exchange {
  static T apply(T, T operand) { return operand; }
};
template <class T>
struct Add {
  static T apply(T old, T operand) { return static_cast<T>(old + operand); }
};
template <class T>
struct Sub {
  static T apply(T old, T operand) { return static_cast<T>(old - operand); }
};
template <class T>
struct And {
  static T apply(T old, T operand) { return static_cast<T>(old & operand); }
};
template <class T>
struct Or {
  static T apply(T old, T operand) { return static_cast<T>(old | operand); }
};
template <class T>
struct Xor {
  static T apply(T old, T operand) { return static_cast<T>(old ^ operand); }
};
template <class T>
struct Nand {
  static T apply(T old, T operand) { return static_cast<T>(~(old & operand)); }
};

template <class T, template <class> class Change>
Decision decide_fetch(const Operation& operation, Value old, Value& result) {
  result = Change<T>::apply(static_cast<T>(old), static_cast<T>(operation.operand));
  return Decision::write;
}

template <template <class> class Change, class T>
T fetch(volatile T* address, T operand, int order, const void* place) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) {
    T old = __atomic_load_n(address, __ATOMIC_SEQ_CST);
    while (!__atomic_compare_exchange_n(address, &old, Change<T>::apply(old, operand), false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST)) {
    }
    return old;
  }
  if (counts_libstdcxx_waiters(address)) [[unlikely]] return 1;
  const AtomicObject object = atomic_object(*execution, address, sizeof(T), place);
  const Step step = execution->perform({.kind = OperationKind::rmw,
                                        .order = order_of(order),
                                        .size = sizeof(T),
                                        .location = object.location,
                                        .operand = operand,
                                        .decide = &decide_fetch<T, Change>,
                                        .place = place});
  atomic_access(*execution, AccessKind::write, object, place);
  const T old = static_cast<T>(step.value);
  store_in_memory(object, address, Change<T>::apply(old, operand));
  return old;
}

Decision decide_compare_exchange(const Operation& operation, Value old, Value& result) {
  if (old != operation.expected) return Decision::keep;
  result = operation.operand;
  return Decision::write;
}

/// Returns the old value; the exchange took place if that is `expected`.
template <class T>
T compare_exchange(volatile T* address, T expected, T desired, int order, int failure, const void* place) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) {
    __atomic_compare_exchange_n(address, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return expected;
  }
  const AtomicObject object = atomic_object(*execution, address, sizeof(T), place);
  const Step step = execution->perform({.kind = OperationKind::rmw,
                                        .order = order_of(order),
                                        .failure_order = order_of(failure),
                                        .size = sizeof(T),
                                        .location = object.location,
                                        .operand = desired,
                                        .expected = expected,
                                        .decide = &decide_compare_exchange,
                                        .place = place});
  atomic_access(*execution, step.wrote ? AccessKind::write : AccessKind::read, object, place);
  if (step.wrote) store_in_memory(object, address, desired);
  return static_cast<T>(step.value);
}

/// gcc's form: a failed exchange leaves what it found in `*expected`, which is an ordinary object of the scenario.
template <class T>
int compare_exchange_into(volatile T* address, T* expected, T desired, int order, int failure, const void* place) {
  Execution* const execution = Execution::current();
  if (execution != nullptr) plain_access(*execution, AccessKind::read, expected, sizeof(T), place);
  const T wanted = *expected;
  const T old = compare_exchange(address, wanted, desired, order, failure, place);
  if (old == wanted) return 1;
  if (execution != nullptr) plain_access(*execution, AccessKind::write, expected, sizeof(T), place);
  *expected = old;
  return 0;
}

void fence(int order, const void* place) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (order_of(order) == Order::relaxed) return;
  execution->perform({.kind = OperationKind::fence, .order = order_of(order), .place = place});
}

}  // namespace
}  // namespace weft

#define WEFT_FETCH_HOOK(bits, type, name, change)                                     \
  type __tsan_atomic##bits##_##name(volatile type* a, type operand, int order) {      \
    return weft::fetch<weft::change>(a, operand, order, __builtin_return_address(0)); \
  }

#define WEFT_ATOMIC_HOOKS(bits, type)                                                                          \
  type __tsan_atomic##bits##_load(const volatile type* a, int order) {                                         \
    return weft::load(a, order, __builtin_return_address(0));                                                  \
  }                                                                                                            \
  void __tsan_atomic##bits##_store(volatile type* a, type value, int order) {                                  \
    weft::store(a, value, order, __builtin_return_address(0));                                                 \
  }                                                                                                            \
  WEFT_FETCH_HOOK(bits, type, exchange, Exchange)                                                              \
  WEFT_FETCH_HOOK(bits, type, fetch_add, Add)                                                                  \
  WEFT_FETCH_HOOK(bits, type, fetch_sub, Sub)                                                                  \
  WEFT_FETCH_HOOK(bits, type, fetch_and, And)                                                                  \
  WEFT_FETCH_HOOK(bits, type, fetch_or, Or)                                                                    \
  WEFT_FETCH_HOOK(bits, type, fetch_xor, Xor)                                                                  \
  WEFT_FETCH_HOOK(bits, type, fetch_nand, Nand)                                                                \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile type* a, type* expected, type desired, int order, \
                                                    int failure) {                                             \
    return weft::compare_exchange_into(a, expected, desired, order, failure, __builtin_return_address(0));     \
  }                                                                                                            \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile type* a, type* expected, type desired, int order,   \
                                                  int failure) {                                               \
    return weft::compare_exchange_into(a, expected, desired, order, failure, __builtin_return_address(0));     \
  }                                                                                                            \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type* a, type expected, type desired, int order,    \
                                                  int failure) {                                               \
    return weft::compare_exchange(a, expected, desired, order, failure, __builtin_return_address(0));          \
  }

// Sixteen bytes do not fit an event's value. The real operation is two machine words wide and needs cmpxchg16b, which
// not every build may use; a scenario that needs it outside of an execution gets the plain accesses that this makes.
#define WEFT_WIDE_FETCH_HOOK(name, change)                                                 \
  WideInteger __tsan_atomic128_##name(volatile WideInteger* a, WideInteger operand, int) { \
    weft::refuse_wide_atomic(sizeof *a, __builtin_return_address(0));                              \
    const WideInteger old = *a;                                                            \
    *a = weft::change<WideInteger>::apply(old, operand);                                   \
    return old;                                                                            \
  }

__extension__ typedef unsigned __int128 WideInteger;

extern "C" {

WEFT_ATOMIC_HOOKS(8, std::uint8_t)
WEFT_ATOMIC_HOOKS(16, std::uint16_t)
WEFT_ATOMIC_HOOKS(32, std::uint32_t)
WEFT_ATOMIC_HOOKS(64, std::uint64_t)

WideInteger __tsan_atomic128_load(const volatile WideInteger* a, int) {
  weft::refuse_wide_atomic(sizeof *a, __builtin_return_address(0));
  return *a;
}
void __tsan_atomic128_store(volatile WideInteger* a, WideInteger value, int) {
  weft::refuse_wide_atomic(sizeof *a, __builtin_return_address(0));
  *a = value;
}
WEFT_WIDE_FETCH_HOOK(exchange, Exchange)
WEFT_WIDE_FETCH_HOOK(fetch_add, Add)
WEFT_WIDE_FETCH_HOOK(fetch_sub, Sub)
WEFT_WIDE_FETCH_HOOK(fetch_and, And)
WEFT_WIDE_FETCH_HOOK(fetch_or, Or)
WEFT_WIDE_FETCH_HOOK(fetch_xor, Xor)
WEFT_WIDE_FETCH_HOOK(fetch_nand, Nand)
WideInteger __tsan_atomic128_compare_exchange_val(volatile WideInteger* a, WideInteger expected, WideInteger desired,
                                                  int, int) {
  weft::refuse_wide_atomic(sizeof *a, __builtin_return_address(0));
  const WideInteger old = *a;
  if (old == expected) *a = desired;
  return old;
}
int __tsan_atomic128_compare_exchange_strong(volatile WideInteger* a, WideInteger* expected, WideInteger desired, int,
                                             int) {
  weft::refuse_wide_atomic(sizeof *a, __builtin_return_address(0));
  const WideInteger old = *a;
  if (old == *expected) {
    *a = desired;
    return 1;
  }
  *expected = old;
  return 0;
}
int __tsan_atomic128_compare_exchange_weak(volatile WideInteger* a, WideInteger* expected, WideInteger desired,
                                           int order, int failure_order) {
  return __tsan_atomic128_compare_exchange_strong(a, expected, desired, order, failure_order);
}

void __tsan_atomic_thread_fence(int order) { weft::fence(order, __builtin_return_address(0)); }
// Orders a thread with its own signal handlers; Weft runs no signal handlers of the scenario.
void __tsan_atomic_signal_fence(int) {}

}  // extern "C"
