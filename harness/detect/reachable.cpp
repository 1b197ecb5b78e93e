#include "detect/reachable.hpp"

#include <link.h>

#include <algorithm>
#include <cstring>

#include "runtime/arena.hpp"
#include "runtime/undo_log.hpp"

namespace weft {
namespace {

/// Writable data and thread-local storage of the executable.
const std::vector<MemoryRange>& roots() {
  static const std::vector<MemoryRange> found = [] {
    std::vector<MemoryRange> ranges;
    const auto visit = [](dl_phdr_info* info, std::size_t, void* result) {
      auto& into = *static_cast<std::vector<MemoryRange>*>(result);
      for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)& header = info->dlpi_phdr[i];
        if (header.p_type == PT_LOAD && (header.p_flags & PF_W) != 0)
          into.push_back({info->dlpi_addr + header.p_vaddr, header.p_memsz});
        if (header.p_type == PT_TLS)
          into.push_back({reinterpret_cast<std::uintptr_t>(info->dlpi_tls_data), header.p_memsz});
      }
      return 1;  // the first object is the executable
    };
    dl_iterate_phdr(visit, &ranges);
    return ranges;
  }();
  return found;
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

std::vector<MemoryRange> unreachable(std::vector<MemoryRange> blocks) {
  Marker marker(std::move(blocks));
  for (const MemoryRange& root : roots()) marker.scan(root);
  undo_log::for_each([&](const void* address, std::size_t size) {
    marker.scan({reinterpret_cast<std::uintptr_t>(address), size});
  });
  marker.follow();
  return marker.unmarked();
}

}  // namespace weft
