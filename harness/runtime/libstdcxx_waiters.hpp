// libstdc++'s count of threads in std::atomic::wait (bits/atomic_wait.h, __waiter_pool_base::_M_wait).
//
// The count lets notify skip the futex call when nobody waits. It is no part of what the scenario does, yet its operations multiply the
// executions of every wait. And in the C++ memory model it is not even right: the stores before a notify need not be seq_cst, so
// that a notifier may see no waiter while the waiter sees the old value; processors do not do that. So inside an execution the count
// reads as one and is never written: notify always asks the futex, which knows (hooks_futex.cpp).
#pragma once

#include <atomic>
#include <cstdint>

namespace weft {

inline bool counts_libstdcxx_waiters(const volatile void* address) {
#ifdef _GLIBCXX_HAVE_LINUX_FUTEX
  using Pool = std::__detail::__waiter_pool_base;
  constexpr std::size_t kPools = 16;  // __ct in _S_for
  // The pool of address 0 is the first of them; `_M_wait` is the first member of each.
  const std::uintptr_t offset =
      reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(&Pool::_S_for(nullptr));
  return offset < kPools * sizeof(Pool) && offset % sizeof(Pool) == 0;
#else
  return false;
#endif
}

}  // namespace weft
