#include "runtime/mismatch.hpp"

#include "explore/operation_words.hpp"

namespace weft {
namespace {

std::string with_location(OperationKind kind, const ExplorationMemory& memory, LocationKey location) {
  std::string text = operation_phrase(kind);
  if (!has_location(kind)) return text;
  const std::string name = memory.objects.find(location.address());
  return text + " " + (name.empty() ? "an object that has no name" : name);
}

}  // namespace

std::string describe_mismatch(const Execution& execution, const ExplorationMemory& memory, const Event& was, const Operation* is) {
  const std::span<const EventId> line = execution.graph().thread(was.thread);
  const bool has_write_part = was.index + 1 < line.size() && execution.graph()[line[was.index + 1]].is_write_part();
  const WriteRole part = has_write_part ? execution.graph()[line[was.index + 1]].role : WriteRole::plain;
  const OperationKind kind = operation_of(was.kind, part);
  const LocationKey location = was.location == kNoLocation ? LocationKey{} : memory.locations.key(was.location);

  std::string text = "operation " + std::to_string(was.index + 1) + " of thread " + std::to_string(index(was.thread)) + " was " +
                     with_location(kind, memory, location) + ", now ";
  if (is == nullptr) {
    text += "the thread ends before it";
  } else if (is->kind == kind && has_location(kind) && !(is->location == location)) {
    text += "it is one of another object";
  } else if (is->kind == kind) {
    text += "it has another value";
  } else {
    text += "it is " + with_location(is->kind, memory, is->location);
  }
  return text + ": what a scenario does must depend only on its own reads and on weft::choose, not on time, files, random numbers or "
                "what earlier executions left behind";
}

}  // namespace weft
