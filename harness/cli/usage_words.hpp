// What is wrong with a command line, in words that say what to do.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace weft::cli {

/// The names of the commands, in the order of `--help`.
std::vector<std::string> commands_of(const CLI::App& app);

/// One sentence, and which `--help` tells more. What is not known here is told in CLI11's own words.
std::string usage_words(const CLI::App& app, const CLI::ParseError& error);

}  // namespace weft::cli
