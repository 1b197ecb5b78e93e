// Where findings are kept between runs: FOLDER/SCENARIO.VARIANT/ with finding.json, trace.txt, trace.html and replay.sh.
#pragma once

#include <string>
#include <vector>

#include "cli/explored.hpp"

namespace weft::cli {

inline constexpr const char* kFindingsFolder = "weft-findings";

class FindingsFolder {
 public:
  explicit FindingsFolder(std::string folder) : folder_(std::move(folder)) {}

  /// Schedules that were kept for this variant, in the order in which they were found; none if there are none. Throws
  /// UsageError if there is a finding.json that is none.
  std::vector<std::string> schedules(const Selected& selected) const;

  /// Makes the folder, if it is not there. Throws UsageError if that is impossible.
  void make() const;

  /// Writes the variant's findings, in place of those of an earlier run. Returns the folder that has them. Throws
  /// UsageError if that is impossible; what was there before is still there then.
  /// `fixed`: a variant of the scenario without the bug, to show beside it; null if there is none.
  std::string keep(const Explored& one, const Explored* fixed) const;

 private:
  std::string folder_of(const Selected& selected) const;

  std::string folder_;
};

}  // namespace weft::cli
