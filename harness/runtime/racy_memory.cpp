#include "runtime/racy_memory.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <bit>
#include <cstring>

#include "detect/race.hpp"
#include "runtime/execution.hpp"
#include "runtime/memory_access.hpp"
#include "runtime/racy_stack.hpp"
#include "runtime/statements.hpp"
#include "weft/weft.hpp"

namespace weft {

bool promote(ExplorationMemory& memory, const PromotedMemory::Range& range) {
  const std::vector<PromotedMemory::Range>& known = memory.promoted.ranges();
  const bool covered = std::any_of(known.begin(), known.end(), [&](const PromotedMemory::Range& other) {
    return other.frame == range.frame && other.begin <= range.begin &&
           range.begin + range.size <= other.begin + other.size;
  });
  if (!covered) memory.promoted.add(range);
  return !covered;
}

namespace racy_memory {

bool has_pending_writes = false;

namespace {

struct PendingWrite {
  AtomicObject object;
  Value before;  // what memory held; the location's initial value if nobody has accessed it yet
  Value value;   // what the write put there
  const void* place;
};

std::vector<PendingWrite> pending;  // of the running thread
bool has_set_aside = false;         // in this run
// Of each thread: other threads run while these become events, or while a read comes before them.
std::array<std::vector<PendingWrite>, kMaxThreads> set_aside;

Value load(std::uintptr_t address, std::size_t size) {
  Value value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(address), size);
  return value;
}

void store(std::uintptr_t address, std::size_t size, Value value) {
  std::memcpy(reinterpret_cast<void*>(address), &value, size);
}

void access_object(Execution& execution, AccessKind kind, std::uintptr_t address, std::size_t size, const void* place) {
  const AtomicObject object = race::atomic_object(execution, address, size, place);
  keep_for_undo(object);
  if (kind == AccessKind::write) {
    const Execution::Outside outside;
    pending.push_back({object, load(address, size), 0, place});
    has_pending_writes = true;
    return;
  }
  const Step step = execution.perform({.kind = OperationKind::read,
                                       .order = Order::relaxed,
                                       .size = static_cast<std::uint8_t>(size),
                                       .plain_access = true,
                                       .location = object.location,
                                       .place = place});
  race::atomic_access(execution, kind, object, place);
  store(address, size, step.value);
}

}  // namespace

void begin_run(Execution& execution) {
  pending.clear();
  if (std::exchange(has_set_aside, false)) {
    for (std::vector<PendingWrite>& writes : set_aside) writes.clear();
  }
  has_pending_writes = false;
  racy_stack::begin_run();
  for (const PromotedMemory::Range& range : execution.memory().promoted.ranges()) {
    if (range.frame) {
      racy_stack::watch(range, false);
    } else {
      mark(range.begin, range.size);
    }
  }
}

void mark(std::uintptr_t address, std::size_t size) {
  for (const std::uintptr_t end = address + size; address < end;) {
    const std::size_t offset = address & 7;
    const std::size_t length = std::min(8 - offset, end - address);
    if (ShadowCell* const cell = shadow::cell_of(address)) {
      shadow::flag_cells(address, length, shadow::kFull);
      cell->racy_bytes = static_cast<std::uint8_t>(cell->racy_bytes | shadow::byte_mask(offset, length));
    }
    address += length;
  }
}

void unmark(std::uintptr_t address, std::size_t size) {
  race::end_objects(address, size);
  for (const std::uintptr_t end = address + size; address < end; ++address) {
    if (ShadowCell* const cell = shadow::cell_of(address))
      cell->racy_bytes = static_cast<std::uint8_t>(cell->racy_bytes & ~shadow::byte_mask(address & 7, 1));
  }
}

// Splits what is accessed into naturally aligned objects, so that one access of a type is one operation.
void access(Execution& execution, AccessKind kind, std::uintptr_t cell_address, std::uint8_t bytes, const void* place) {
  std::size_t offset = 0;
  while (bytes >> offset != 0) {
    if ((bytes >> offset & 1) == 0) {
      ++offset;
      continue;
    }
    const auto length = static_cast<std::size_t>(std::countr_one(static_cast<std::uint8_t>(bytes >> offset)));
    std::size_t size = std::bit_floor(length);
    while (offset % size != 0) size /= 2;
    access_object(execution, kind, cell_address + offset, size, place);
    offset += size;
  }
}

namespace {

/// True if the access that is announced at `place` belongs to the statement of the pending writes, and they have not been
/// done yet.
bool is_of_their_statement(AccessKind kind, std::uintptr_t address, std::size_t size, const void* place) {
  // Between the two calls is only what computes an address.
  constexpr std::ptrdiff_t kFarthest = 256;
  for (const PendingWrite& write : pending) {
    const std::ptrdiff_t distance = static_cast<const char*>(place) - static_cast<const char*>(write.place);
    if (distance <= 0 || distance > kFarthest) return false;
    const auto [at, length] = std::pair(write.object.address, write.object.size);
    if (kind == AccessKind::write && (at < address || at + length > address + size)) return false;
    if (load(at, length) != write.before) return false;
  }
  return !pending.empty() && are_of_one_statement(pending.front().place, place);
}

/// What is pending, until the running thread has dealt with it.
std::vector<PendingWrite>& set_pending_aside(Execution& execution) {
  has_pending_writes = false;
  has_set_aside = true;
  std::vector<PendingWrite>& writes = set_aside[index(execution.running().id)];
  writes.swap(pending);
  pending.clear();
  return writes;
}

}  // namespace

bool comes_before_pending_writes(Execution& execution, AccessKind kind, std::uintptr_t address, std::size_t size,
                                 const void* place) {
  const Execution::Outside outside;
  if (!is_of_their_statement(kind, address, size, place)) {
    add_pending_writes(execution);
    return false;
  }
  std::vector<PendingWrite>& writes = set_pending_aside(execution);
  if (kind == AccessKind::write) writes.clear();
  return kind == AccessKind::read;
}

void announce_again(Execution& execution) {
  std::vector<PendingWrite>& writes = set_aside[index(execution.running().id)];
  for (const PendingWrite& write : writes)
    access_object(execution, AccessKind::write, write.object.address, write.object.size, write.place);
  const Execution::Outside outside;
  writes.clear();
}

void add_pending_writes(Execution& execution) {
  const Execution::Outside outside;  // copying the values is no access of the scenario's
  std::vector<PendingWrite>& writes = set_pending_aside(execution);
  // No other thread may see the values before the events are there, not even as a location's initial value.
  for (PendingWrite& write : writes) {
    write.value = load(write.object.address, write.object.size);
    store(write.object.address, write.object.size, write.before);
  }
  for (const PendingWrite& write : writes) {
    execution.perform({.kind = OperationKind::write,
                       .order = Order::relaxed,
                       .size = static_cast<std::uint8_t>(write.object.size),
                       .plain_access = true,
                       .location = write.object.location,
                       .operand = write.value,
                       .place = write.place});
    race::atomic_access(execution, AccessKind::write, write.object, write.place);
    store(write.object.address, write.object.size, write.value);
  }
  writes.clear();
}

}  // namespace racy_memory
void detail::mark_racy(const volatile void* address, std::size_t size) {
  Execution* const execution = Execution::current();
  if (execution == nullptr) return;
  const Execution::Outside outside;
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  racy_memory::mark(begin, size);
  if (const StackFrame frame = stack_frame_of(*execution, begin)) racy_stack::watch({begin, size, frame}, true);
}

}  // namespace weft
