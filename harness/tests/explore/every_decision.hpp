// Every sequence of decisions that there is, one after the other, as a counter of changing width counts.
#pragma once

#include <vector>

#include "explore/decisions.hpp"

namespace weft::test {

class EveryDecision final : public Decisions {
 public:
  void begin() override { next_ = 0; }
  std::uint32_t decide(DecisionKind kind, std::uint32_t options) override {
    if (next_ == taken_.size()) taken_.push_back({kind, options, 0});
    return taken_[next_++].taken;
  }
  /// False when all have been made.
  bool advance() {
    taken_.resize(next_);
    while (!taken_.empty() && taken_.back().taken + 1 == taken_.back().options) taken_.pop_back();
    if (taken_.empty()) return false;
    ++taken_.back().taken;
    return true;
  }

 private:
  std::vector<TakenDecision> taken_;
  std::size_t next_ = 0;
};

}  // namespace weft::test
