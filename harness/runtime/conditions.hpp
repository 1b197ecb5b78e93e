// What must be true at least once in an exploration: the conditions of weft::sometimes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Belongs to one exploration. Not thread-safe.
class Conditions {
 public:
  /// Notes that the condition was met with, and whether it held.
  void met(std::string_view name, bool holds) {
    for (Condition& condition : all_) {
      if (condition.name == name) {
        condition.held = condition.held || holds;
        return;
      }
    }
    all_.push_back({std::string(name), holds});
  }
  /// The first condition that never held; empty if all did.
  std::string_view never_held() const {
    for (const Condition& condition : all_) {
      if (!condition.held) return condition.name;
    }
    return {};
  }
  struct Condition {
    std::string name;
    bool held = false;
  };
  const std::vector<Condition>& all() const { return all_; }
  void clear() { all_.clear(); }

 private:
  std::vector<Condition> all_;
};

}  // namespace weft
