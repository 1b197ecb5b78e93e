#include "fuzz/mutations.hpp"

#include <algorithm>
#include <random>

namespace weft::fuzz {
namespace {

using Decisions = std::vector<TakenDecision>;

constexpr std::size_t kLate = 4;

class Mutator {
 public:
  Mutator(std::span<const TakenDecision> decisions, std::uint32_t seed)
      : decisions_(decisions.begin(), decisions.end()), random_(seed) {}

  Decisions run() {
    if (decisions_.empty()) return {};
    switch (below(10)) {
      case 0:
      case 1:
      case 2:
        change(any());
        break;
      case 3:
        change_and_forget_the_rest();
        break;
      case 4:
        change_and_go_on_at_random();
        break;
      case 5:
        preempt();
        break;
      case 6:
        make_usual();
        break;
      case 7:
        change_several();
        break;
      case 8:
        shift();
        break;
      default:
        walk(0, 1);
        break;
    }
    return std::move(decisions_);
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  /// Late ones more often: an input is kept for what its run has reached last, and that has been tried the least.
  std::size_t any() {
    const std::size_t late = std::min<std::size_t>(decisions_.size(), kLate);
    return below(2) == 0 ? below(decisions_.size()) : decisions_.size() - 1 - below(late);
  }

  /// One of those that `wanted` says, or any if there is none.
  template <class Wanted>
  std::size_t any_of(Wanted wanted) {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < decisions_.size(); ++i) {
      if (wanted(decisions_[i])) found.push_back(i);
    }
    return found.empty() ? any() : found[below(found.size())];
  }

  void change(std::size_t i) {
    TakenDecision& decision = decisions_[i];
    decision.taken = static_cast<std::uint32_t>((decision.taken + 1 + below(decision.options - 1)) % decision.options);
  }
  void change_and_forget_the_rest() {
    const std::size_t i = any();
    change(i);
    decisions_.resize(i + 1);
  }
  /// From `from` on, one decision in `one_in` is drawn, the others are the usual ones.
  void walk(std::size_t from, std::size_t one_in) {
    for (std::size_t i = from; i < decisions_.size(); ++i)
      decisions_[i].taken = below(one_in) == 0 ? static_cast<std::uint32_t>(below(decisions_[i].options)) : 0;
  }
  void change_and_go_on_at_random() {
    const std::size_t i = any();
    change(i);
    walk(i + 1, 1 + below(8));
  }
  /// Another thread goes on where the same would have.
  void preempt() {
    change(any_of([](const TakenDecision& d) { return d.kind == DecisionKind::thread && d.taken == 0; }));
  }
  void make_usual() {
    decisions_[any_of([](const TakenDecision& d) { return d.taken != 0; })].taken = 0;
  }
  void change_several() {
    for (std::size_t count = 2 + below(3); count-- > 0;) change(any());
  }
  /// All that follows happens one decision earlier or later.
  void shift() {
    const auto at = decisions_.begin() + static_cast<std::ptrdiff_t>(any());
    if (below(2) == 0) {
      decisions_.erase(at);
    } else {
      decisions_.insert(at, {at->kind, at->options, static_cast<std::uint32_t>(below(at->options))});
    }
  }

  Decisions decisions_;
  std::minstd_rand random_;
};

Bytes fitted(std::span<const TakenDecision> decisions, std::size_t most) {
  Bytes bytes = bytes_of(decisions);
  if (bytes.size() > most) bytes.resize(most);
  return bytes;
}

}  // namespace

Bytes mutate(std::span<const TakenDecision> decisions, std::size_t most, std::uint32_t seed) {
  return fitted(Mutator(decisions, seed).run(), most);
}

Bytes cross_over(std::span<const TakenDecision> one, std::span<const TakenDecision> other, std::size_t most,
                 std::uint32_t seed) {
  std::minstd_rand random(seed);
  const std::size_t cut = random() % (one.size() + 1);
  // Both were at the same depth of the same program more often than not.
  std::size_t from = std::min(cut, other.size());
  if (random() % 3 == 0) from = random() % (other.size() + 1);
  Decisions spliced(one.begin(), one.begin() + static_cast<std::ptrdiff_t>(cut));
  spliced.insert(spliced.end(), other.begin() + static_cast<std::ptrdiff_t>(from), other.end());
  return fitted(spliced, most);
}

}  // namespace weft::fuzz
