// The litmus programs of weft_bench_relacy in standard C++, for Weft. Their source is instrumented.
#pragma once

namespace weft::bench {

struct LitmusProgram {
  const char* name;  ///< as the peer calls it
  void (*body)();
};

inline constexpr int kLitmusPrograms = 7;
extern const LitmusProgram kLitmus[kLitmusPrograms];

/// Defined by whoever explores: takes what thread or read number `number` of the running execution read.
void take_read(int number, int value);

}  // namespace weft::bench
