// Scenarios: a bug as a broken and a fixed model side by side, with what each must show.
//
//   WEFT_SCENARIO(lost_increment)
//       .source("seeds 000")
//       .broken("plain", two_workers<Plain>, weft::finds::data_race("view[0]"), weft::finds::invariant("counter = 7 +
//       increments")) .fixed("atomic", two_workers<Atomic>);
//
// One such declaration makes the entry of `weft list` and, through weft_add_scenarios() of CMake, a CTest test for each
// variant. A broken variant passes if each of its expectations is found and nothing else is; a fixed one if it is
// proved.
//
// `weft stress` runs the same bodies on real threads. It must find a broken variant there, too, and a fixed one must survive; where that
// is too much to ask, .stress(weft::stress::may_miss("why")) or .stress(weft::stress::skip("why")) behind the variant says so.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "weft/weft.hpp"

namespace weft {

inline constexpr Model sc = Model::sc;
inline constexpr Model rc11 = Model::rc11;

/// A finding that a broken variant must show: its kind, and a part of its message.
struct Expectation {
  std::string kind;
  std::string text;
};

namespace finds {
inline Expectation invariant(const char* sentence) { return {"invariant", sentence}; }
inline Expectation data_race(const char* object) { return {"data race", object}; }
inline Expectation deadlock(const char* text = "") { return {"deadlock", text}; }
inline Expectation livelock(const char* text = "") { return {"livelock", text}; }
inline Expectation uncaught_exception(const char* text = "") { return {"uncaught exception", text}; }
inline Expectation leak(const char* text = "") { return {"leak", text}; }
inline Expectation use_after_free(const char* text = "") { return {"use after free", text}; }
/// Any kind, by the word that reports use for it.
inline Expectation finding(const char* kind, const char* text = "") { return {kind, text}; }
}  // namespace finds

namespace stress {

/// What running a variant on real threads must show. `why` is printed whenever it matters.
struct Policy {
  enum class Kind : std::uint8_t {
    full,      ///< a broken variant must be found
    may_miss,  ///< a broken variant may survive
    skip,      ///< the variant is not run
  };
  Kind kind = Kind::full;
  std::string why{};
};

inline Policy may_miss(const char* why) { return {Policy::Kind::may_miss, why}; }
inline Policy skip(const char* why) { return {Policy::Kind::skip, why}; }

}  // namespace stress

struct Variant {
  std::string name;
  std::function<void()> body;
  std::vector<Expectation> expected;  ///< empty: a fixed variant
  Verdict verdict = Verdict::proved;  ///< expected of a fixed variant
  stress::Policy stress{};
  std::uint32_t fuzz_runs = 1'000;  ///< within so many runs of its fuzz target each expectation must be found
};

class Scenario {
 public:
  Scenario(const char* name, const char* file) : name_(name), file_(file) {}

  /// Where the bug is described.
  Scenario& source(const char* text) {
    source_ = text;
    return *this;
  }
  /// The memory model to explore under; Model::rc11 if nothing is said.
  Scenario& model(Model model) {
    model_ = model;
    return *this;
  }
  /// A model with the bug, and everything that exploring it must find.
  template <class... Expectations>
  Scenario& broken(const char* name, std::function<void()> body, Expectation first, Expectations... more) {
    variants_.push_back({.name = name,
                         .body = std::move(body),
                         .expected = {std::move(first), std::move(more)...},
                         .verdict = Verdict::bug});
    return *this;
  }
  /// A model without it: exploring it must end in a proof.
  Scenario& fixed(const char* name, std::function<void()> body) {
    variants_.push_back({.name = name, .body = std::move(body), .expected = {}, .verdict = Verdict::proved});
    return *this;
  }
  /// Of the variant before: what `weft stress` may ask of it.
  Scenario& stress(::weft::stress::Policy policy) {
    variants_.at(variants_.size() - 1).stress = std::move(policy);
    return *this;
  }
  /// Of the variant before, a broken one: within so many runs its fuzz target must find each of its expectations.
  Scenario& fuzz_runs(std::uint32_t runs) {
    variants_.at(variants_.size() - 1).fuzz_runs = runs;
    return *this;
  }

  const std::string& name() const { return name_; }
  const std::string& file() const { return file_; }
  const std::string& source() const { return source_; }
  Model model() const { return model_; }
  const std::vector<Variant>& variants() const { return variants_; }

 private:
  std::string name_;
  std::string file_;
  std::string source_;
  Model model_ = Model::rc11;
  std::vector<Variant> variants_;
};

/// All scenarios that are linked into this program, by name. References stay valid.
std::vector<const Scenario*> all_scenarios();

namespace detail {
Scenario& register_scenario(const char* name, const char* file);
}  // namespace detail

}  // namespace weft

/// Declares a scenario; at namespace scope, once per name in a program.
#define WEFT_SCENARIO(name)                                              \
  [[maybe_unused]] static const ::weft::Scenario& weft_scenario_##name = \
      ::weft::detail::register_scenario(#name, __FILE__)
