#include "runtime/sleep_spin.hpp"

namespace weft {

void ReadRun::note(ReadPlace place, LocationKey location, Value value, std::uint32_t position) {
  const bool goes_on = length_ != 0 && position == position_ + 1 && location == location_;
  if (!goes_on) length_ = 0, place_count_ = 0;
  ++length_;
  last_ = place;
  value_ = value;
  location_ = location;
  position_ = position;
  for (std::size_t i = 0; i < place_count_; ++i) {
    if (places_[i].place == place) {
      ++places_[i].count;
      return;
    }
  }
  if (place_count_ < places_.size()) places_[place_count_++] = {place, 1};
}

bool ReadRun::learn(SleepSpins& spins, std::uint32_t position) const {
  if (length_ < kSpins || position != position_) return false;
  bool is_new = false;
  for (std::size_t i = 0; i < place_count_; ++i) {
    if (places_[i].count >= kSpinsOfPlace) is_new = spins.insert(places_[i].place).second || is_new;
  }
  return is_new;
}

}  // namespace weft
