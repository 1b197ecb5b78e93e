// Which heap blocks the program can still reach: a conservative mark phase, as in LeakSanitizer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft {

struct MemoryRange {
  std::uintptr_t begin = 0;
  std::size_t size = 0;
};

/// Those of `blocks` (ascending by address per arena slot) that no pointer leads to, from the executable's writable
/// data, from what the run wrote outside the arena, or from thread-local storage. Pointers into a block count as
/// pointers to it.
std::vector<MemoryRange> unreachable(std::vector<MemoryRange> blocks);

}  // namespace weft
