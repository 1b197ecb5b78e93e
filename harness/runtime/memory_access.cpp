#include "runtime/memory_access.hpp"

#include <algorithm>
#include <bit>

#include "detect/lifetime.hpp"
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

void tell_listener(Execution& execution, AccessKind kind, std::uintptr_t address, std::size_t size, const void* place) {
  if (execution.listener() == nullptr) return;
  const Execution::Outside outside;
  const Execution::Thread& t = execution.running();
  execution.listener()->plain_access({t.id, t.position, place}, kind == AccessKind::write, address, size);
}

void access_full(Execution& execution, ShadowCell& cell, std::uintptr_t cell_address, std::size_t offset,
                 std::size_t size, AccessKind kind, bool is_free, const void* place) {
  Execution::Thread& t = execution.running();
  const std::uint8_t bytes = shadow::byte_mask(offset, size);
  tell_listener(execution, kind, cell_address + offset, size, place);
  if (cell.run == shadow::current_run && cell.is_ordinary()) {
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
  const ShadowAccess access{.position = t.position,
                            .thread = static_cast<std::uint8_t>(t.id),
                            .bytes = bytes,
                            .kind = kind,
                            .is_free = is_free,
                            .place = place};
  if (cell.is_untouched()) {
    cell.accesses[0] = access;
    cell.count = 1;
    return;
  }
  race::plain_access(execution, cell, cell_address, access);
  if ((cell.racy_bytes & bytes) != 0 && !is_free) {
    racy_memory::access(execution, kind, cell_address, static_cast<std::uint8_t>(cell.racy_bytes & bytes), place);
  }
}

// True if the access is ordered with all others of the cell in this run, as far as the record in turns can tell.
bool takes_turn(Execution& execution, TurnCell& turns, AccessKind kind) {
  const Execution::Thread& t = execution.running();
  if (t.position > TurnCell::kMaxPosition) return false;
  const auto self = static_cast<std::uint8_t>(t.id);
  const std::uint64_t own_bit = std::uint64_t{1} << self;
  if (turns.run != shadow::current_run) {
    turns = {.run = shadow::current_run};
  } else if (turns.writer != self && turns.writer != TurnCell::kNobody &&
             execution.clock()[turns.writer] <= static_cast<ClockTick>(turns.write_position)) {
    return false;
  }
  if (kind == AccessKind::read) {
    turns.readers |= own_bit;
    return true;
  }
  // When the others read is not known. If all that they ever did is over and happened before, so did that.
  for (std::uint64_t others = turns.readers & ~own_bit; others != 0; others &= others - 1) {
    const auto reader = static_cast<std::uint16_t>(std::countr_zero(others));
    const Execution::Thread& other = execution.thread(ThreadId{reader});
    if (other.state != Execution::ThreadState::finished) return false;
    if (execution.clock()[reader] < static_cast<ClockTick>(other.position)) return false;
  }
  turns.writer = self;
  turns.write_position = t.position & TurnCell::kMaxPosition;
  turns.readers = 0;
  return true;
}

void access_cell(Execution& execution, const shadow::CellRecord& record, std::uintptr_t cell_address,
                 std::size_t offset, std::size_t size, AccessKind kind, bool is_free, const void* place) {
  if (record.flags == nullptr) return;
  const bool in_arena = arena::contains(cell_address);
  if (in_arena && *record.flags != shadow::kShared) {
    const ThreadId self = execution.running().id;
    if ((*record.flags & shadow::kFreed) != 0) lifetime::check_use(execution, cell_address + offset, size, kind, place);
    if ((*record.flags & shadow::kShared) == 0 && arena::owner(cell_address) != self) {
      shadow::flag_cells(cell_address, 1, shadow::kShared);
      if (shadow::uses_levels) execution.request_repeat();  // what the owner did there was not recorded
    }
  }
  if ((*record.flags & shadow::kFull) == 0 && shadow::uses_levels) {
    if (takes_turn(execution, *record.turns, kind)) {
      if (kind == AccessKind::write && !(in_arena && is_own_stack(execution.running(), cell_address))) {
        execution.wrote_plain_memory();
        if (!in_arena) {
          const Execution::Outside outside;
          keep_for_undo(record.of_this_run(), cell_address, offset, size);
        }
      }
      return;
    }
    shadow::flag_cells(cell_address, 1, shadow::kFull);
    execution.request_repeat();  // only the full record can tell whether it is a race
  }
  if (in_arena && !shadow::uses_levels && (*record.flags & shadow::kFull) == 0) {
    if (is_free) {  // nobody has met these bytes yet, and whoever does is sent to check_use(): a record would be large for nothing
      tell_listener(execution, kind, cell_address + offset, size, place);
      execution.wrote_plain_memory();
      return;
    }
    shadow::flag_cells(cell_address, 1, shadow::kFull);
  }
  access_full(execution, record.of_this_run(), cell_address, offset, size, kind, is_free, place);
}

void access_cells(Execution& execution, std::uintptr_t at, std::size_t size, AccessKind kind, bool is_free,
                  const void* place) {
  for (const std::uintptr_t end = at + size; at < end;) {
    const std::size_t offset = at & 7;
    const std::size_t length = std::min(8 - offset, static_cast<std::size_t>(end - at));
    access_cell(execution, shadow::record_of(at), at - offset, offset, length, kind, is_free, place);
    at += length;
  }
}

}  // namespace

void shared_access(Execution& execution, AccessKind kind, const volatile void* address, std::size_t size,
                   const void* place) {
  const bool comes_first = racy_memory::has_pending_writes &&
                           racy_memory::comes_before_pending_writes(execution, kind, number(address), size, place);
  access_cells(execution, number(address), size, kind, false, place);
  if (comes_first) [[unlikely]] racy_memory::announce_again(execution);
}

void free_access(Execution& execution, std::uintptr_t address, std::size_t size, const void* place) {
  if (racy_memory::has_pending_writes) racy_memory::add_pending_writes(execution);  // they came before the free
  access_cells(execution, address, size, AccessKind::write, true, place);
}

AtomicObject atomic_object(Execution& execution, const volatile void* address, std::size_t size, const void* place) {
  const Execution::Outside outside;
  return race::atomic_object(execution, number(address), size, place);
}

void atomic_access(Execution& execution, AccessKind kind, const AtomicObject& object, const void* place) {
  const Execution::Outside outside;
  race::atomic_access(execution, kind, object, place);
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

void keep_for_undo(const AtomicObject& object) {
  if (object.cell == nullptr || arena::contains(object.address)) return;
  const std::size_t offset = object.address & 7;
  keep_for_undo(*object.cell, object.address - offset, offset, object.size);
}

}  // namespace weft
