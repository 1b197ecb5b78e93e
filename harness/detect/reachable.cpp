#include "detect/reachable.hpp"

#include <link.h>

#include <algorithm>
#include <cstring>

#include "runtime/arena.hpp"
#include "runtime/undo_log.hpp"

namespace weft {
namespace {

struct Roots {
  std::vector<MemoryRange> executable;  // writable data, and thread-local storage
  std::vector<MemoryRange> libraries;   // writable data
};

int add_roots(dl_phdr_info* info, std::size_t, void* result) {
  Roots& roots = *static_cast<Roots*>(result);
  const bool is_executable = roots.executable.empty();  // the first object is
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type == PT_LOAD && (header.p_flags & PF_W) != 0)
      (is_executable ? roots.executable : roots.libraries).push_back({info->dlpi_addr + header.p_vaddr, header.p_memsz});
    if (header.p_type == PT_TLS && is_executable)
      roots.executable.push_back({reinterpret_cast<std::uintptr_t>(info->dlpi_tls_data), header.p_memsz});
    if (header.p_type == PT_GNU_RELRO && !is_executable && !roots.libraries.empty()) {
      // Read-only by now, and nothing that a run could have changed.
      MemoryRange& data = roots.libraries.back();
      const std::uintptr_t end = info->dlpi_addr + header.p_vaddr + header.p_memsz;
      if (data.begin <= end && end <= data.begin + data.size) data = {end, data.begin + data.size - end};
    }
  }
  return 0;
}

Roots find_roots() {
  Roots roots;
  dl_iterate_phdr(add_roots, &roots);
  return roots;
}

class Marker {
 public:
  explicit Marker(std::vector<MemoryRange> blocks) : blocks_(std::move(blocks)), marked_(blocks_.size(), false) {}

  void scan(MemoryRange range) {
    const std::uintptr_t first = (range.begin + 7) & ~std::uintptr_t{7};
    for (std::uintptr_t at = first; at + 8 <= range.begin + range.size; at += 8) {
      std::uintptr_t pointer = 0;
      std::memcpy(&pointer, reinterpret_cast<const void*>(at), sizeof pointer);
      if (arena::contains(pointer)) mark(pointer);
    }
  }
  void follow() {
    while (!open_.empty()) {
      const std::size_t next = open_.back();
      open_.pop_back();
      scan(blocks_[next]);
    }
  }
  std::vector<MemoryRange> unmarked() const {
    std::vector<MemoryRange> result;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      if (!marked_[i]) result.push_back(blocks_[i]);
    }
    return result;
  }

 private:
  void mark(std::uintptr_t pointer) {
    const auto next = std::upper_bound(blocks_.begin(), blocks_.end(), pointer,
                                       [](std::uintptr_t p, const MemoryRange& block) { return p < block.begin; });
    if (next == blocks_.begin()) return;
    const auto i = static_cast<std::size_t>(next - blocks_.begin()) - 1;
    if (pointer - blocks_[i].begin > blocks_[i].size || marked_[i]) return;  // one past the end is a pointer into it
    marked_[i] = true;
    open_.push_back(i);
  }

  std::vector<MemoryRange> blocks_;
  std::vector<bool> marked_;
  std::vector<std::size_t> open_;
};

}  // namespace

std::vector<MemoryRange> unreachable(std::vector<MemoryRange> blocks, const std::vector<MemoryRange>& more_roots) {
  static const Roots roots = find_roots();
  Marker marker(std::move(blocks));
  const auto scan = [&](const std::vector<MemoryRange>& ranges) {
    for (const MemoryRange& range : ranges) marker.scan(range);
    marker.follow();
  };
  scan(roots.executable);
  undo_log::for_each([&](const void* address, std::size_t size) {
    marker.scan({reinterpret_cast<std::uintptr_t>(address), size});
  });
  scan(more_roots);
  // Large, and seldom what keeps a block: only for those that would be leaks otherwise.
  if (!marker.unmarked().empty()) scan(roots.libraries);
  return marker.unmarked();
}

}  // namespace weft
