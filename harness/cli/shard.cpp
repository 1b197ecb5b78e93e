#include "cli/shard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string_view>

#include "cli/selection.hpp"

namespace weft::cli {
namespace {

std::optional<std::uint32_t> number(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::string_view from_environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

Shard shard(const std::string& text) {
  if (!text.empty()) {
    const std::size_t slash = std::min(text.find('/'), text.size());
    const auto i = number(std::string_view(text).substr(0, slash));
    const auto n = number(std::string_view(text).substr(std::min(slash + 1, text.size())));
    if (!i || !n || *i < 1 || *i > *n || *n > kMostShards)
      throw UsageError(fmt::format("--shard {}: it is i/n, with i from 1 to n, and n at most {}", text, kMostShards));
    return {*i, *n};
  }
  const std::string_view total = from_environment("GTEST_TOTAL_SHARDS");
  const std::string_view place = from_environment("GTEST_SHARD_INDEX");
  if (total.empty() && place.empty()) return {};
  const auto n = number(total);
  const auto i = number(place);
  if (!n || !i || *n < 1 || *n > kMostShards || *i >= *n) {
    throw UsageError(
        fmt::format("GTEST_TOTAL_SHARDS is `{}' and GTEST_SHARD_INDEX `{}': the first is 1 to {}, the second "
                    "0 to one less; or neither is set",
                    total, place, kMostShards));
  }
  return {*i + 1, *n};
}

void acknowledge_sharding() {
  const std::string name(from_environment("GTEST_SHARD_STATUS_FILE"));
  if (!name.empty()) std::ofstream(name, std::ios::app);
}

}  // namespace weft::cli
