// What is to be done around each exploration.
#pragma once

namespace weft::detail {

/// Warms up libraries. Calls the hook of set_exploration_hook(), if any, now and at the end of its life.
class AroundExploration {
 public:
  AroundExploration();
  ~AroundExploration();
  AroundExploration(const AroundExploration&) = delete;
  AroundExploration& operator=(const AroundExploration&) = delete;
};

}  // namespace weft::detail
