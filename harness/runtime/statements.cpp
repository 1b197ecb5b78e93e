#include "runtime/statements.hpp"

#include <map>
#include <utility>

#include "report/source_places.hpp"

namespace weft {

bool are_of_one_statement(const void* a, const void* b) {
  // For the life of the process, as the code is.
  static auto* const places = new SourcePlaces;
  static auto* const known = new std::map<std::pair<const void*, const void*>, bool>;
  const auto found = known->find({a, b});
  if (found != known->end()) return found->second;
  const std::optional<SourcePlaces::Position> one = places->position_of(a);
  const bool same = one && one == places->position_of(b);
  known->emplace(std::pair(a, b), same);
  return same;
}

}  // namespace weft
