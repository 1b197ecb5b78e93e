// What a fuzz target and its plain main share.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weft::fuzz {

/// Which engine the program is linked with: libFuzzer, other (LIB_FUZZING_ENGINE) or none. Set when linking.
extern const char* const kEngine;

}  // namespace weft::fuzz

extern "C" {
// As libFuzzer's interface has them.
int LLVMFuzzerInitialize(int* argc, char*** argv);
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
}
