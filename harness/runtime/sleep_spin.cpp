#include "runtime/sleep_spin.hpp"

namespace weft {

void ReadRun::note(ReadPlace place, LocationKey location, Value value, std::uint32_t position) {
  const bool goes_on = length_ != 0 && position == position_ + 1 && location == location_;
  if (!goes_on) length_ = 0;
  latest_[length_ % kSpins] = last_ = place;
  ++length_;
  value_ = value;
  location_ = location;
  position_ = position;
}

bool ReadRun::learn(SleepSpins& spins, std::uint32_t position) const {
  if (length_ < kSpins || position != position_) return false;
  bool is_new = false;
  for (const ReadPlace place : latest_) is_new = spins.insert(place).second || is_new;
  return is_new;
}

}  // namespace weft
