// What options may be given, with answers that say what would do.
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace weft::cli {

/// `T` is the type of the variable.
template <class T = std::uint64_t>
CLI::Validator whole_number(std::uint64_t least = 1, std::uint64_t most = std::numeric_limits<T>::max()) {
  const auto check = [least, most](std::string& text) -> std::string {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{} && end == text.data() + text.size() && value >= least && value <= most) return {};
    return fmt::format("`{}' is no whole number from {} to {}", text, least, most);
  };
  return {check,
          most == std::numeric_limits<T>::max() ? fmt::format("N>={}", least) : fmt::format("{}-{}", least, most)};
}

/// Of time. `zero_too`: 0 has a meaning.
inline CLI::Validator seconds(bool zero_too = false) {
  const auto check = [zero_too](std::string& text) -> std::string {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool is_number = error == std::errc{} && end == text.data() + text.size() && std::isfinite(value);
    if (is_number && (value > 0 || (zero_too && value == 0))) return {};
    return fmt::format("`{}' is no number of seconds{}, such as 0.5 or 60", text, zero_too ? "" : " above 0");
  };
  return {check, "SECONDS"};
}

/// One of these words; the variable is an enumeration.
template <class Enum>
CLI::Validator one_of(std::vector<std::pair<std::string, Enum>> values) {
  std::string words;
  for (const auto& [word, value] : values) {
    if (!words.empty()) words += '|';
    words += word;
  }
  const auto transform = [values = std::move(values), words](std::string& text) -> std::string {
    for (const auto& [word, value] : values) {
      if (text != word) continue;
      text = std::to_string(static_cast<int>(value));
      return {};
    }
    return fmt::format("`{}' is none of {}", text, words);
  };
  return {transform, words};
}

}  // namespace weft::cli
