// Lifetime of heap blocks: use after free, double free, free of what is no block, leaks.
//
// Blocks come from the arena and are never reused inside a run, so a stale pointer always meets the block that it was
// made for. The records are kept apart from the blocks: a scenario that writes past the end of one cannot spoil them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "detect/shadow.hpp"

namespace weft {

class Execution;

namespace lifetime {

/// Who gave a block out; the same must take it back.
enum class Family : std::uint8_t { malloc, scalar_new, array_new };

/// What a fresh block is filled with: the same in every run, and no valid address or small number.
inline constexpr int kFreshByte = 0xbe;

void begin_run();

/// A fresh block of the running thread. If the thread's limit is exceeded, that is a finding and stops the thread.
void* allocate(Execution& execution, std::size_t size, std::size_t alignment, Family family, const void* place);
/// The running thread gives a block back. It counts as a write to all of it. A pointer that is no live block is a
/// finding.
void release(Execution& execution, void* block, Family family, const void* place);
/// The running thread gives back an address outside of the arena that is no block, such as a global's.
[[noreturn]] void report_free_of_no_block(Execution& execution, void* pointer, Family family, const char* what,
                                          const void* place);
/// The engine gives back a block that a scenario gave it, outside of the scenario's time.
void release_silently(void* block);
/// Size that a live block was asked for with; 0 if there is none that begins at the address.
std::size_t size_of(const void* block);

struct BlockPlace {
  std::uintptr_t begin = 0;
  const void* allocated_at = nullptr;  ///< code address
};
/// The block of this run that the address is in, live or not; nothing if it is in none.
std::optional<BlockPlace> block_at(std::uintptr_t address);

/// Bytes of `access` belong to a block that was given back.
[[noreturn]] void report_use_after_free(Execution& execution, std::uintptr_t cell_address, const ShadowAccess& access);

/// The running thread is about to access memory whose cells hold freed bytes: a finding if they are among these.
void check_use(Execution& execution, std::uintptr_t address, std::size_t size, AccessKind kind, const void* place);

/// At the end of a complete run: reports blocks that are live and that no memory of the program points to any more,
/// directly or through other live blocks. A conservative scan of the writable data of the executable and its libraries,
/// of what the run wrote outside the arena, and of what all threads of the run left behind: thread_local variables,
/// thread-specific data, results.
void report_leaks(Execution& execution);

}  // namespace lifetime
}  // namespace weft
