// How inputs of a fuzz target are changed: as the decisions that they are, never as mere bytes.
//
// An input means what its run makes of it. So changes start from the decisions that the run took, with their numbers of
// options; each result is one that the run can take, as far as the changed decision leaves the rest of it as it was.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "explore/decisions.hpp"

namespace weft::fuzz {

using Bytes = std::vector<std::uint8_t>;

/// Another input, at most `most` bytes long; the same for the same `seed`.
Bytes mutate(std::span<const TakenDecision> decisions, std::size_t most, std::uint32_t seed);

/// The beginning of one input and the end of another, cut between decisions; the same for the same `seed`.
Bytes cross_over(std::span<const TakenDecision> one, std::span<const TakenDecision> other, std::size_t most,
                 std::uint32_t seed);

}  // namespace weft::fuzz
