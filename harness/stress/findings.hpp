// What an iteration shows, in the words and forms of all other reports.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/source_places.hpp"
#include "stress/iteration.hpp"
#include "weft/weft.hpp"

namespace weft::stress {

struct IterationName {
  std::string variant;  ///< "scenario/variant"
  std::uint64_t number = 0;
  std::uint64_t seed = 0;
};

/// Of the iteration that has just ended; the board has what it wrote down.
std::vector<FindingReport> findings_of(const IterationEnd& end, const IterationName& name, SourcePlaces& places);

}  // namespace weft::stress
