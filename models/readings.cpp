#include "models/readings.hpp"

#include <algorithm>
#include <utility>

namespace js {
namespace {

/// No bound. Sums of two are still a number.
constexpr Milliseconds kAny = std::int64_t{1} << 60;

}  // namespace

Readings::Readings(std::size_t slots) : slots_(slots), bounds_(slots * slots, kAny) {
  for (Slot slot = 0; slot < slots; ++slot) at(slot, slot) = 0;
}

Readings::Slot Readings::add() {
  Readings larger(slots_ + 1);
  for (Slot a = 0; a < slots_; ++a) {
    for (Slot b = 0; b < slots_; ++b) larger.at(a, b) = at(a, b);
  }
  *this = std::move(larger);
  return slots_ - 1;
}

void Readings::forget(Slot slot) {
  for (Slot other = 0; other < slots_; ++other) {
    if (other != slot) at(slot, other) = at(other, slot) = kAny;
  }
}

void Readings::advance(Slot slot) {
  for (Slot other = 0; other < slots_; ++other) {
    if (other != slot) at(slot, other) = kAny;
  }
}

void Readings::set(Slot to, Slot from, Milliseconds plus) {
  if (to == from) return;
  for (Slot other = 0; other < slots_; ++other) {
    if (other == to) continue;
    at(to, other) = at(from, other) == kAny ? kAny : at(from, other) + plus;
    at(other, to) = at(other, from) == kAny ? kAny : at(other, from) - plus;
  }
}

bool Readings::require(Slot a, Slot b, Milliseconds most) {
  if (implies(a, b, most)) return true;
  if (!allows(a, b, most)) return false;
  for (Slot from = 0; from < slots_; ++from) {
    if (at(from, a) == kAny) continue;
    for (Slot to = 0; to < slots_; ++to) {
      if (at(b, to) != kAny) at(from, to) = std::min(at(from, to), at(from, a) + most + at(b, to));
    }
  }
  return true;
}

bool Readings::covers(const Readings& other) const {
  return std::equal(bounds_.begin(), bounds_.end(), other.bounds_.begin(), other.bounds_.end(),
                    [](Milliseconds here, Milliseconds there) { return here >= there; });
}

}  // namespace js
