// CPU time of this process, which other load on the machine disturbs less than wall time.
#pragma once

#include <sys/resource.h>

namespace weft::bench {

/// Seconds that this process has computed in user mode so far.
inline double user_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) + static_cast<double>(usage.ru_utime.tv_usec) * 1e-6;
}

}  // namespace weft::bench
