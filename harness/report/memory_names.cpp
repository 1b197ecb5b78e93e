#include "report/memory_names.hpp"

#include <fmt/format.h>

#include "detect/lifetime.hpp"
#include "runtime/arena.hpp"
#include "runtime/stack_frame.hpp"

namespace weft {

std::function<std::string(std::uintptr_t address)> memory_names(SourcePlaces& places, Execution& execution) {
  return [&](std::uintptr_t address) -> std::string {
    if (!arena::contains(address)) return places.global_object(address);
    if (const std::optional<ActiveCall> call = active_call_of(execution, address))
      return places.local_variable(call->place, call->frame_pointer, address);
    const std::optional<lifetime::BlockPlace> block = lifetime::block_at(address);
    if (!block) return {};
    const std::optional<SourceLine> line = places.line_of(block->allocated_at);
    if (!line || line->of_system) return {};
    const std::uintptr_t offset = address - block->begin;
    return fmt::format("block of {}{}", SourcePlaces::short_text(line), offset == 0 ? "" : fmt::format("+{}", offset));
  };
}

}  // namespace weft
