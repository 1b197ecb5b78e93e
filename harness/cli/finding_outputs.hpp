// Where commands that look for findings put them, besides standard output: options and their effect.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/explored.hpp"
#include "cli/findings_folder.hpp"

namespace weft::cli {

struct FindingOutputs {
  enum class Keep { unexpected, all, none };
  Keep keep = Keep::unexpected;
  std::string findings_folder = kFindingsFolder;
  std::string junit_file;
  std::string sarif_file;

  /// `what_becomes_of_them`: a sentence about findings that are kept.
  void add_to(CLI::App& command, const std::string& what_becomes_of_them);
  /// Throws UsageError if they cannot be written as asked for.
  void check() const;
  /// Writes all that was asked for. Returns what to tell about it.
  std::string write(const std::vector<Explored>& explored) const;
};

/// "DEBUG  ..." for who was not looking for this finding; else empty.
std::string debug_text(const Explored& one, const FindingReport& finding);

/// A variant of the same scenario that was proved; null if there is none.
const Explored* proved_beside(const Explored& one, const std::vector<Explored>& explored);

}  // namespace weft::cli
