#include "detect/shadow.hpp"

#include <link.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "runtime/execution.hpp"

namespace weft::shadow {

ShadowCell* arena_cells = nullptr;
std::uint32_t current_run = 0;

namespace {

constexpr std::size_t kPageShift = 12;
constexpr std::size_t kCellsPerPage = std::size_t{1} << (kPageShift - 3);
constexpr std::size_t kCacheSize = 64;

struct CachedPage {
  std::uintptr_t page = 0;
  ShadowCell* cells = nullptr;
};

std::unordered_map<std::uintptr_t, ShadowCell*> pages;
CachedPage cache[kCacheSize];
std::uintptr_t thread_locals_begin = 0;
std::uintptr_t thread_locals_end = 0;
std::vector<std::vector<ShadowAccess>> overflows;
std::size_t overflows_used = 0;

ShadowCell* map_cells(std::size_t count) {
  void* const got = mmap(nullptr, count * sizeof(ShadowCell), PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (got == MAP_FAILED) {
    throw std::runtime_error(std::string("weft: cannot reserve address space for shadow memory: ") +
                             std::strerror(errno));
  }
  return static_cast<ShadowCell*>(got);
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
  arena_cells = map_cells(arena::kMaxSlots * arena::kSlotSize / 8);
}

void begin_run(std::uint32_t run) {
  current_run = run;
  overflows_used = 0;
}

ShadowCell* find_outside_arena(std::uintptr_t address) {
  if (address - thread_locals_begin < thread_locals_end - thread_locals_begin) return nullptr;
  const std::uintptr_t page = address >> kPageShift;
  CachedPage& cached = cache[page % kCacheSize];
  if (cached.page != page) {
    const Execution::Outside outside;  // pages live as long as the process
    ShadowCell*& cells = pages[page];
    if (cells == nullptr) cells = map_cells(kCellsPerPage);
    cached = {page, cells};
  }
  return cached.cells + ((address >> 3) & (kCellsPerPage - 1));
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
