#include "detect/lifetime.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "detect/race.hpp"
#include "detect/reachable.hpp"
#include "runtime/execution.hpp"
#include "runtime/memory_access.hpp"
#include "runtime/thread_records.hpp"

namespace weft::lifetime {
namespace {

struct Block {
  std::uintptr_t begin = 0;
  std::size_t size = 0;
  const void* allocated_at = nullptr;
  const void* freed_at = nullptr;
  std::uint32_t allocated_position = 0;
  std::uint32_t freed_position = 0;
  ThreadId freed_by{};
  Family family = Family::malloc;
  bool live = true;
};

// By thread; ascending addresses, because a thread's heap only grows.
std::array<std::vector<Block>, arena::kMaxSlots> blocks;
std::uint64_t owners = 0;  // bit per thread that has blocks in this run
static_assert(arena::kMaxSlots <= 64);

Block* find(std::uintptr_t address) {
  if (!arena::contains(address)) return nullptr;
  std::vector<Block>& own = blocks[index(arena::owner(address))];
  const auto next =
      std::upper_bound(own.begin(), own.end(), address, [](std::uintptr_t a, const Block& b) { return a < b.begin; });
  if (next == own.begin()) return nullptr;
  Block& block = *(next - 1);
  return address - block.begin < std::max<std::size_t>(block.size, 1) ? &block : nullptr;
}

const char* giver(Family family) {
  switch (family) {
    case Family::malloc:
      return "malloc";
    case Family::scalar_new:
      return "new";
    case Family::array_new:
      return "new[]";
  }
  return "";
}

const char* taker(Family family) {
  switch (family) {
    case Family::malloc:
      return "free";
    case Family::scalar_new:
      return "delete";
    case Family::array_new:
      return "delete[]";
  }
  return "";
}

FindingSite allocation_site(const Block& block) {
  return {arena::owner(block.begin), block.allocated_position, block.allocated_at,
          fmt::format("{} of {} bytes", giver(block.family), block.size)};
}

FindingSite free_site(const Block& block) {
  return {block.freed_by, block.freed_position, block.freed_at, taker(block.family)};
}

FindingSite site_here(Execution& execution, const void* place, std::string what) {
  return {execution.running().id, execution.running().position, place, std::move(what)};
}

// `what`: what the pointer points to, if that is no block.
[[noreturn]] void report_bad_free(Execution& execution, void* pointer, Family family, const char* what,
                                  const void* place) {
  {
    const Execution::Outside outside;
    Finding finding{
        .kind = FindingKind::double_free, .message = {}, .sites = {site_here(execution, place, taker(family))}};
    finding.address = reinterpret_cast<std::uintptr_t>(pointer);
    const Block* const block = find(finding.address);
    if (block == nullptr) {
      finding.message = fmt::format("{} of {}, which {} never returned", taker(family), what, giver(family));
    } else if (finding.address != block->begin) {
      finding.message = fmt::format("{} of a pointer into the middle of a block: byte {} of {}", taker(family),
                                    finding.address - block->begin, block->size);
      finding.sites.push_back(allocation_site(*block));
    } else {
      finding.message = fmt::format("{} of a block of {} bytes that thread {} gave back already", taker(family),
                                    block->size, index(block->freed_by));
      finding.sites.push_back(free_site(*block));
      finding.sites.push_back(allocation_site(*block));
    }
    execution.report(finding);
  }
  execution.halt_thread();
}

}  // namespace

std::optional<BlockPlace> block_at(std::uintptr_t address) {
  const Block* const block = find(address);
  if (block == nullptr) return std::nullopt;
  return BlockPlace{block->begin, block->allocated_at};
}

void begin_run() {
  for (; owners != 0; owners &= owners - 1) blocks[static_cast<std::size_t>(std::countr_zero(owners))].clear();
}

void* allocate(Execution& execution, std::size_t size, std::size_t alignment, Family family, const void* place) {
  const Execution::Thread& t = execution.running();
  void* const memory = arena::allocate(t.id, std::max<std::size_t>(size, 1), alignment);
  if (memory == nullptr) {
    {
      const Execution::Outside outside;
      execution.report({.kind = FindingKind::limit,
                        .message = fmt::format(
                            "thread {} needs more than {} MiB of heap in one execution: make the scenario smaller",
                            index(t.id), arena::kHeapLimit >> 20),
                        .sites = {site_here(execution, place, fmt::format("{} of {} bytes", giver(family), size))}});
    }
    execution.halt_thread();
  }
  owners |= std::uint64_t{1} << index(t.id);
  const Execution::Outside outside;  // neither the filling nor the record is the scenario's
  std::memset(memory, kFreshByte, size);
  blocks[index(t.id)].push_back({.begin = reinterpret_cast<std::uintptr_t>(memory),
                                 .size = size,
                                 .allocated_at = place,
                                 .allocated_position = t.position,
                                 .family = family});
  return memory;
}

void report_free_of_no_block(Execution& execution, void* pointer, Family family, const char* what, const void* place) {
  const Execution::Outside outside;
  report_bad_free(execution, pointer, family, what, place);
}

void release(Execution& execution, void* pointer, Family family, const void* place) {
  const Execution::Outside outside;
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  Block* const block = find(address);
  if (block == nullptr || block->begin != address || !block->live) {
    const bool on_stack = address - arena::slot_begin(arena::owner(address)) >= arena::kHeapLimit;
    report_bad_free(execution, pointer, family, on_stack ? "the address of a variable on a stack" : "an address",
                    place);
  }
  if (block->family != family) {
    execution.report({.kind = FindingKind::double_free,
                      .message = fmt::format("{} of a block of {} bytes that came from {}: give it back with {}",
                                             taker(family), block->size, giver(block->family), taker(block->family)),
                      .sites = {site_here(execution, place, taker(family)), allocation_site(*block)},
                      .address = address,
                      .size = block->size});
    execution.halt_thread();
  }
  block->freed_at = place;
  block->freed_by = execution.running().id;
  block->freed_position = execution.running().position;
  const std::size_t size = std::max<std::size_t>(block->size, 1);
  if (!shadow::is_private(execution.running().id, address, size)) free_access(execution, address, size, place);
  shadow::flag_freed(address, size);  // sends every later access to check_use()
  block->live = false;
}

void release_silently(void* pointer) {
  Block* const block = find(reinterpret_cast<std::uintptr_t>(pointer));
  if (block != nullptr) block->live = false;
}

std::size_t size_of(const void* pointer) {
  const Block* const block = find(reinterpret_cast<std::uintptr_t>(pointer));
  return block != nullptr && block->live && block->begin == reinterpret_cast<std::uintptr_t>(pointer) ? block->size : 0;
}

void report_use_after_free(Execution& execution, std::uintptr_t cell_address, const ShadowAccess& access) {
  {
    const Execution::Outside outside;
    const std::uintptr_t address = cell_address + static_cast<std::size_t>(std::countr_zero(access.bytes));
    const int bytes = std::popcount(access.bytes);
    const std::string what = fmt::format("{} of {} {}", access.kind == AccessKind::read ? "read" : "write", bytes,
                                         bytes == 1 ? "byte" : "bytes");
    Finding finding{.kind = FindingKind::use_after_free,
                    .message = {},
                    .sites = {{ThreadId{access.thread}, access.position, access.place, what}}};
    finding.address = address;
    finding.size = static_cast<std::size_t>(std::popcount(access.bytes));
    const Block* const block = find(address);
    if (block == nullptr) {
      finding.message = what + " in memory that was given back";
    } else {
      finding.message = fmt::format("{} by thread {} in a block of {} bytes that thread {} gave back", what,
                                    access.thread, block->size, index(block->freed_by));
      finding.sites.push_back(free_site(*block));
      finding.sites.push_back(allocation_site(*block));
    }
    execution.report(finding);
  }
  execution.halt_thread();
}

void check_use(Execution& execution, std::uintptr_t address, std::size_t size, AccessKind kind, const void* place) {
  const std::size_t offset = address & 7;
  for (const std::uintptr_t at : {address, address + size - 1}) {
    const Block* const block = find(at);
    if (block == nullptr || block->live) continue;
    const Execution::Thread& t = execution.running();
    report_use_after_free(execution, address - offset,
                          {.position = t.position,
                           .thread = static_cast<std::uint8_t>(t.id),
                           .bytes = shadow::byte_mask(offset, std::min(size, 8 - offset)),
                           .kind = kind,
                           .place = place});
  }
}

bool is_stopped(Execution& execution, ThreadId t) { return thread_record(execution, t).stopped; }

// What the threads of the run kept for themselves: thread_local variables and thread-specific data as they were left,
// and results that nobody has joined. A real thread's are gone with it; but a leak that is none is worse than one not
// told.
std::vector<MemoryRange> thread_roots(Execution& execution) {
  std::vector<MemoryRange> roots;
  for (std::size_t i = 0; i < execution.thread_count(); ++i) {
    const Execution::Thread& t = execution.thread(ThreadId{static_cast<std::uint16_t>(i)});
    if (t.state == Execution::ThreadState::absent) continue;
    const auto add = [&](const void* begin, std::size_t size) {
      if (size != 0) roots.push_back({reinterpret_cast<std::uintptr_t>(begin), size});
    };
    add(t.context.thread_locals().data(), t.context.thread_locals().size());
    add(&t.result, sizeof t.result);
    const auto& specific = thread_record(execution, t.id).specific;
    add(specific.data(), specific.size() * sizeof specific[0]);
    // It could not give back what it was handed.
    if (is_stopped(execution, t.id)) {
      add(reinterpret_cast<const void*>(arena::slot_begin(t.id)), arena::allocated(t.id));
      const auto& left_behind = thread_record(execution, t.id).left_behind;
      add(left_behind.data(), left_behind.size() * sizeof left_behind[0]);
    }
  }
  return roots;
}

void report_leaks(Execution& execution) {
  std::vector<MemoryRange> live;
  for (std::uint64_t left = owners; left != 0; left &= left - 1) {
    for (const Block& block : blocks[static_cast<std::size_t>(std::countr_zero(left))]) {
      if (block.live) live.push_back({block.begin, block.size});
    }
  }
  if (live.empty()) return;
  for (const MemoryRange& lost : unreachable(live, thread_roots(execution))) {
    const Block& block = *find(lost.begin);
    if (is_stopped(execution, arena::owner(lost.begin))) continue;  // nor what it had
    execution.report(
        {.kind = FindingKind::leak,
         .message = fmt::format("a block of {} bytes from {} is never given back, and nothing points to it any more",
                                block.size, giver(block.family)),
         .sites = {allocation_site(block)},
         .address = block.begin,
         .size = block.size});
  }
}

}  // namespace weft::lifetime
