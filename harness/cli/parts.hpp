// What `weft check` links with a user's program, and where it lies.
#pragma once

#include <filesystem>

namespace weft::cli {

struct Parts {
  std::filesystem::path objects;  ///< the folder with engine.o and check_main.o
  std::filesystem::path headers;  ///< the folder with weft/weft.h
};

/// Looks beside this program, where a build puts them, and where `cmake --install` puts them relative to it; so that
/// program and parts can be moved together. Throws UsageError if there are none.
Parts find_parts();

}  // namespace weft::cli
