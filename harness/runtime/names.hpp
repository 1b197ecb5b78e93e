// Names that stay the same for all executions of an exploration: threads by who created them, locations by what they are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "explore/operation.hpp"

namespace weft {

/// Thread numbers by (creator, how many threads it had created before). The first thread is 0.
class ThreadNames {
 public:
  ThreadNames() : children_(1) {}
  ThreadId child(ThreadId creator, std::size_t nth) {
    while (children_[index(creator)].size() <= nth) {
      children_[index(creator)].push_back(ThreadId{static_cast<std::uint16_t>(children_.size())});
      children_.emplace_back();
    }
    return children_[index(creator)][nth];
  }
  std::size_t count() const { return children_.size(); }
  /// Who created whom, as "0>1,2;1>3": equal if all threads have the same numbers.
  std::string to_string() const {
    std::string text;
    for (std::size_t creator = 0; creator < children_.size(); ++creator) {
      if (children_[creator].empty()) continue;
      if (!text.empty()) text += ';';
      text += std::to_string(creator);
      for (std::size_t i = 0; i < children_[creator].size(); ++i) {
        text += i == 0 ? '>' : ',';
        text += std::to_string(index(children_[creator][i]));
      }
    }
    return text;
  }

 private:
  std::vector<std::vector<ThreadId>> children_;
};

/// Location numbers by key; an open-addressed hash table.
class LocationNames {
 public:
  LocationNames() : slots_(256) {}

  LocationId intern(LocationKey key) {
    std::size_t i = slot_of(key);
    if (slots_[i].id != kNoLocation) return slots_[i].id;
    if (keys_.size() * 2 >= slots_.size()) {
      grow();
      i = slot_of(key);
    }
    slots_[i] = {key, LocationId{static_cast<std::uint32_t>(keys_.size())}};
    keys_.push_back(key);
    return slots_[i].id;
  }
  std::optional<LocationId> find(LocationKey key) const {
    const Slot& slot = slots_[slot_of(key)];
    return slot.id == kNoLocation ? std::nullopt : std::optional(slot.id);
  }
  LocationKey key(LocationId l) const { return keys_[index(l)]; }
  std::size_t count() const { return keys_.size(); }

 private:
  struct Slot {
    LocationKey key{};
    LocationId id = kNoLocation;
  };
  std::size_t slot_of(LocationKey key) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = (key.bits * 0x9e37'79b9'7f4a'7c15u >> 32) & mask;
    while (slots_[i].id != kNoLocation && !(slots_[i].key == key)) i = (i + 1) & mask;
    return i;
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.id != kNoLocation) slots_[slot_of(slot.key)] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::vector<LocationKey> keys_;
};

}  // namespace weft
