// What memory outside the arena held before a run wrote it.
#pragma once

#include <cstddef>

namespace weft::undo_log {

/// Keeps `size` bytes at `address`. The caller makes sure that they may be read.
void keep(const volatile void* address, std::size_t size);
/// Puts everything back, newest first, and empties the log.
void undo_all();

}  // namespace weft::undo_log
