// A fuzzer's input as a word that a person can paste and `weft replay` takes: f1:SSSS:HEX.
//
// SSSS is a hash of scenario, variant and model, HEX the bytes. Unlike other schedule tokens, which hold what one
// executable had learned, it fits every program that has the scenario: `weft` as well as the fuzz target.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/weft.hpp"

namespace weft {

struct FuzzToken {
  std::uint16_t scenario_hash = 0;
  std::vector<std::uint8_t> input;
};

std::string fuzz_token(std::span<const std::uint8_t> input, const Options& options);
/// True if the text means to be one.
bool is_fuzz_token(std::string_view text);
/// Throws MalformedToken (explore/schedule_token.hpp). Accepts white space around the token.
FuzzToken parse_fuzz_token(std::string_view text);

}  // namespace weft
