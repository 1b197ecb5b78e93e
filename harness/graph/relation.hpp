// Binary relations over a small set of events, as bit matrices: the algebra in which memory models are written down.
//
// For definitions and oracles, where clarity counts and speed does not: every operation goes over the whole matrix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weft {

/// A relation over the elements 0 .. size()-1.
class Relation {
 public:
  explicit Relation(std::size_t size) : size_(size), words_((size + 63) / 64), bits_(size * words_, 0) {}

  std::size_t size() const { return size_; }
  bool has(std::size_t a, std::size_t b) const { return (bits_[a * words_ + b / 64] >> (b % 64) & 1) != 0; }
  void add(std::size_t a, std::size_t b) { bits_[a * words_ + b / 64] |= std::uint64_t{1} << (b % 64); }

  Relation& operator|=(const Relation& other) {
    for (std::size_t i = 0; i < bits_.size(); ++i) bits_[i] |= other.bits_[i];
    return *this;
  }
  friend Relation operator|(Relation a, const Relation& b) { return a |= b; }

  /// Composition: a to c if for some b both `x` has (a, b) and `y` has (b, c).
  friend Relation operator*(const Relation& x, const Relation& y) {
    Relation result(x.size_);
    for (std::size_t a = 0; a < x.size_; ++a) {
      for (std::size_t b = 0; b < x.size_; ++b) {
        if (x.has(a, b)) result.join_row(a, y, b);
      }
    }
    return result;
  }

  /// The smallest transitive relation that holds this one (Warshall's algorithm).
  Relation closure() const {
    Relation result = *this;
    for (std::size_t via = 0; via < size_; ++via) {
      for (std::size_t a = 0; a < size_; ++a) {
        if (result.has(a, via)) result.join_row(a, result, via);
      }
    }
    return result;
  }

  /// This relation and every element to itself.
  Relation reflexive() const {
    Relation result = *this;
    for (std::size_t a = 0; a < size_; ++a) result.add(a, a);
    return result;
  }

  bool irreflexive() const {
    for (std::size_t a = 0; a < size_; ++a) {
      if (has(a, a)) return false;
    }
    return true;
  }
  bool acyclic() const { return closure().irreflexive(); }

  /// The pairs for which `keep(a, b)` holds.
  template <class Keep>
  Relation where(Keep keep) const {
    Relation result(size_);
    for (std::size_t a = 0; a < size_; ++a) {
      for (std::size_t b = 0; b < size_; ++b) {
        if (has(a, b) && keep(a, b)) result.add(a, b);
      }
    }
    return result;
  }

 private:
  void join_row(std::size_t a, const Relation& from, std::size_t b) {
    for (std::size_t i = 0; i < words_; ++i) bits_[a * words_ + i] |= from.bits_[b * words_ + i];
  }

  std::size_t size_;
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace weft
