// Explores programs of tests/oracle/benchmarks.tsv and counts, in each of their forms.
#pragma once

#include <cstdint>

#include "explore/oracle_table.hpp"

namespace weft::bench {

enum class Form : std::uint8_t {
  posix_c,       ///< C11 atomics and POSIX threads, as the peer ran them, with all hooks and detectors
  standard_cpp,  ///< std::thread, std::atomic, std::mutex, with all hooks and detectors
  operations,    ///< the same steps through Execution::perform(): the engine alone
};

struct RowRun {
  std::uint64_t executions = 0;
  bool cut = false;  ///< there are more; `most` ended it
};

/// Explores the program of `row`, at most `most` executions of it. Throws std::runtime_error if the table names a
/// program that is not there, if a finding turns up, or if a search that was not cut has another count than the table.
RowRun explore_row(const test::OracleRow& row, Form form, std::uint64_t most);

}  // namespace weft::bench
