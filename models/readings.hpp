// What is known about readings of a clock that nobody looks at: upper bounds of differences between them. "The second
// was taken at least 2 ms after the first" is one; so is "the first plus its 10 ms comes before the second plus its
// 8 ms". A set of such bounds holds for some integers exactly if no bound contradicts the others, which is what
// allows() tells (difference-bound matrices). So of several timers one can tell which orders some clock would show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace js {

using Milliseconds = std::int64_t;

class Readings {
 public:
  /// Names a reading.
  using Slot = std::size_t;

  /// `slots` readings of which nothing is known.
  explicit Readings(std::size_t slots);
  Slot add();
  /// From here on the slot stands for another reading, of which nothing is known.
  void forget(Slot slot);
  /// From here on the slot stands for a reading at the same time or later, nobody knows by how much.
  void advance(Slot slot);
  /// From here on `to` is `plus` after `from`.
  void set(Slot to, Slot from, Milliseconds plus = 0);
  /// Whether a - b may be at most `most`.
  bool allows(Slot a, Slot b, Milliseconds most) const { return at(b, a) + most >= 0; }
  /// Whether a - b is certainly at most `most`.
  bool implies(Slot a, Slot b, Milliseconds most) const { return at(a, b) <= most; }
  /// Adds the knowledge that a - b is at most `most`; false, and then this knows nonsense, if that cannot be.
  bool require(Slot a, Slot b, Milliseconds most);
  /// a - b is at most this.
  Milliseconds most(Slot a, Slot b) const { return at(a, b); }
  /// Whether all that `other` allows is allowed here. Both must have the same slots.
  bool covers(const Readings& other) const;

 private:
  Milliseconds& at(Slot a, Slot b) { return bounds_[a * slots_ + b]; }
  Milliseconds at(Slot a, Slot b) const { return bounds_[a * slots_ + b]; }

  std::size_t slots_;
  std::vector<Milliseconds> bounds_;  // of a - b; as tight as all of them together make it
};

}  // namespace js
