#include "detect/shadow.hpp"

#include <link.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "runtime/execution.hpp"

namespace weft::shadow {

ShadowCell* arena_cells = nullptr;
std::uint8_t* arena_flags = nullptr;
bool uses_levels = true;
TurnCell* arena_turns = nullptr;
std::uint32_t current_run = 0;
CachedPage cached_pages[kCachedPages];
std::uintptr_t thread_locals_begin = 0;
std::uintptr_t thread_locals_end = 0;

namespace {

std::unordered_map<std::uintptr_t, Page*> pages;
std::vector<std::vector<ShadowAccess>> overflows;
std::size_t overflows_used = 0;

std::vector<std::uint8_t*> flagged_cells;          // by this exploration
std::vector<std::span<std::uint8_t>> freed_cells;  // by this run

template <class T>
T* map_array(std::size_t count) {
  void* const got =
      mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (got == MAP_FAILED) {
    throw std::runtime_error(std::string("weft: cannot reserve address space for shadow memory: ") +
                             std::strerror(errno));
  }
  return static_cast<T*>(got);
}

// The OS thread's static thread-local storage ends at the thread pointer (x86-64), where the C library's own record of
// the thread begins.
int extend_thread_locals(dl_phdr_info* info, std::size_t, void* thread_pointer) {
  constexpr std::uintptr_t kFarthest = std::uintptr_t{1} << 20;  // anything farther is a dlopen()ed library's block
  const auto begin = reinterpret_cast<std::uintptr_t>(info->dlpi_tls_data);
  const auto end = reinterpret_cast<std::uintptr_t>(thread_pointer);
  if (begin != 0 && begin < end && end - begin < kFarthest && begin < thread_locals_begin) thread_locals_begin = begin;
  return 0;
}

}  // namespace

void reserve() {
  if (arena_cells != nullptr) return;
  constexpr std::uintptr_t kThreadRecordSize = 4096;
  const auto thread_pointer = reinterpret_cast<std::uintptr_t>(__builtin_thread_pointer());
  thread_locals_begin = thread_pointer;
  thread_locals_end = thread_pointer + kThreadRecordSize;
  dl_iterate_phdr(extend_thread_locals, __builtin_thread_pointer());
  arena_cells = map_array<ShadowCell>(arena::kMaxSlots * arena::kSlotSize / 8);
  arena_flags = map_array<std::uint8_t>(arena::kMaxSlots * arena::kSlotSize / 8);
  arena_turns = map_array<TurnCell>(arena::kMaxSlots * arena::kSlotSize / 8);
}

void begin_run(std::uint32_t run) {
  current_run = run;
  overflows_used = 0;
  for (const std::span<std::uint8_t> cells : freed_cells) {
    for (std::uint8_t& flags : cells) flags = static_cast<std::uint8_t>(flags & ~kFreed);
  }
  freed_cells.clear();
}

bool flag_cells(std::uintptr_t address, std::size_t size, CellFlag flag) {
  bool is_new = false;
  for (std::uintptr_t at = address & ~std::uintptr_t{7}; at < address + size; at += 8) {
    std::uint8_t* const flags = record_of(at).flags;
    if (flags == nullptr || (*flags & flag) != 0) continue;
    is_new = true;
    *flags |= static_cast<std::uint8_t>(flag);
    const Execution::Outside outside;
    flagged_cells.push_back(flags);
  }
  return is_new;
}

void flag_freed(std::uintptr_t address, std::size_t size) {
  if (size == 0) return;
  std::uint8_t* const first = arena_flags + ((address - arena::kBase) >> 3);
  const std::span<std::uint8_t> cells(first, arena_flags + ((address + size - 1 - arena::kBase) >> 3) + 1);
  for (std::uint8_t& flags : cells) flags |= kFreed;
  const Execution::Outside outside;
  freed_cells.push_back(cells);
}

void forget_flags() {
  for (std::uint8_t* flags : flagged_cells) *flags = 0;
  for (const std::span<std::uint8_t> cells : freed_cells) std::fill(cells.begin(), cells.end(), std::uint8_t{0});
  flagged_cells.clear();
  freed_cells.clear();
}

Page* find_page(std::uintptr_t number) {
  const Execution::Outside outside;
  Page*& page = pages[number];
  if (page == nullptr) page = map_array<Page>(1);
  cached_pages[number % kCachedPages] = {number, page};
  return page;
}

std::vector<ShadowAccess>& overflow(ShadowCell& cell) {
  if (cell.more == 0) {
    const Execution::Outside outside;
    if (overflows_used == overflows.size()) overflows.emplace_back();
    overflows[overflows_used].clear();
    cell.more = static_cast<std::uint32_t>(++overflows_used);
  }
  return overflows[cell.more - 1];
}

}  // namespace weft::shadow
