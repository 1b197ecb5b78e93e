#include "api/learned.hpp"

#include <link.h>
#include <sys/mman.h>

#include <algorithm>
#include <optional>

#include "runtime/arena.hpp"

namespace weft {
namespace {

std::uintptr_t executable_base() {
  static const std::uintptr_t base = [] {
    std::uintptr_t found = 0;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* result) {
          *static_cast<std::uintptr_t*>(result) = info->dlpi_addr;
          return 1;  // the first object is the executable
        },
        &found);
    return found;
  }();
  return base;
}

/// Whether these bytes are in one segment of the executable, and that may be used as `flags` (PF_W, PF_X) say.
bool is_in_segment(std::uint64_t offset, std::uint64_t size, std::uint32_t flags) {
  struct Asked {
    std::uint64_t offset, size;
    std::uint32_t flags;
    bool found = false;
  } asked{offset, size, flags};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        auto& what = *static_cast<Asked*>(result);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const auto& segment = info->dlpi_phdr[i];
          if (segment.p_type != PT_LOAD || (segment.p_flags & what.flags) != what.flags) continue;
          const std::uint64_t from_begin = what.offset - segment.p_vaddr;  // huge if it is before it
          if (from_begin < segment.p_memsz && what.size <= segment.p_memsz - from_begin) what.found = true;
        }
        return 1;  // the first object is the executable
      },
      &asked);
  return asked.found;
}

/// Memory of a library, or thread-local, which a token can tell of in the process that has made it.
bool is_mapped_elsewhere(std::uint64_t offset) {
  constexpr std::uintptr_t kPage = 4096;
  const std::uintptr_t address = executable_base() + offset;
  unsigned char resident = 0;
  return !is_in_segment(offset, 1, 0) && mincore(reinterpret_cast<void*>(address & ~(kPage - 1)), 1, &resident) == 0;
}

constexpr std::uint32_t kMostPromoted = 1 << 20;  // bytes, or frames of a stack

std::optional<PortableAddress> portable(std::uintptr_t address, const std::vector<ThreadId>& renamed) {
  if (!arena::contains(address)) return PortableAddress{.offset = address - executable_base()};
  const ThreadId owner = arena::owner(address);
  if (index(owner) >= renamed.size() || renamed[index(owner)] == kNoThread) return std::nullopt;
  return PortableAddress{.base = PortableAddress::Base::thread,
                         .thread = static_cast<std::uint16_t>(renamed[index(owner)]),
                         .offset = address - arena::slot_begin(owner)};
}

std::uintptr_t address_here(const PortableAddress& address) {
  if (address.base == PortableAddress::Base::executable) return executable_base() + address.offset;
  return arena::slot_begin(ThreadId{address.thread}) + address.offset;
}

// The parts of a ReadPlace. Code has addresses below 2^47; of the depth 17 bits are kept.
std::uintptr_t code_address(ReadPlace place) { return place & ((std::uintptr_t{1} << 47) - 1); }
std::uintptr_t stack_depth(ReadPlace place) { return place >> 47; }

StackFrame frame_here(const Learned& learned, std::uintptr_t address) {
  if (learned.frame == 0) return {};
  return {address + learned.frame, learned.called_from == 0 ? 0 : executable_base() + learned.called_from};
}

}  // namespace

std::vector<Learned> what_was_learned(const ExplorationMemory& memory, const std::vector<ThreadId>& renamed) {
  std::vector<Learned> result;
  const auto add = [&](Learned::Kind kind, std::uintptr_t address, std::size_t size = 0) {
    const auto where = portable(address, renamed);
    if (where) result.push_back({.kind = kind, .address = *where, .size = static_cast<std::uint32_t>(size)});
  };
  for (const PromotedMemory::Range& range : memory.promoted.ranges()) {
    const auto where = portable(range.begin, renamed);
    if (!where) continue;
    Learned learned{.kind = Learned::Kind::promoted, .address = *where, .size = static_cast<std::uint32_t>(range.size)};
    if (range.frame) {
      learned.frame = range.frame.frame_pointer - range.begin;
      if (range.frame.called_from != 0) learned.called_from = range.frame.called_from - executable_base();
    }
    result.push_back(learned);
  }
  for (const void* const place : memory.spin_places)
    add(Learned::Kind::spinning_read, reinterpret_cast<std::uintptr_t>(place));
  for (const std::uint64_t mutex : memory.synchronization.polled_locks) add(Learned::Kind::polled_lock, mutex);
  for (const ReadPlace place : memory.synchronization.sleep_spins)
    add(Learned::Kind::sleep_spin, code_address(place), stack_depth(place));
  // Hash tables have no order that a reader could rely on; the same execution should have the same token.
  std::sort(result.begin(), result.end(), [](const Learned& a, const Learned& b) {
    const auto key = [](const Learned& l) {
      return std::tuple(l.kind, l.address.base, l.address.thread, l.address.offset, l.size, l.frame, l.called_from);
    };
    return key(a) < key(b);
  });
  return result;
}

void drop_foreign(std::vector<Learned>& learned) {
  std::erase_if(learned, [](const Learned& item) {
    const bool is_code = item.kind == Learned::Kind::spinning_read || item.kind == Learned::Kind::sleep_spin;
    const std::uint64_t bytes = item.kind == Learned::Kind::promoted ? item.size : 1;
    const std::uint64_t offset = item.address.offset;
    const bool is_of_thread = item.address.base == PortableAddress::Base::thread;
    const bool is_there = is_of_thread
                              ? !is_code && item.address.thread < kMaxThreads && offset < arena::kSlotSize &&
                                    bytes <= arena::kSlotSize - offset
                              : is_in_segment(offset, bytes, is_code ? PF_X : PF_W) || is_mapped_elsewhere(offset);
    const bool has_caller = item.called_from == 0 || is_in_segment(item.called_from, 1, PF_X);
    const bool has_frame = item.frame == 0 || (is_of_thread && item.frame < arena::kSlotSize - offset);
    return !is_there || !has_caller || !has_frame || item.size > kMostPromoted;
  });
}

void learn(ExplorationMemory& memory, const std::vector<Learned>& learned) {
  for (const Learned& item : learned) {
    const std::uintptr_t address = address_here(item.address);
    switch (item.kind) {
      case Learned::Kind::promoted:
        promote(memory, {.begin = address, .size = item.size, .frame = frame_here(item, address)});
        break;
      case Learned::Kind::spinning_read:
        memory.spin_places.insert(reinterpret_cast<const void*>(address));
        break;
      case Learned::Kind::polled_lock:
        memory.synchronization.polled_locks.insert(address);
        break;
      case Learned::Kind::sleep_spin:
        memory.synchronization.sleep_spins.insert(read_place(reinterpret_cast<const void*>(address), item.size));
        break;
    }
  }
}

}  // namespace weft
