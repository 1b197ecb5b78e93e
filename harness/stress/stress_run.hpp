// Many iterations of one variant, until one fails or the time is over.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "report/source_places.hpp"
#include "weft/weft.hpp"

namespace weft::stress {

struct StressOptions {
  std::string name;
  double seconds = 5;
  std::uint64_t iterations = 0;  ///< at most; 0: as many as there is time for
  std::uint64_t seed = 1;        ///< of the first iteration; the next one has the next seed
  double most_seconds_each = 10;
};

struct StressResult {
  Verdict verdict = Verdict::internal;  ///< bug, sampled, or vacuous: no iteration was one to count
  std::string reason;                   ///< what the reader should know
  std::uint64_t iterations = 0;
  std::uint64_t dropped = 0;  ///< by weft::assume
  double seconds = 0;
  std::vector<FindingReport> findings;
};

StressResult stress(const std::function<void()>& body, const StressOptions& options, SourcePlaces& places);

}  // namespace weft::stress
