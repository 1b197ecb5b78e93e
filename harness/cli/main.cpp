// The program `weft`: lists, explores, samples, replays and stresses the scenarios that are linked into it, and checks
// ordinary programs.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>

#include "cli/commands.hpp"
#include "cli/input_file.hpp"
#include "cli/output_file.hpp"
#include "cli/selection.hpp"
#include "cli/standard_streams.hpp"
#include "cli/suggestion.hpp"
#include "cli/terminal.hpp"
#include "cli/usage_words.hpp"
#include "weft/version.hpp"

int main(int argc, char** argv) {
  using weft::cli::ExitCode;
  weft::cli::prepare_standard_streams();
  CLI::App app("Weft explores every execution of concurrent C++ and shows the one that breaks it.", "weft");
  const std::string footer = std::string(weft::cli::kExitCodes) + "\n" + weft::cli::kEnvironment;
  app.footer(footer);
  app.require_subcommand(1);
  app.set_version_flag("--version", "weft " WEFT_VERSION_STRING);
  ExitCode code = ExitCode::internal;
  weft::cli::add_list(app, code);
  weft::cli::add_explore(app, code);
  weft::cli::add_sample(app, code);
  weft::cli::add_merge(app, code);
  weft::cli::add_replay(app, code);
  weft::cli::add_fuzz(app, code);
  weft::cli::add_stress(app, code);
  weft::cli::add_show(app, code);
  weft::cli::add_new(app, code);
  // CLI11 would take what stands behind `--` for further positional arguments.
  char** const separator =
      std::find_if(argv, argv + argc, [](const char* argument) { return std::strcmp(argument, "--") == 0; });
  const std::vector<std::string> compiler_flags(std::min(separator + 1, argv + argc), argv + argc);
  weft::cli::add_check(app, compiler_flags, code);
  weft::cli::add_shell_help(app, code);
  for (CLI::App* command : app.get_subcommands({})) command->footer(footer);
  if (argc > 1 && argv[1][0] != '-') {
    const std::vector<std::string> commands = weft::cli::commands_of(app);
    if (std::find(commands.begin(), commands.end(), argv[1]) == commands.end()) {
      std::fprintf(stderr, "weft: there is no command `%s'%s (see weft --help)\n", weft::cli::in_one_line(argv[1]).c_str(),
                   weft::cli::suggestion(argv[1], commands).c_str());
      return static_cast<int>(ExitCode::usage);
    }
  }
  if (separator != argv + argc && argc > 1 && std::strcmp(argv[1], "check") != 0) {
    std::fputs("weft: only `weft check' takes something behind `--': flags for the compiler (see weft --help)\n",
               stderr);
    return static_cast<int>(ExitCode::usage);
  }
  try {
    app.parse(static_cast<int>(separator - argv), argv);
  } catch (const CLI::Success& success) {
    return weft::cli::finish_output(app.exit(success));  // --help, --version
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "weft: %s\n", weft::cli::for_a_terminal(weft::cli::usage_words(app, error)).c_str());
    return static_cast<int>(ExitCode::usage);
  } catch (const weft::cli::UsageError& error) {
    std::fprintf(stderr, "weft: %s\n", weft::cli::for_a_terminal(error.what()).c_str());
    return static_cast<int>(ExitCode::usage);
  } catch (const weft::cli::OutputError& error) {
    std::fprintf(stderr, "weft: %s\n", weft::cli::for_a_terminal(error.what()).c_str());
    return static_cast<int>(ExitCode::output);
  } catch (const std::exception& fault) {
    if (std::ferror(stdout) != 0) return weft::cli::finish_output(static_cast<int>(ExitCode::output));  // {fmt} threw
    std::fprintf(stderr, "weft: internal fault: %s\n", fault.what());
    return static_cast<int>(ExitCode::internal);
  }
  return weft::cli::finish_output(static_cast<int>(code));
}
