#include "api/fuzz_token.hpp"

#include <fmt/format.h>

#include <charconv>

#include "explore/schedule_token.hpp"

namespace weft {
namespace {

constexpr std::string_view kBegin = "f1:";

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kWhite = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kWhite);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kWhite) - first + 1);
}

template <class T>
T hexadecimal(std::string_view digits) {
  T value{};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (error != std::errc{} || end != digits.data() + digits.size())
    throw MalformedToken(fmt::format("`{}' is no hexadecimal number", digits));
  return value;
}

}  // namespace

std::string fuzz_token(std::span<const std::uint8_t> input, const Options& options) {
  std::string text = fmt::format("{}{:04x}:", kBegin, scenario_hash(options.name, options.model));
  for (const std::uint8_t byte : input) text += fmt::format("{:02x}", byte);
  return text;
}

bool is_fuzz_token(std::string_view text) { return trimmed(text).starts_with(kBegin); }

FuzzToken parse_fuzz_token(std::string_view text) {
  constexpr std::size_t kHashDigits = 4;
  text = trimmed(text).substr(kBegin.size());
  if (text.size() <= kHashDigits || text[kHashDigits] != ':' || (text.size() - kHashDigits - 1) % 2 != 0)
    throw MalformedToken("expected f1:, four digits, `:', and two digits for each byte of the input");
  FuzzToken token{.scenario_hash = hexadecimal<std::uint16_t>(text.substr(0, kHashDigits)), .input = {}};
  for (std::size_t i = kHashDigits + 1; i < text.size(); i += 2)
    token.input.push_back(hexadecimal<std::uint8_t>(text.substr(i, 2)));
  return token;
}

}  // namespace weft
