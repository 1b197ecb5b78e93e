// The commands of the program `weft`. Each adds itself to the command line; `code` receives the exit code when it was
// the one to run.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/exit_code.hpp"

namespace weft::cli {

void add_list(CLI::App& app, ExitCode& code);
void add_explore(CLI::App& app, ExitCode& code);
void add_sample(CLI::App& app, ExitCode& code);
void add_merge(CLI::App& app, ExitCode& code);
void add_replay(CLI::App& app, ExitCode& code);
/// weft completion and weft man.
void add_shell_help(CLI::App& app, ExitCode& code);
void add_new(CLI::App& app, ExitCode& code);
void add_fuzz(CLI::App& app, ExitCode& code);
void add_stress(CLI::App& app, ExitCode& code);
void add_show(CLI::App& app, ExitCode& code);
/// `compiler_flags`: what stood behind `--` on the command line.
void add_check(CLI::App& app, const std::vector<std::string>& compiler_flags, ExitCode& code);

}  // namespace weft::cli
