// The malloc family and operator new as the runtime gives them; see hooks_memory.cpp.
#pragma once

#include <cstddef>

#include "detect/lifetime.hpp"

namespace weft::heap {

/// The calling OS thread is the one that runs the execution.
void begin_run();

/// `alignment` is a power of two. Null if no heap could ever have that much. Inside an execution a thread that exceeds
/// its limit is stopped.
void* allocate(std::size_t size, std::size_t alignment, lifetime::Family family, const void* place);
void* allocate_zeroed(std::size_t count, std::size_t size, const void* place);
void* reallocate(void* block, std::size_t size, const void* place);
/// Null has no effect.
void release(void* block, lifetime::Family family, const void* place);
std::size_t usable_size(void* block);

}  // namespace weft::heap
