// What memory outside the arena held before a run wrote it.
#pragma once

#include <cstddef>
#include <functional>

namespace weft::undo_log {

/// Keeps `size` bytes at `address`. The caller makes sure that they may be read.
void keep(const volatile void* address, std::size_t size);
/// Calls `visit` for each piece of memory that the run has written.
void for_each(const std::function<void(const void* address, std::size_t size)>& visit);
/// Puts everything back, newest first, and empties the log.
void undo_all();

}  // namespace weft::undo_log
