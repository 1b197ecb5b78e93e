#include "detect/race.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <string>
#include <unordered_map>

#include "detect/lifetime.hpp"
#include "runtime/execution.hpp"
#include "runtime/memory_access.hpp"
#include "runtime/unsupported.hpp"

namespace weft::race {
namespace {

// By thread and index; what the run has not met is of earlier runs.
std::vector<std::vector<const void*>> atomic_places;
// Of atomic objects, by address, in this run.
std::unordered_map<std::uintptr_t, std::uint32_t> rebirths;

struct Side {
  ThreadId thread;
  std::uint32_t position;
  const void* place;
  std::string what;
};

std::string describe(bool atomic, bool is_free, AccessKind kind, std::size_t size) {
  if (is_free) return "free";
  return fmt::format("{}{} of {} byte{}", atomic ? "atomic " : "", kind == AccessKind::read ? "read" : "write", size,
                     size == 1 ? "" : "s");
}

[[noreturn]] void report(Execution& execution, std::uintptr_t address, std::size_t size, Side earlier, Side later) {
  {
    const Execution::Outside outside;
    const std::string name = execution.memory().objects.find(address);
    execution.report({.kind = FindingKind::data_race,
                      .message = fmt::format("{}{} by thread {} and {} by thread {}: nothing orders them",
                                             name.empty() ? "" : name + ": ", earlier.what, index(earlier.thread),
                                             later.what, index(later.thread)),
                      .sites = {{earlier.thread, earlier.position, earlier.place, std::move(earlier.what)},
                                {later.thread, later.position, later.place, std::move(later.what)}},
                      .address = address,
                      .size = size,
                      .frame = stack_frame_of(execution, address)});
  }
  execution.halt_thread();
}

// Finds the clock only if it is needed: most memory is met by one thread alone.
bool is_ordered(Execution& execution, const ShadowAccess& earlier) {
  return earlier.thread == index(execution.running().id) ||
         execution.clock()[earlier.thread] > static_cast<ClockTick>(earlier.position);
}

// Whether a use by `thread` after its first `position` events may as well come after the running thread, which gives
// the block back here: it may unless it is in that thread's past, synchronized or not. (A block from before the
// execution stays where it is, so there only a race can be told.) In which order the two came in this run must not
// matter: another run of the same execution, such as a replay, may have the other one.
bool may_come_after_free(Execution& execution, std::uintptr_t block, std::uint8_t thread, std::uint32_t position) {
  if (!arena::contains(block)) return false;
  const Execution::Thread& self = execution.running();
  if (self.position == 0) return true;
  const ExecutionGraph& graph = execution.graph();
  return graph.porf(graph.thread(self.id)[self.position - 1])[thread] <= static_cast<ClockTick>(position);
}

[[noreturn]] void report_plain(Execution& execution, std::uintptr_t cell_address, const ShadowAccess& earlier,
                               const ShadowAccess& later) {
  if (later.is_free && may_come_after_free(execution, cell_address, earlier.thread, earlier.position))
    lifetime::report_use_after_free(execution, cell_address, earlier);
  const auto first = static_cast<std::size_t>(std::countr_zero(later.bytes));
  const auto size = static_cast<std::size_t>(std::popcount(later.bytes));
  report(execution, cell_address + first, size,
         {ThreadId{earlier.thread}, earlier.position, earlier.place,
          describe(false, earlier.is_free, earlier.kind, static_cast<std::size_t>(std::popcount(earlier.bytes)))},
         {ThreadId{later.thread}, later.position, later.place, describe(false, later.is_free, later.kind, size)});
}

// The atomic object of a cell that holds byte `offset`.
struct ObjectInCell {
  std::size_t offset;
  std::size_t size;
};

ObjectInCell object_at(const ShadowCell& cell, std::size_t offset) {
  std::size_t begin = offset;
  while ((cell.atomic_starts >> begin & 1) == 0) --begin;
  std::size_t end = begin + 1;
  while (end < 8 && (cell.atomic_bytes >> end & 1) != 0 && (cell.atomic_starts >> end & 1) == 0) ++end;
  return {begin, end - begin};
}

LocationKey key_of(const ShadowCell& cell, std::uintptr_t address) {
  std::uint32_t generation = 0;
  if (cell.reborn) {
    const auto found = rebirths.find(address);
    if (found != rebirths.end()) generation = found->second;
  }
  return LocationKey::of_memory(address, generation);
}

bool has_run(Execution& execution, const Event& e) { return execution.thread(e.thread).position > e.index; }

/// Finds an event of the object that is unordered with a plain access of the running thread; kNoEvent if there is none.
/// `newest` is set to the newest write so far.
EventId find_unordered(Execution& execution, LocationId l, AccessKind kind, EventId& newest) {
  const ExecutionGraph& graph = execution.graph();
  const ThreadId self = execution.running().id;
  const ClockView clock = execution.clock();
  newest = kNoEvent;
  if (!graph.has_location(l)) return kNoEvent;
  const ExecutionGraph::Location& location = graph.location(l);
  for (const EventId w : location.writes) {
    if (!has_run(execution, graph[w])) continue;
    if (graph[w].thread != self && !covers(clock, graph[w])) return w;
    newest = w;
  }
  if (kind == AccessKind::read) return kNoEvent;
  for (const EventId r : location.reads) {
    if (has_run(execution, graph[r]) && graph[r].thread != self && !covers(clock, graph[r])) return r;
  }
  return kNoEvent;
}

void end_object(ShadowCell& cell, std::uintptr_t cell_address, ObjectInCell object) {
  const std::uint8_t bytes = shadow::byte_mask(object.offset, object.size);
  cell.atomic_bytes = static_cast<std::uint8_t>(cell.atomic_bytes & ~bytes);
  cell.atomic_starts = static_cast<std::uint8_t>(cell.atomic_starts & ~bytes);
  cell.reborn = true;
  ++rebirths[cell_address + object.offset];
}

// A plain access to an atomic object that is ordered with all its events. A read finds the newest write, which must be
// in memory: a re-run may have stored the object's values in another order. After a write there the object is another
// one: everyone who may still touch it does so after the write. So neither needs an event.
void meet_atomic_object(Execution& execution, ShadowCell& cell, std::uintptr_t cell_address, ObjectInCell object,
                        const ShadowAccess& access) {
  const std::uintptr_t address = cell_address + object.offset;
  const std::optional<LocationId> l = execution.memory().locations.find(key_of(cell, address));
  if (l) {
    EventId newest = kNoEvent;
    const EventId other = find_unordered(execution, *l, access.kind, newest);
    if (other != kNoEvent) {
      const Event& e = execution.graph()[other];
      const AccessKind kind = e.kind == EventKind::read ? AccessKind::read : AccessKind::write;
      if (access.is_free && may_come_after_free(execution, address, static_cast<std::uint8_t>(e.thread), e.index)) {
        lifetime::report_use_after_free(execution, cell_address,
                                        {.position = e.index,
                                         .thread = static_cast<std::uint8_t>(e.thread),
                                         .bytes = shadow::byte_mask(object.offset, object.size),
                                         .kind = kind,
                                         .place = place_of_atomic(e.thread, e.index)});
      }
      report(execution, address, object.size,
             {e.thread, e.index, place_of_atomic(e.thread, e.index), describe(true, false, kind, object.size)},
             {ThreadId{access.thread}, access.position, access.place,
              describe(false, access.is_free, access.kind, static_cast<std::size_t>(std::popcount(access.bytes)))});
    }
    if (newest != kNoEvent) {
      const Value value = execution.graph()[newest].value;
      keep_for_undo(reinterpret_cast<const void*>(address), object.size);
      std::memcpy(reinterpret_cast<void*>(address), &value, object.size);
    }
  }
  if (access.kind == AccessKind::read || access.is_free) return;
  const Execution::Outside outside;
  end_object(cell, cell_address, object);
}

void meet_atomic_objects(Execution& execution, ShadowCell& cell, std::uintptr_t cell_address,
                         const ShadowAccess& access) {
  for (std::size_t offset = 0; offset < 8;) {
    if ((cell.atomic_bytes & access.bytes) >> offset == 0) return;
    if ((cell.atomic_bytes & access.bytes & 1u << offset) == 0) {
      ++offset;
      continue;
    }
    const ObjectInCell object = object_at(cell, offset);
    meet_atomic_object(execution, cell, cell_address, object, access);
    offset = object.offset + object.size;
  }
}

// Compares with one remembered access; true if the new access makes all of it superfluous.
bool compare(Execution& execution, std::uintptr_t cell_address, ShadowAccess& earlier, const ShadowAccess& access) {
  if ((earlier.bytes & access.bytes) == 0) return false;
  if (!is_ordered(execution, earlier)) {
    if (earlier.kind == AccessKind::write || access.kind == AccessKind::write)
      report_plain(execution, cell_address, earlier, access);
    return false;
  }
  if (access.kind == AccessKind::read && earlier.kind == AccessKind::write) return false;
  earlier.bytes = static_cast<std::uint8_t>(earlier.bytes & ~access.bytes);
  return earlier.bytes == 0;
}

void remember(Execution& execution, ShadowCell& cell, std::uintptr_t cell_address, const ShadowAccess& access) {
  std::size_t kept = 0;
  const std::size_t in_cell = cell.count;
  for (std::size_t i = 0; i < in_cell; ++i) {
    if (!compare(execution, cell_address, cell.accesses[i], access)) cell.accesses[kept++] = cell.accesses[i];
  }
  cell.count = static_cast<std::uint8_t>(kept);
  if (cell.more != 0) {
    std::vector<ShadowAccess>& more = shadow::overflow(cell);
    std::erase_if(more, [&](ShadowAccess& earlier) { return compare(execution, cell_address, earlier, access); });
  }
  if (cell.count < ShadowCell::kInline) {
    cell.accesses[cell.count] = cell.accesses[0];
    ++cell.count;
  } else {
    const Execution::Outside outside;
    shadow::overflow(cell).push_back(cell.accesses[0]);
  }
  cell.accesses[0] = access;  // the newest is first: it is the one most likely to be repeated
}

}  // namespace

void begin_run() { rebirths.clear(); }

void plain_access(Execution& execution, ShadowCell& cell, std::uintptr_t cell_address, ShadowAccess access) {
  if (!cell.is_ordinary()) {
    access.bytes = static_cast<std::uint8_t>(access.bytes & ~cell.racy_bytes);
    if (access.bytes == 0) return;
    if ((cell.atomic_bytes & access.bytes) != 0) meet_atomic_objects(execution, cell, cell_address, access);
  }
  remember(execution, cell, cell_address, access);
}

void end_objects(std::uintptr_t address, std::size_t size) {
  for (const std::uintptr_t end = address + size; address < end; ++address) {
    ShadowCell* const cell = shadow::cell_of(address);
    const std::size_t offset = address & 7;
    if (cell != nullptr && (cell->atomic_bytes >> offset & 1) != 0)
      end_object(*cell, address - offset, object_at(*cell, offset));
  }
}

AtomicObject atomic_object(Execution& execution, std::uintptr_t address, std::size_t size, const void* place) {
  if ((address & (size - 1)) != 0) {  // sizes are powers of two; a division would cost as much as all the rest
    refuse(
        execution,
        fmt::format("atomic access of {} bytes at an address that is no multiple of {}: align the object", size, size),
        place);
  }
  const shadow::CellRecord record = shadow::record_of(address);
  if (record.flags == nullptr) return {.location = LocationKey::of(LocationKey::Space::memory, address), .address = address, .size = size};
  ShadowCell* const cell = &record.of_this_run();
  const std::size_t offset = address & 7;
  const std::uint8_t bytes = shadow::byte_mask(offset, size);
  if ((cell->atomic_bytes & bytes) != 0) {
    const std::size_t first =
        static_cast<std::size_t>(std::countr_zero(static_cast<std::uint8_t>(cell->atomic_bytes & bytes)));
    const ObjectInCell other = object_at(*cell, first);
    if (other.offset != offset || other.size != size) {
      refuse(execution,
             fmt::format("atomic access of {} bytes to memory that is an atomic object of {} bytes: Weft does not "
                         "explore mixed-size "
                         "atomics; use one size",
                         size, other.size),
             place);
    }
  } else {
    if (shadow::flag_cells(address, size, shadow::kFull) && shadow::uses_levels)
      execution.request_repeat();  // plain accesses before this one
    cell->atomic_bytes = static_cast<std::uint8_t>(cell->atomic_bytes | bytes);
    cell->atomic_starts = static_cast<std::uint8_t>(cell->atomic_starts | 1u << offset);
  }
  const LocationKey key = key_of(*cell, address);
  if (key.generation() == LocationKey::kMaxGeneration) {
    const Execution::Outside outside;
    execution.report({.kind = FindingKind::limit,
                      .message = fmt::format(
                          "more than {} atomic objects, one after the other, at one address of a stack: make them "
                          "outside of the loop",
                          LocationKey::kMaxGeneration),
                      .sites = {{execution.running().id, execution.running().position, place, "one more"}}});
    execution.halt_thread();
  }
  return {.location = key, .address = address, .size = size, .flags = record.flags, .cell = cell};
}

void atomic_access(Execution& execution, AccessKind kind, const AtomicObject& object, const void* place) {
  const Execution::Thread& t = execution.running();
  const std::uint32_t event = t.position - 1;
  if (atomic_places.size() <= index(t.id) || atomic_places[index(t.id)].size() <= event) {
    const Execution::Outside outside;
    if (atomic_places.size() <= index(t.id)) atomic_places.resize(index(t.id) + 1);
    atomic_places[index(t.id)].resize(2 * event + 16, nullptr);
  }
  atomic_places[index(t.id)][event] = place;
  if (kind == AccessKind::write && event > 0 &&
      execution.graph()[execution.graph().thread(t.id)[event]].is_write_part()) {
    atomic_places[index(t.id)][event - 1] = place;
  }

  if (object.cell == nullptr) return;
  const std::uintptr_t address = object.address;
  const std::size_t size = object.size;
  if ((*object.flags & shadow::kFreed) != 0) lifetime::check_use(execution, address, size, kind, place);
  const ShadowCell* const cell = object.cell;
  if (cell->count == 0 && cell->more == 0) return;
  const std::uint8_t bytes = shadow::byte_mask(address & 7, size);
  if ((cell->racy_bytes & bytes) != 0) return;
  const auto check = [&](const ShadowAccess& earlier) {
    if ((earlier.bytes & bytes) == 0 || is_ordered(execution, earlier)) return;
    if (earlier.kind == AccessKind::read && kind == AccessKind::read) return;
    report(execution, address, size,
           {ThreadId{earlier.thread}, earlier.position, earlier.place,
            describe(false, earlier.is_free, earlier.kind, static_cast<std::size_t>(std::popcount(earlier.bytes)))},
           {t.id, event, place, describe(true, false, kind, size)});
  };
  for (std::size_t i = 0; i < cell->count; ++i) check(cell->accesses[i]);
  if (cell->more != 0) {
    for (const ShadowAccess& earlier : shadow::overflow(*object.cell)) check(earlier);
  }
}

const void* place_of_atomic(ThreadId thread, std::uint32_t event) {
  if (index(thread) >= atomic_places.size() || event >= atomic_places[index(thread)].size()) return nullptr;
  return atomic_places[index(thread)][event];
}

}  // namespace weft::race
