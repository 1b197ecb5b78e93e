#include "runtime/object_words.hpp"

#include <fmt/format.h>

#include "runtime/arena.hpp"

namespace weft {
namespace {

std::string memory_place(std::uintptr_t address) {
  if (!arena::contains(address)) return fmt::format("{:#x}", address);
  const ThreadId owner = arena::owner(address);
  const bool on_heap = address - arena::slot_begin(owner) < arena::kHeapLimit;
  if (on_heap) return fmt::format("heap object of thread {} at +{}", index(owner), address - arena::slot_begin(owner));
  return fmt::format("local of thread {} at -{}", index(owner), arena::stack_top(owner) - address);
}

}  // namespace

std::string describe_object(const ExplorationMemory& memory, const char* kind, std::uintptr_t address) {
  const std::string name = memory.objects.find(address);
  return name.empty() ? std::string(kind) : std::string(kind) + " " + name;
}

std::string location_name(const ExplorationMemory& memory, LocationKey location) {
  const std::uintptr_t address = location.address();
  if (std::string name = memory.objects.find(address); !name.empty()) return name;
  switch (location.space()) {
    case LocationKey::Space::memory: return memory_place(address);
    case LocationKey::Space::mutex: return "mutex (" + memory_place(address) + ")";
    case LocationKey::Space::channel:
      return address < kMaxThreads ? fmt::format("thread {}", address) : "channel (" + memory_place(address) + ")";
    case LocationKey::Space::object: return "object (" + memory_place(address) + ")";
  }
  return {};
}

}  // namespace weft
