// What weft_bench_relacy and its peer process say to each other: one line a program on the peer's standard output,
//   name <tab> executions <tab> user seconds <tab> outcomes <tab> 1 if the search came to its end, else 0
//
// An outcome is what the threads of a program read, as a number in base kOutcomeBase.
#pragma once

#include <bitset>

namespace weft::bench {

enum { kOutcomeBase = 8, kMostReads = 6, kOutcomes = 8 * 8 * 8 * 8 * 8 * 8 };

/// The outcomes that a search has met.
struct Outcomes {
  std::bitset<kOutcomes> met;
  int reads[kMostReads];

  void clear_reads() {
    for (int i = 0; i < kMostReads; ++i) reads[i] = 0;
  }
  void add() {
    unsigned number = 0;
    for (int i = 0; i < kMostReads; ++i) number = number * kOutcomeBase + static_cast<unsigned>(reads[i]);
    met.set(number);
  }
};

}  // namespace weft::bench
