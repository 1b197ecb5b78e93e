// Weft's own tests replay every finding that is printed anywhere, from its token alone, in a second process. That is
// done here, where all findings come by, so that no test has to think of it: ctest sets WEFT_REPLAY_EACH_FINDING.
#pragma once

#include <functional>
#include <vector>

#include "weft/weft.hpp"

namespace weft {

/// If the environment has WEFT_REPLAY_EACH_FINDING: replays each finding in a child process, and if one does not show
/// again with the same kind and message, says so on standard error and aborts. Those are left out that say that a
/// replay cannot work (nondeterminism). The child inherits the body and what it refers to, as they are now; it has
/// learned nothing but what the token says.
void replay_in_child_if_asked(const std::function<void()>& body, const Options& options,
                              const std::vector<FindingReport>& findings);

}  // namespace weft
