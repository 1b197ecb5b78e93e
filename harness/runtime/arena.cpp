#include "runtime/arena.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace weft::arena {
namespace {

constexpr std::uintptr_t kPageSize = 4096;

bool reserved = false;
std::size_t used[kMaxSlots];  // bytes; no pointers, which the leak detector would take for the program's own
std::size_t used_slots = 0;

}  // namespace

void reserve() {
  if (reserved) return;
  void* const at = reinterpret_cast<void*>(kBase);
  void* const got = mmap(at, kMaxSlots * kSlotSize, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got != at)
    throw std::runtime_error(std::string("weft: cannot reserve address space for model threads: ") +
                             std::strerror(errno));
  for (std::size_t i = 0; i < kMaxSlots; ++i) {
    const ThreadId t{static_cast<std::uint16_t>(i)};
    const std::uintptr_t stack_begin = (stack_top(t) - kStackSize) & ~(kPageSize - 1);
    const std::uintptr_t stack_end = slot_begin(t) + kSlotSize - kPageSize;
    const bool ok = mprotect(reinterpret_cast<void*>(slot_begin(t)), kHeapLimit, PROT_READ | PROT_WRITE) == 0 &&
                    mprotect(reinterpret_cast<void*>(stack_begin), stack_end - stack_begin, PROT_READ | PROT_WRITE) == 0;
    if (!ok) throw std::runtime_error(std::string("weft: cannot make thread memory usable: ") + std::strerror(errno));
  }
  reserved = true;
}

void* allocate(ThreadId t, std::size_t size, std::size_t alignment) {
  const std::uintptr_t heap = slot_begin(t);
  if (alignment < 16) alignment = 16;
  const std::uintptr_t begin = (heap + used[index(t)] + alignment - 1) & ~(alignment - 1);
  if (size > kHeapLimit || begin - heap > kHeapLimit - size) return nullptr;
  used[index(t)] = begin + size - heap;
  if (index(t) >= used_slots) used_slots = index(t) + 1;
  return reinterpret_cast<void*>(begin);
}

std::size_t allocated(ThreadId t) { return used[index(t)]; }

void reset() {
  for (std::size_t i = 0; i < used_slots; ++i) used[i] = 0;
  used_slots = 0;
}

}  // namespace weft::arena
