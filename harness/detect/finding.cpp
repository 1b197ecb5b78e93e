#include "detect/finding.hpp"

namespace weft {

const char* to_string(FindingKind kind) {
  switch (kind) {
    case FindingKind::invariant:
      return "invariant";
    case FindingKind::data_race:
      return "data race";
    case FindingKind::uncaught_exception:
      return "uncaught exception";
    case FindingKind::abort:
      return "abort";
    case FindingKind::signal:
      return "signal";
    case FindingKind::deadlock:
      return "deadlock";
    case FindingKind::livelock:
      return "livelock";
    case FindingKind::endless_loop:
      return "endless loop";
    case FindingKind::use_after_free:
      return "use after free";
    case FindingKind::double_free:
      return "double free";
    case FindingKind::leak:
      return "leak";
    case FindingKind::mutex_misuse:
      return "mutex misuse";
    case FindingKind::condition_misuse:
      return "condition variable misuse";
    case FindingKind::nondeterminism:
      return "nondeterminism";
    case FindingKind::unsupported:
      return "unsupported";
    case FindingKind::limit:
      return "limit";
    case FindingKind::warning:
      return "warning";
  }
  return "unknown";
}

}  // namespace weft
