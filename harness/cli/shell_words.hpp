// Command lines to paste into a shell.
#pragma once

#include <string>

namespace weft::cli {

/// As a shell wants to read it: quoted if it needs that.
std::string shell_quoted(const std::string& word);

}  // namespace weft::cli
