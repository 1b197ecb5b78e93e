// Where a directed execution takes its decisions from: bytes of a fuzzer, a random generator, a strategy (sampler.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "explore/explorer.hpp"

namespace weft {

enum class DecisionKind : std::uint8_t {
  thread,    ///< who goes on; option 0 is whoever went last, if it can
  source,    ///< which write a read takes; option 0 is the newest
  position,  ///< where in coherence order a write goes; option 0 is the end
  choice,    ///< what a weft::choose takes
};

class Decisions {
 public:
  virtual ~Decisions() = default;
  /// A run begins, maybe because the same one has to be made again from nothing.
  virtual void begin() = 0;
  /// One of 0 .. options-1; `options` is at least 2.
  virtual std::uint32_t decide(DecisionKind kind, std::uint32_t options) = 0;
  /// Which of the threads goes on, by its place among `candidates`, of which there is at least one. Asked about each
  /// step that does not commute with all others, also if only one thread can take it.
  virtual std::uint32_t decide_thread(std::span<const ReadyThread> candidates) {
    return candidates.size() < 2 ? 0 : decide(DecisionKind::thread, static_cast<std::uint32_t>(candidates.size()));
  }
};

/// A decision as it was taken.
struct TakenDecision {
  DecisionKind kind{};
  std::uint32_t options = 0;
  std::uint32_t taken = 0;
  friend bool operator==(const TakenDecision&, const TakenDecision&) = default;
};

/// How many bytes a decision between so many options has.
constexpr std::size_t bytes_of_decision(std::uint32_t options) {
  return options <= 0x100 ? 1 : options <= 0x1'0000 ? 2 : 4;
}

/// Decisions read from bytes, one after the other, each modulo its number of options; option 0 when the bytes have run
/// out. Any bytes make a run, and few bytes a simple one: with none at all, threads run one after the other.
class ByteDecisions final : public Decisions {
 public:
  /// `bytes` must outlive this.
  explicit ByteDecisions(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  /// Also keeps what was decided, those decisions included for which there were no bytes.
  void record(std::vector<TakenDecision>* taken) { taken_ = taken; }

  void begin() override {
    next_ = 0;
    if (taken_ != nullptr) taken_->clear();
  }
  std::uint32_t decide(DecisionKind kind, std::uint32_t options) override {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < bytes_of_decision(options) && next_ < bytes_.size(); ++i)
      value |= std::uint32_t{bytes_[next_++]} << 8 * i;
    value %= options;
    if (taken_ != nullptr) taken_->push_back({kind, options, value});
    return value;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t next_ = 0;
  std::vector<TakenDecision>* taken_ = nullptr;
};

/// The bytes from which ByteDecisions take these decisions again. Trailing zeros are left out.
inline std::vector<std::uint8_t> bytes_of(std::span<const TakenDecision> decisions) {
  std::vector<std::uint8_t> bytes;
  std::size_t needed = 0;
  for (const TakenDecision& decision : decisions) {
    for (std::size_t i = 0; i < bytes_of_decision(decision.options); ++i)
      bytes.push_back(static_cast<std::uint8_t>(decision.taken >> 8 * i));
    if (decision.taken != 0) needed = bytes.size();
  }
  bytes.resize(needed);
  return bytes;
}

/// Passes on what another decides, and keeps it: from bytes_of(taken()) ByteDecisions make the same run.
class RecordedDecisions final : public Decisions {
 public:
  /// `decisions` must outlive this.
  explicit RecordedDecisions(Decisions& decisions) : decisions_(decisions) {}

  /// In the run that is going on, or was the last.
  const std::vector<TakenDecision>& taken() const { return taken_; }

  void begin() override {
    taken_.clear();
    decisions_.begin();
  }
  std::uint32_t decide(DecisionKind kind, std::uint32_t options) override {
    taken_.push_back({kind, options, decisions_.decide(kind, options)});
    return taken_.back().taken;
  }
  std::uint32_t decide_thread(std::span<const ReadyThread> candidates) override {
    const std::uint32_t taken = decisions_.decide_thread(candidates);
    const auto options = static_cast<std::uint32_t>(candidates.size());
    if (options > 1) taken_.push_back({DecisionKind::thread, options, taken});
    return taken;
  }

 private:
  Decisions& decisions_;
  std::vector<TakenDecision> taken_;
};

/// A random walk: every option equally likely. The same run again for a run that has to be made again; then the next.
class RandomDecisions final : public Decisions {
 public:
  explicit RandomDecisions(std::uint64_t seed) : seed_(seed) {}
  /// The run after this one is another.
  void next_run() { ++seed_; }

  void begin() override { random_.seed(seed_); }
  std::uint32_t decide(DecisionKind, std::uint32_t options) override {
    return static_cast<std::uint32_t>(random_() % options);
  }

 private:
  std::uint64_t seed_;
  std::mt19937_64 random_;
};

}  // namespace weft
