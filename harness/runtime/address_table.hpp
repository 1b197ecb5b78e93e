// A table by address that forgets everything at the start of each run, at no cost: entries of an earlier run do not count.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/execution.hpp"

namespace weft {

/// Open-addressed. References stay valid until the next call of at(). Not thread-safe.
template <class Entry>
class AddressTable {
 public:
  /// The entry of `address` in the running execution; a fresh one if it has none yet.
  Entry& at(const Execution& execution, std::uintptr_t address) {
    const std::uint32_t run = execution.run_number();
    if (run != run_) {
      run_ = run;
      used_ = 0;
    }
    if (used_ * 2 >= slots_.size()) grow();
    Slot& slot = slots_[position(address)];
    if (slot.run != run) {
      slot = {run, address, Entry{}};
      ++used_;
    }
    return slot.entry;
  }
  /// Null if the running execution has no entry for it.
  const Entry* find(const Execution& execution, std::uintptr_t address) const {
    if (execution.run_number() != run_ || slots_.empty()) return nullptr;
    const Slot& slot = slots_[position(address)];
    return slot.run == run_ ? &slot.entry : nullptr;
  }
  /// Calls `visit(address, entry)` for each entry of the running execution.
  template <class Visit>
  void for_each(const Execution& execution, Visit visit) const {
    for (const Slot& slot : slots_) {
      if (slot.run == execution.run_number()) visit(slot.address, slot.entry);
    }
  }

 private:
  struct Slot {
    std::uint32_t run = 0;
    std::uintptr_t address = 0;
    Entry entry{};
  };
  std::size_t position(std::uintptr_t address) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = (address * 0x9e37'79b9'7f4a'7c15u >> 32) & mask;
    while (slots_[i].run == run_ && slots_[i].address != address) i = (i + 1) & mask;
    return i;
  }
  void grow() {
    const Execution::Outside outside;  // the table outlives the run
    std::vector<Slot> old(slots_.empty() ? 64 : slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.run == run_) slots_[position(slot.address)] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::uint32_t run_ = 0;
  std::size_t used_ = 0;
};

}  // namespace weft
