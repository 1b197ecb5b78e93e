// The programs of oracle/benchmarks.tsv, three times: as operations of the explorer, as C on POSIX threads (what the peer ran), and as
// ordinary C++ on std::thread, std::atomic and std::mutex. The column `program` of the table says what each one does.
#pragma once

#include <functional>
#include <string>

namespace weft::test {

/// Bodies to explore; empty if there is no such program.
std::function<void()> benchmark_by_operations(const std::string& name, int n);
std::function<void()> benchmark_in_standard_cpp(const std::string& name, int n);
/// One at a time: the program is chosen by a global.
std::function<void()> benchmark_in_posix_c(const std::string& name, int n);

}  // namespace weft::test
