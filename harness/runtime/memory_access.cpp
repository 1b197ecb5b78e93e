#include "runtime/memory_access.hpp"

#include <algorithm>

#include "detect/race.hpp"
#include "runtime/execution.hpp"
#include "runtime/racy_memory.hpp"
#include "runtime/undo_log.hpp"

namespace weft {
namespace {

std::uintptr_t number(const volatile void* address) { return reinterpret_cast<std::uintptr_t>(address); }

bool is_own_stack(const Execution::Thread& t, std::uintptr_t address) {
  const std::uintptr_t top = arena::stack_top(t.id);
  return top - arena::kStackSize <= address && address < top;
}

void keep_for_undo(ShadowCell& cell, std::uintptr_t cell_address, std::size_t offset, std::size_t size) {
  const std::uint8_t bytes = shadow::byte_mask(offset, size);
  if ((cell.kept_bytes & bytes) == bytes) return;
  cell.kept_bytes = static_cast<std::uint8_t>(cell.kept_bytes | bytes);
  undo_log::keep(reinterpret_cast<const void*>(cell_address + offset), size);
}

void access_cell(Execution& execution, ShadowCell& cell, std::uintptr_t cell_address, std::size_t offset,
                 std::size_t size, AccessKind kind, const void* place) {
  Execution::Thread& t = execution.running();
  const std::uint8_t bytes = shadow::byte_mask(offset, size);
  if (cell.is_ordinary()) {
    // The same thread did at least this since its last visible operation: nothing can have changed.
    for (std::size_t i = 0; i < cell.count; ++i) {
      const ShadowAccess& earlier = cell.accesses[i];
      if (earlier.thread == index(t.id) && earlier.position == t.position && (earlier.bytes & bytes) == bytes &&
          (earlier.kind == AccessKind::write || kind == AccessKind::read)) {
        return;
      }
    }
  }
  const Execution::Outside outside;  // what the engine does from here on is not the scenario's
  if (kind == AccessKind::write) {
    if (!arena::contains(cell_address)) keep_for_undo(cell, cell_address, offset, size);
    if (!is_own_stack(t, cell_address)) execution.wrote_plain_memory();
  }
  const ShadowAccess access{
      .position = t.position, .thread = static_cast<std::uint8_t>(t.id), .bytes = bytes, .kind = kind, .place = place};
  if (cell.is_untouched()) {
    cell.accesses[0] = access;
    cell.count = 1;
    return;
  }
  race::plain_access(execution, cell, cell_address, access);
  if ((cell.racy_bytes & bytes) != 0) {
    racy_memory::access(execution, kind, cell_address, static_cast<std::uint8_t>(cell.racy_bytes & bytes), place);
  }
}

}  // namespace

void plain_access(Execution& execution, AccessKind kind, const volatile void* address, std::size_t size,
                  const void* place) {
  if (racy_memory::has_pending_writes) [[unlikely]]
    racy_memory::add_pending_writes(execution);
  std::uintptr_t at = number(address);
  for (const std::uintptr_t end = at + size; at < end;) {
    const std::size_t offset = at & 7;
    const std::size_t length = std::min(8 - offset, static_cast<std::size_t>(end - at));
    if (ShadowCell* const cell = shadow::cell_of(at))
      access_cell(execution, *cell, at - offset, offset, length, kind, place);
    at += length;
  }
}

LocationKey atomic_object(Execution& execution, const volatile void* address, std::size_t size, const void* place) {
  const Execution::Outside outside;
  return race::atomic_object(execution, number(address), size, place);
}

void atomic_access(Execution& execution, AccessKind kind, const volatile void* address, std::size_t size,
                   const void* place) {
  const Execution::Outside outside;
  race::atomic_access(execution, kind, number(address), size, place);
}

void keep_for_undo(const volatile void* address, std::size_t size) {
  std::uintptr_t at = number(address);
  if (arena::contains(at)) return;
  for (const std::uintptr_t end = at + size; at < end;) {
    const std::size_t offset = at & 7;
    const std::size_t length = std::min(8 - offset, static_cast<std::size_t>(end - at));
    if (ShadowCell* const cell = shadow::cell_of(at)) keep_for_undo(*cell, at - offset, offset, length);
    at += length;
  }
}

}  // namespace weft
