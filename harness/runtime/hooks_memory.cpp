// The malloc family inside an execution: blocks come from the running thread's arena, at addresses that do not depend
// on the schedule.
//
// Three kinds of memory meet here:
// - the scenario's own, from the arena, gone after the run;
// - what was allocated before the execution. Freeing it inside has no effect: the next run starts with the same globals
// and must find it;
// - what the C library allocates for itself (stdio buffers, locales): it outlives the execution and comes from the real
// heap. Outside of an execution all functions are the real ones, which glibc exports under a second name; blocks of the
// arena that reach them (a global that was filled in an execution) are left alone.
#include "runtime/hooks_memory.hpp"

#include <dlfcn.h>
#include <link.h>
#include <malloc.h>
#include <sys/auxv.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <unordered_set>

#include "detect/lifetime.hpp"
#include "runtime/arena.hpp"
#include "runtime/execution.hpp"
#include "runtime/memory_access.hpp"

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* block);
}

namespace weft::heap {
namespace {

using lifetime::Family;

struct CodeRange {
  std::uintptr_t begin = 0;
  std::uintptr_t size = 0;
  bool contains(const void* place) const { return reinterpret_cast<std::uintptr_t>(place) - begin < size; }
};

struct SystemCode {
  CodeRange c_library;
  CodeRange loader;
};

SystemCode system_code;
void* model_os_thread = nullptr;

// Never destroyed: blocks are still freed when the process ends.
std::unordered_set<void*>* system_blocks_made = nullptr;  // in the first begin_run()
std::unordered_set<void*>& system_blocks() { return *system_blocks_made; }

int find_system_code(dl_phdr_info* info, std::size_t, void* some_c_library_function) {
  CodeRange range{info->dlpi_addr, 0};
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type == PT_LOAD && range.size < header.p_vaddr + header.p_memsz)
      range.size = header.p_vaddr + header.p_memsz;
  }
  if (range.contains(some_c_library_function)) system_code.c_library = range;
  if (range.begin != 0 && range.begin == getauxval(AT_BASE)) system_code.loader = range;
  return 0;
}

bool is_system_code(const void* place) {
  return system_code.c_library.contains(place) || system_code.loader.contains(place);
}

bool in_arena(const void* block) { return arena::contains(reinterpret_cast<std::uintptr_t>(block)); }

/// The execution that the caller belongs to; other OS threads of the process may allocate while one is going on.
Execution* current() {
  Execution* const execution = Execution::current();
  return execution != nullptr && __builtin_thread_pointer() == model_os_thread ? execution : nullptr;
}

// Larger requests fail in any malloc.
bool is_impossible(std::size_t size) { return size > PTRDIFF_MAX; }

struct DataSearch {
  std::uintptr_t address;
  bool found;
};

int find_data(dl_phdr_info* info, std::size_t, void* data) {
  auto& search = *static_cast<DataSearch*>(data);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type == PT_LOAD && search.address - (info->dlpi_addr + header.p_vaddr) < header.p_memsz)
      search.found = true;
  }
  return search.found ? 1 : 0;
}

/// What an address outside of the arena is that no allocator can have returned; null if it may be a block from before the
/// execution.
const char* what_is_no_block(const void* block) {
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  if (address % (2 * sizeof(void*)) != 0) return "an address in the middle of something";
  DataSearch search{address, false};
  dl_iterate_phdr(find_data, &search);
  return search.found ? "the address of a global variable" : nullptr;
}

void* remember_system_block(void* block) {
  const Execution::Outside outside;
  system_blocks().insert(block);
  return block;
}

}  // namespace

void begin_run() {
  if (model_os_thread == nullptr) {
    dl_iterate_phdr(find_system_code, dlsym(RTLD_NEXT, "fflush"));
    system_blocks_made = new std::unordered_set<void*>;
  }
  model_os_thread = __builtin_thread_pointer();
}

void* allocate(std::size_t size, std::size_t alignment, Family family, const void* place) {
  Execution* const execution = current();
  if (execution == nullptr) return alignment <= 16 ? __libc_malloc(size) : __libc_memalign(alignment, size);
  if (is_system_code(place)) {
    return remember_system_block(alignment <= 16 ? __libc_malloc(size) : __libc_memalign(alignment, size));
  }
  if (is_impossible(size)) {
    errno = ENOMEM;
    return nullptr;
  }
  return lifetime::allocate(*execution, size, alignment, family, place);
}

void* allocate_zeroed(std::size_t count, std::size_t size, const void* place) {
  Execution* const execution = current();
  if (execution == nullptr) return __libc_calloc(count, size);
  if (is_system_code(place)) return remember_system_block(__libc_calloc(count, size));
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes) || is_impossible(bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  void* const block = lifetime::allocate(*execution, bytes, 16, Family::malloc, place);
  std::memset(block, 0, bytes);
  return block;
}

void release(void* block, Family family, const void* place) {
  if (block == nullptr) return;
  Execution* const execution = current();
  if (in_arena(block)) {
    if (execution != nullptr) return lifetime::release(*execution, block, family, place);
    return lifetime::release_silently(block);
  }
  if (execution == nullptr) return __libc_free(block);
  const Execution::Outside outside;
  if (system_blocks().erase(block) != 0 || is_system_code(place)) return __libc_free(block);
  if (const char* const what = what_is_no_block(block))
    lifetime::report_free_of_no_block(*execution, block, family, what, place);
  // A block from before the execution, which later executions find again: not given back, but nobody may touch it unordered with this.
  free_access(*execution, reinterpret_cast<std::uintptr_t>(block), malloc_usable_size(block), place);
}

void* reallocate(void* block, std::size_t size, const void* place) {
  Execution* const execution = current();
  if (block == nullptr) return allocate(size, 16, Family::malloc, place);
  if (!in_arena(block)) {
    if (execution == nullptr || is_system_code(place)) return __libc_realloc(block, size);
    const Execution::Outside outside;
    if (system_blocks().erase(block) != 0) {
      void* const moved = __libc_realloc(block, size);
      system_blocks().insert(moved);
      return moved;
    }
  }
  if (is_impossible(size)) {
    errno = ENOMEM;
    return nullptr;
  }
  const std::size_t old_size = usable_size(block);
  const std::size_t common = old_size < size ? old_size : size;
  void* const moved =
      execution == nullptr ? __libc_malloc(size) : lifetime::allocate(*execution, size, 16, Family::malloc, place);
  if (moved == nullptr) return nullptr;
  std::memcpy(moved, block, common);
  release(block, Family::malloc, place);
  return moved;
}

std::size_t usable_size(void* block) {
  if (in_arena(block)) return lifetime::size_of(block);
  using UsableSize = std::size_t (*)(void*);
  static constinit UsableSize real = nullptr;  // no guard, as guards are visible to the scenario
  if (real == nullptr) real = reinterpret_cast<UsableSize>(dlsym(RTLD_NEXT, "malloc_usable_size"));
  return block == nullptr ? 0 : real(block);
}

}  // namespace weft::heap

using weft::heap::allocate;
using weft::lifetime::Family;

extern "C" {

void* malloc(std::size_t size) { return allocate(size, 16, Family::malloc, __builtin_return_address(0)); }
void free(void* block) { weft::heap::release(block, Family::malloc, __builtin_return_address(0)); }
void cfree(void* block) { weft::heap::release(block, Family::malloc, __builtin_return_address(0)); }
void* calloc(std::size_t count, std::size_t size) {
  return weft::heap::allocate_zeroed(count, size, __builtin_return_address(0));
}
void* realloc(void* block, std::size_t size) {
  return weft::heap::reallocate(block, size, __builtin_return_address(0));
}
void* reallocarray(void* block, std::size_t count, std::size_t size) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return weft::heap::reallocate(block, bytes, __builtin_return_address(0));
}
void* memalign(std::size_t alignment, std::size_t size) {
  return allocate(size, alignment, Family::malloc, __builtin_return_address(0));
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return allocate(size, alignment, Family::malloc, __builtin_return_address(0));
}
int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
  void* const block = allocate(size, alignment, Family::malloc, __builtin_return_address(0));
  if (block == nullptr) return ENOMEM;
  *result = block;
  return 0;
}
void* valloc(std::size_t size) { return allocate(size, 4096, Family::malloc, __builtin_return_address(0)); }
void* pvalloc(std::size_t size) {
  return allocate((size + 4095) & ~std::size_t{4095}, 4096, Family::malloc, __builtin_return_address(0));
}
std::size_t malloc_usable_size(void* block) { return weft::heap::usable_size(block); }

}  // extern "C"
