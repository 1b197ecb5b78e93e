#include "runtime/arena.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace weft::arena {
namespace {

bool reserved = false;
std::uintptr_t next[kMaxSlots];
std::size_t used_slots = 0;

}  // namespace

void reserve() {
  if (reserved) return;
  void* const at = reinterpret_cast<void*>(kBase);
  void* const got = mmap(at, kMaxSlots * kSlotSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got != at) throw std::runtime_error(std::string("weft: cannot reserve address space for model threads: ") + std::strerror(errno));
  for (std::size_t i = 0; i < kMaxSlots; ++i) {
    const ThreadId t{static_cast<std::uint16_t>(i)};
    const bool ok = mprotect(reinterpret_cast<void*>(slot_begin(t)), kHeapLimit, PROT_READ | PROT_WRITE) == 0 &&
                    mprotect(reinterpret_cast<void*>(stack_top(t) - kStackSize), kStackSize, PROT_READ | PROT_WRITE) == 0;
    if (!ok) throw std::runtime_error(std::string("weft: cannot make thread memory usable: ") + std::strerror(errno));
    next[i] = slot_begin(t);
  }
  reserved = true;
}

void* allocate(ThreadId t, std::size_t size, std::size_t alignment) {
  std::uintptr_t& top = next[index(t)];
  if (alignment < 16) alignment = 16;
  const std::uintptr_t begin = (top + alignment - 1) & ~(alignment - 1);
  if (size > kHeapLimit || begin + size > slot_begin(t) + kHeapLimit) return nullptr;
  top = begin + size;
  if (index(t) >= used_slots) used_slots = index(t) + 1;
  return reinterpret_cast<void*>(begin);
}

std::size_t allocated(ThreadId t) { return next[index(t)] - slot_begin(t); }

void reset() {
  for (std::size_t i = 0; i < used_slots; ++i) next[i] = slot_begin(ThreadId{static_cast<std::uint16_t>(i)});
  used_slots = 0;
}

}  // namespace weft::arena
