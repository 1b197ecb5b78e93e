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

/// Those of `blocks` (ascending by address per arena slot) that no pointer leads to. Pointers are searched in the writable
/// data of the executable and of all libraries, in what the run wrote outside the arena, in thread-local storage of the
/// executable, and in `more_roots`. Pointers into a block count as pointers to it.
std::vector<MemoryRange> unreachable(std::vector<MemoryRange> blocks, const std::vector<MemoryRange>& more_roots);

}  // namespace weft
