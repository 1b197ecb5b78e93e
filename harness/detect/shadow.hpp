// Shadow memory: what this run did to each byte of the scenario's memory.
//
// A cell stands for eight bytes and remembers accesses, each with a mask of bytes: the newest write of each byte, and
// all reads since that no other read makes superfluous. (FastTrack, Flanagan and Freund, PLDI 2009, keeps one epoch
// where reads are ordered and a vector where they are not; a short list of epochs is both.) Cells carry the number of
// their run, so that nothing is cleared between runs. The arena is shadowed by one mapping; all other memory page by
// page.
#pragma once

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
  std::uint8_t freed_bytes = 0;
  std::uint8_t count = 0;       ///< accesses remembered
  std::uint8_t kept_bytes = 0;  ///< outside the arena: what they held before the run is in the undo log
  bool reborn = false;          ///< an atomic object here follows another one
  std::uint32_t more = 0;       ///< accesses after the third are in the overflow list with this number
  std::array<ShadowAccess, kInline> accesses{};

  bool is_ordinary() const { return (atomic_bytes | racy_bytes | freed_bytes) == 0; }
  /// Nothing was done there in this run.
  bool is_untouched() const { return is_ordinary() && count == 0 && more == 0; }
  /// Forgets another run. What is past `count` is never looked at: most cells are emptied once a run, and then hold one access.
  void start_run(std::uint32_t number) {
    run = number;
    atomic_bytes = atomic_starts = racy_bytes = freed_bytes = 0;
    count = kept_bytes = 0;
    reborn = false;
    more = 0;
  }
};
static_assert(sizeof(ShadowCell) == 64);

namespace shadow {

/// Reserves the address space; once per process. Throws std::runtime_error.
void reserve();
/// Begins a run: all cells of other runs count as empty.
void begin_run(std::uint32_t run);

extern ShadowCell* arena_cells;
ShadowCell* find_outside_arena(std::uintptr_t address);
extern std::uint32_t current_run;

/// The cell of an address, emptied if it is of an earlier run. Null for memory that is not watched: a thread's own
/// (thread_local).
inline ShadowCell* cell_of(std::uintptr_t address) {
  ShadowCell* const cell =
      arena::contains(address) ? arena_cells + ((address - arena::kBase) >> 3) : find_outside_arena(address);
  if (cell != nullptr && cell->run != current_run) cell->start_run(current_run);
  return cell;
}

/// The accesses of a cell after its inline ones.
std::vector<ShadowAccess>& overflow(ShadowCell& cell);

constexpr std::uint8_t byte_mask(std::size_t offset, std::size_t size) {
  return static_cast<std::uint8_t>(((1u << size) - 1u) << offset);
}

}  // namespace shadow
}  // namespace weft
