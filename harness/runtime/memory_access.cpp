#include "runtime/memory_access.hpp"

#include "runtime/execution.hpp"

namespace weft {

void plain_access(Execution&, AccessKind kind, const volatile void* address, std::size_t size, const void*) {
  if (kind == AccessKind::write) keep_for_undo(address, size);
}

LocationKey atomic_access(Execution&, AccessKind, const volatile void* address, std::size_t, const void*) {
  return LocationKey::of(LocationKey::Space::memory, address);
}

void keep_for_undo(const volatile void*, std::size_t) {}

}  // namespace weft
