// Carries what an exploration has learned into another run, maybe in another process: from and to the form that
// schedule tokens have.
#pragma once

#include <vector>

#include "explore/schedule_token.hpp"
#include "runtime/execution.hpp"

namespace weft {

/// `renamed` gives threads the numbers that they have in the schedule (schedule_of). What belongs to a thread that the
/// schedule does not create is left out.
std::vector<Learned> what_was_learned(const ExplorationMemory& memory, const std::vector<ThreadId>& renamed);
/// What comes from outside must have been through drop_foreign().
void learn(ExplorationMemory& memory, const std::vector<Learned>& learned);
/// Drops what is not in the memory of this program: of another build, or damaged.
void drop_foreign(std::vector<Learned>& learned);

}  // namespace weft
