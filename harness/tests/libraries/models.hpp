// What the tests of libraries share: exploring under each memory model, and the set of outcomes of an exploration.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>

#include "by_compiler.hpp"
#include "weft/shared.hpp"
#include "weft/weft.hpp"

namespace weft::test {

/// The outcomes of an exploration. Lives outside of the executions that it records.
class OutcomeSet {
 public:
  /// Call it at the end of the body: an execution that is dropped before does not get here.
  template <class... Values>
  void record(Values... values) {
    const detail::OutsideScope outside;  // what is kept here must survive the execution
    std::string words;
    ((words += (words.empty() ? "" : " ") + std::to_string(values)), ...);
    outcomes_.insert(words);
  }
  const std::set<std::string>& all() const { return outcomes_; }

 private:
  std::set<std::string> outcomes_;
};

using Outcomes = std::set<std::string>;

/// The kinds of the findings of an exploration.
inline std::set<std::string> kinds_of_findings(const Result& result) {
  std::set<std::string> kinds;
  for (const FindingReport& finding : result.findings) kinds.insert(finding.kind);
  return kinds;
}
using Kinds = std::set<std::string>;

/// Tests that explore under each memory model in turn, and count executions that were met twice.
class UnderEachModel : public testing::TestWithParam<Model> {
 protected:
  static Result explore(const std::function<void()>& body, std::uint64_t max_executions = 0) {
    Options options;
    options.model = GetParam();
    options.max_executions = max_executions;
    options.count_duplicates = max_executions == 0;
    return weft::explore(body, options);
  }
  static Result explore_to_first_finding(const std::function<void()>& body) {
    Options options;
    options.model = GetParam();
    options.promote_races = false;
    return weft::explore(body, options);
  }
  static bool is_sc() { return GetParam() == Model::sc; }
};

inline auto models() { return testing::Values(Model::sc, Model::rc11); }
inline std::string model_name(const testing::TestParamInfo<Model>& model) { return to_string(model.param); }

}  // namespace weft::test
