#include "runtime/mismatch.hpp"

#include <algorithm>

#include "explore/operation_words.hpp"
#include "runtime/object_words.hpp"

namespace weft {
namespace {

std::string object_of(const ExplorationMemory& memory, const Operation& operation) {
  return has_location(operation.kind) ? location_name(memory, operation.location) : std::string();
}

}  // namespace

std::string describe_mismatch(const Execution& execution, const ExplorationMemory& memory, const Event& was, const Operation* is) {
  const ExecutionGraph& graph = execution.graph();
  const std::span<const EventId> line = graph.thread(was.thread);
  // The two parts of a read-modify-write are one operation.
  const std::size_t first = was.is_write_part() ? was.index - 1 : was.index;
  const auto parts_before = std::count_if(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(first),
                                          [&](EventId e) { return graph[e].is_write_part(); });
  const std::size_t number = first + 1 - static_cast<std::size_t>(parts_before);
  const OperationKind kind = operation_of(graph, line[first]);
  const std::string object = was.location == kNoLocation ? "" : location_name(memory, memory.locations.key(was.location));

  std::string text = "operation " + std::to_string(number) + " of thread " + std::to_string(index(was.thread)) + " was " +
                     operation_text(kind, object) + ", now ";
  if (is == nullptr) {
    text += "the thread ends before it";
  } else if (is->kind != kind) {
    text += "it is " + operation_text(is->kind, object_of(memory, *is));
  } else if (const std::string other = object_of(memory, *is); other != object) {
    text += "it is one of " + other;
  } else {
    text += "it has another value";
  }
  return text + ": what a scenario does must depend only on its own reads and on weft::choose, not on time, files, random numbers or "
                "what earlier executions left behind";
}

}  // namespace weft
