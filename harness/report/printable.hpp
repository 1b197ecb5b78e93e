// Text of a file that may be anybody's, made harmless where a person reads it.
#pragma once

#include <string>
#include <string_view>

namespace weft {

/// The text with a question mark in the place of each character that would command a terminal or show the text in
/// another order than it has: control characters other than the end of a line and the tabulator, in UTF-8 also those
/// from U+0080 to U+009F, the separators U+2028 and U+2029, and what steers the direction of text (U+061C, U+200E, U+200F,
/// U+202A to U+202E, U+2066 to U+2069). Thread-safe.
inline std::string printable(std::string_view text) {
  // How many bytes at the front are such a character; 0: none.
  const auto commands = [](std::string_view rest) -> std::size_t {
    const auto byte = [&](std::size_t i) { return i < rest.size() ? static_cast<unsigned char>(rest[i]) : 0u; };
    if ((byte(0) < 0x20 && rest[0] != '\n' && rest[0] != '\t') || byte(0) == 0x7f) return 1;
    if (byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) < 0xa0) return 2;
    if (byte(0) == 0xd8 && byte(1) == 0x9c) return 2;
    if (byte(0) != 0xe2) return 0;
    if (byte(1) == 0x80 && (byte(2) == 0x8e || byte(2) == 0x8f || (byte(2) >= 0xa8 && byte(2) <= 0xae))) return 3;
    return byte(1) == 0x81 && byte(2) >= 0xa6 && byte(2) <= 0xa9 ? 3 : 0;
  };
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const std::size_t size = commands(text);
    shown += size == 0 ? text.front() : '?';
    text.remove_prefix(size == 0 ? 1 : size);
  }
  return shown;
}

}  // namespace weft
