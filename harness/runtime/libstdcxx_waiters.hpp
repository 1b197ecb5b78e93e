// libstdc++'s count of threads in std::atomic::wait (bits/atomic_wait.h, __waiter_pool_base::_M_wait).
//
// The count lets notify skip the futex call when nobody waits. It is no part of what the scenario does, yet its operations multiply the
// executions of every wait. And in the C++ memory model it is not even right: the stores before a notify need not be seq_cst, so
// that a notifier may see no waiter while the waiter sees the old value; processors do not do that. So inside an execution the count
// reads as one and is never written: notify always asks the futex, which knows (hooks_futex.cpp).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace weft {

#ifdef _GLIBCXX_HAVE_LINUX_FUTEX
// The scenario's pools, `__w` in _S_for(), by their linker name: calling _S_for() here would give the engine pools of its own (LinkEngine.cmake).
// Null if the scenario has none.
extern "C" [[gnu::weak]] const std::byte libstdcxx_waiter_pools[] __asm__("_ZZNSt8__detail18__waiter_pool_base6_S_forEPKvE3__w");
#endif

inline bool counts_libstdcxx_waiters(const volatile void* address) {
#ifdef _GLIBCXX_HAVE_LINUX_FUTEX
  using Pool = std::__detail::__waiter_pool_base;
  constexpr std::size_t kPools = 16;  // __ct in _S_for
  const std::uintptr_t pools = reinterpret_cast<std::uintptr_t>(libstdcxx_waiter_pools);
  const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(address) - pools;
  // `_M_wait` is the first member of each pool.
  return pools != 0 && offset < kPools * sizeof(Pool) && offset % sizeof(Pool) == 0;
#else
  return false;
#endif
}

}  // namespace weft
