// Which part of each exploration this process has: `--shard i/n`, or what test runners put into the environment.
#pragma once

#include <cstdint>
#include <string>

namespace weft::cli {

inline constexpr std::uint32_t kMostShards = 10'000;

struct Shard {
  std::uint32_t number = 1;  ///< from 1
  std::uint32_t of = 1;
};

/// `text`: "i/n"; empty: GTEST_SHARD_INDEX (from 0) of GTEST_TOTAL_SHARDS, if they are set, and the whole otherwise.
/// Throws UsageError for anything that is no part.
Shard shard(const std::string& text);

/// Tells a test runner that sharding is understood: makes the file that GTEST_SHARD_STATUS_FILE names, if it names one.
void acknowledge_sharding();

}  // namespace weft::cli
