// Shadow memory: what this run did to each byte of the scenario's memory.
//
// A cell stands for eight bytes and remembers accesses, each with a mask of bytes: the newest write of each byte, and
// all reads since that no other read makes superfluous. (FastTrack, Flanagan and Freund, PLDI 2009, keeps one epoch
// where reads are ordered and a vector where they are not; a short list of epochs is both.) Cells carry the number of
// their run, so that nothing is cleared between runs. The arena is shadowed by one mapping; all other memory page by
// page.
//
// Full records are dear, so a cell is kept at the cheapest of three levels that has sufficed so far in the exploration:
// - private: arena memory that only its owner has met. Nothing is recorded.
// - in turns: the newest write and who has read since (TurnCell). Enough to see that all accesses are ordered, as they
// are when threads
//   hand memory over; reads by many threads are fine too.
// - full: each access with its bytes and its place in the code (ShadowCell). Only these report races.
// When a level does not suffice, the cell goes up and the run is repeated (Execution::request_repeat): earlier runs
// were checked by the level that did suffice for them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime/arena.hpp"

namespace weft {

enum class AccessKind : std::uint8_t { read, write };

/// A plain access, remembered.
struct ShadowAccess {
  std::uint32_t position = 0;  ///< visible events of the thread before it
  std::uint8_t thread = 0;
  std::uint8_t bytes = 0;  ///< mask: which of the cell's bytes
  AccessKind kind = AccessKind::read;
  bool is_free = false;  ///< a write that gives the memory back
  const void* place = nullptr;
};

/// Not thread-safe, like everything of an execution.
struct alignas(64) ShadowCell {
  static constexpr std::size_t kInline = 3;

  std::uint32_t run = 0;
  std::uint8_t atomic_bytes = 0;   ///< bytes of atomic objects
  std::uint8_t atomic_starts = 0;  ///< first bytes of atomic objects
  std::uint8_t racy_bytes = 0;     ///< plain accesses there are performed as relaxed operations
  std::uint8_t count = 0;          ///< accesses remembered
  std::uint8_t kept_bytes = 0;     ///< outside the arena: what they held before the run is in the undo log
  bool reborn = false;             ///< an atomic object here follows another one
  std::uint32_t more = 0;          ///< accesses after the third are in the overflow list with this number
  std::array<ShadowAccess, kInline> accesses{};

  bool is_ordinary() const { return (atomic_bytes | racy_bytes) == 0; }
  /// Nothing was done there in this run.
  bool is_untouched() const { return is_ordinary() && count == 0 && more == 0; }
  /// Forgets another run. What is past `count` is never looked at: most cells are emptied once a run, and then hold one
  /// access.
  void start_run(std::uint32_t number) {
    run = number;
    atomic_bytes = atomic_starts = racy_bytes = 0;
    count = kept_bytes = 0;
    reborn = false;
    more = 0;
  }
};
static_assert(sizeof(ShadowCell) == 64);

/// The middle level: enough to see that accesses of a cell are ordered.
struct TurnCell {
  static constexpr std::uint32_t kNobody = 0xff;
  static constexpr std::uint32_t kMaxPosition = (1u << 24) - 1;

  std::uint32_t run = 0;
  std::uint32_t writer : 8 = kNobody;     ///< of the newest write
  std::uint32_t write_position : 24 = 0;  ///< its thread's visible events before it
  std::uint64_t readers = 0;              ///< bit per thread that has read since
};
static_assert(sizeof(TurnCell) == 16 && arena::kMaxSlots <= 64);

namespace shadow {

/// Reserves the address space; once per process. Throws std::runtime_error.
void reserve();
/// Begins a run: all cells of other runs count as empty.
void begin_run(std::uint32_t run);

/// What is known of eight bytes of the arena; 0: only its owner has met them, and in no special way.
enum CellFlag : std::uint8_t {
  kShared = 1,  ///< another thread than the owner has met them, in this exploration
  kFull = 2,    ///< they have a full record, in some run of this exploration: they may race, or hold an atomic or racy object
  kFreed = 4,   ///< they belong to a block that was freed in this run
};
extern std::uint8_t* arena_flags;
/// False: everything gets the full record at once, so that no run is repeated; for replays.
extern bool uses_levels;
/// True if `t` owns these bytes of the arena and their cells have no flags. `size` is at least 1.
inline bool is_private(ThreadId t, std::uintptr_t address, std::size_t size) {
  if ((address - arena::kBase) / arena::kSlotSize != index(t) || !uses_levels) return false;
  const std::uint8_t* const flags = arena_flags + ((address - arena::kBase) >> 3);
  if ((address & 7) + size <= 8) return *flags == 0;
  const std::uint8_t* const last = arena_flags + ((address + size - 1 - arena::kBase) >> 3);
  return std::all_of(flags, last + 1, [](std::uint8_t f) { return f == 0; });
}
extern std::uint32_t current_run;
/// All that is kept of one cell. Null for memory that is not watched: a thread's own (thread_local).
struct CellRecord {
  std::uint8_t* flags = nullptr;
  TurnCell* turns = nullptr;
  ShadowCell* full = nullptr;

  /// The full record, emptied if it is of an earlier run. Not for memory that is not watched.
  ShadowCell& of_this_run() const {
    if (full->run != current_run) full->start_run(current_run);
    return *full;
  }
};

/// Shadow of a page outside of the arena. Made when it is first met, kept for the life of the process.
inline constexpr std::size_t kPageShift = 12;
inline constexpr std::size_t kCellsPerPage = std::size_t{1} << (kPageShift - 3);
struct Page {
  std::uint8_t flags[kCellsPerPage];
  TurnCell turns[kCellsPerPage];
  ShadowCell full[kCellsPerPage];
};
struct CachedPage {
  std::uintptr_t number = ~std::uintptr_t{0};  // no page has it
  Page* page = nullptr;
};
inline constexpr std::size_t kCachedPages = 64;
extern CachedPage cached_pages[kCachedPages];
extern std::uintptr_t thread_locals_begin;
extern std::uintptr_t thread_locals_end;
Page* find_page(std::uintptr_t number);
/// The record of the cell that holds an address. Turns and full record may be of an earlier run.
inline CellRecord record_of(std::uintptr_t address);

/// Sets kShared or kFull for all cells of these bytes. True if one of them did not have it.
bool flag_cells(std::uintptr_t address, std::size_t size, CellFlag flag);
/// Marks a block of the arena as freed in this run.
void flag_freed(std::uintptr_t address, std::size_t size);
/// Forgets all flags: an exploration begins.
void forget_flags();

extern ShadowCell* arena_cells;
extern TurnCell* arena_turns;

inline CellRecord record_of(std::uintptr_t address) {
  if (arena::contains(address)) {
    const std::size_t cell = (address - arena::kBase) >> 3;
    return {arena_flags + cell, arena_turns + cell, arena_cells + cell};
  }
  if (address - thread_locals_begin < thread_locals_end - thread_locals_begin) return {};
  const std::uintptr_t number = address >> kPageShift;
  const CachedPage& cached = cached_pages[number % kCachedPages];
  Page* const page = cached.number == number ? cached.page : find_page(number);
  const std::size_t cell = (address >> 3) & (kCellsPerPage - 1);
  return {page->flags + cell, page->turns + cell, page->full + cell};
}

/// The cell of an address, emptied if it is of an earlier run. Null for memory that is not watched: a thread's own
/// (thread_local).
inline ShadowCell* cell_of(std::uintptr_t address) {
  const CellRecord record = record_of(address);
  return record.full == nullptr ? nullptr : &record.of_this_run();
}

/// The accesses of a cell after its inline ones.
std::vector<ShadowAccess>& overflow(ShadowCell& cell);

constexpr std::uint8_t byte_mask(std::size_t offset, std::size_t size) {
  return static_cast<std::uint8_t>(((1u << size) - 1u) << offset);
}

}  // namespace shadow
}  // namespace weft
