// weft check: compiles an ordinary program with a main(), links it with the engine, and explores it.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/check_request.hpp"
#include "cli/commands.hpp"
#include "cli/interruption.hpp"
#include "cli/limits.hpp"
#include "cli/parts.hpp"
#include "cli/process.hpp"
#include "cli/result_json.hpp"
#include "cli/selection.hpp"
#include "cli/shell_words.hpp"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

struct CheckOptions {
  std::vector<std::string> files;
  std::vector<std::string> arguments;
  std::string compiler = "c++";
  std::string schedule;
  Limits limits;
  bool json = false;
  bool show_output = false;
};

bool is_c(const std::string& file) { return file.ends_with(".c"); }

bool is_source(const std::string& file) {
  constexpr const char* kSuffixes[] = {".c", ".cc", ".cpp", ".cxx", ".C"};
  return std::any_of(std::begin(kSuffixes), std::end(kSuffixes), [&](const char* s) { return file.ends_with(s); });
}

/// As weft_instrument() of cmake/Weft.cmake, which says why.
std::vector<std::string> instrument_flags(const std::string& compiler) {
  std::vector<std::string> flags = {"-fsanitize=thread", "-fno-omit-frame-pointer", "-g"};
  for (const char* function :
       {"memcpy", "memmove", "memset", "strcpy", "stpcpy", "strncpy", "strcat", "memcmp", "bcmp", "memchr", "strlen",
        "strnlen", "strcmp", "strncmp", "strcasecmp", "strchr", "strrchr", "strstr"})
    flags.push_back(std::string("-fno-builtin-") + function);
  const std::string version = output_of({compiler, "--version"});
  if (version.empty())
    throw UsageError(fmt::format("cannot run the compiler `{}'; name another with --compiler", compiler));
  if (version.find("clang") != std::string::npos) {
    // Clang leaves out a read that a write of the same address follows; a lost update would not be seen.
    flags.insert(flags.end(), {"-mllvm", "-tsan-instrument-read-before-write=1"});
  } else {
    flags.push_back("-Wno-tsan");
  }
  return flags;
}

/// Compiles all files; false if the compiler refuses one. Its messages have gone to standard error.
bool compile(const CheckOptions& options, const std::vector<std::string>& flags, const Parts& parts,
             const std::string& folder, std::vector<std::string>& objects) {
  const std::vector<std::string> instrument = instrument_flags(options.compiler);
  for (const std::string& file : options.files) {
    const std::string object = fmt::format("{}/{}.o", folder, objects.size());
    std::vector<std::string> command = {options.compiler};
    command.insert(command.end(), instrument.begin(), instrument.end());
    if (!is_c(file)) command.push_back("-std=c++20");
    // Where the compiler looks anyway: said again, it would no longer be the last one, and #include_next would miss it.
    if (parts.headers != "/usr/include" && parts.headers != "/usr/local/include")
      command.insert(command.end(), {"-isystem", parts.headers.string()});
    command.insert(command.end(), flags.begin(), flags.end());
    command.insert(command.end(), {"-c", "-o", object, "-x", is_c(file) ? "c" : "c++", file});
    if (run_program(command) != 0) return false;
    // The symbol is renamed, not the word in the source: main is a valid name for other things in C++. A file without
    // one stays as it is.
    if (run_program({"objcopy", "--redefine-sym", "main=weft_checked_program_main", object}) != 0) return false;
    objects.push_back(object);
  }
  return true;
}

bool link(const CheckOptions& options, const std::vector<std::string>& flags, const Parts& parts,
          const std::vector<std::string>& objects, const std::string& program) {
  std::vector<std::string> command = {options.compiler, "-o", program};
  command.insert(command.end(), objects.begin(), objects.end());
  for (const char* part : {"check_main.o", "engine.o"}) command.push_back((parts.objects / part).string());
  command.insert(command.end(), flags.begin(), flags.end());
  for (const char* library : {"-lboost_context", "-lfmt", "-ldw", "-ldl", "-pthread"}) command.push_back(library);
  return run_program(command) == 0;
}

/// The same program, compiled and run in the same way.
std::string replay_command(const CheckOptions& options, const std::vector<std::string>& flags) {
  std::string text = "weft check";
  for (const std::string& file : options.files) text += " " + shell_quoted(file);
  if (options.compiler != CheckOptions().compiler) text += " --compiler " + shell_quoted(options.compiler);
  for (const std::string& argument : options.arguments) text += " --arg=" + shell_quoted(argument);
  text += options.limits.needed_for_replay() + " --replay {}";
  if (!flags.empty()) text += " --";
  for (const std::string& flag : flags) text += " " + shell_quoted(flag);
  return text;
}

void run(const CheckOptions& options, const std::vector<std::string>& flags, ExitCode& code) {
  for (const std::string& file : options.files) {
    if (!fs::exists(file)) throw UsageError(fmt::format("there is no file `{}'", file));
    if (!is_source(file))
      throw UsageError(fmt::format(
          "`{}' is no C or C++ source file (.c, .cc, .cpp, .cxx); flags for the compiler go behind `--'", file));
  }
  const Parts parts = find_parts();
  const Interruption interruption;  // Ctrl-C reaches the compiler, too; what it leaves is removed here
  const TemporaryFolder folder;
  const std::string program = folder.path() + "/program";
  std::vector<std::string> objects;
  if (!compile(options, flags, parts, folder.path(), objects) || !link(options, flags, parts, objects, program)) {
    if (options.json)
      print_json({{"program", fs::path(options.files.front()).filename().string()}, {"verdict", "not compiled"}});
    code = Interruption::flag() ? ExitCode::truncated : ExitCode::not_compiled;
    return;
  }
  CheckRequest request{.options = options.limits.options(Model::rc11),
                       .schedule = options.schedule,
                       .json = options.json,
                       .show_output = options.show_output};
  request.options.name = fs::path(options.files.front()).filename().string();
  request.options.replay_command = replay_command(options, flags);
  std::vector<std::string> command = {program, to_text(request), options.files.front()};
  command.insert(command.end(), options.arguments.begin(), options.arguments.end());
  if (Interruption::flag()) {
    code = ExitCode::truncated;
    return;
  }
  bool ended_by_us = false;
  const int status = run_program_until_interrupted(command, ended_by_us);
  if (ended_by_us) {
    fmt::print(stderr, "weft: interrupted; the program did not end by itself, so nothing is known of it\n");
    code = ExitCode::truncated;
    return;
  }
  if (status == 128 + SIGPIPE) {  // whoever reads the report has enough of it
    code = static_cast<ExitCode>(status);
    return;
  }
  if (status >= 128)
    fmt::print(stderr, "weft: internal fault: the checked program was ended by signal {}\n", status - 128);
  code = status >= 127 ? ExitCode::internal : static_cast<ExitCode>(status);
}

}  // namespace

void add_check(CLI::App& app, const std::vector<std::string>& compiler_flags, ExitCode& code) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App* const command = app.add_subcommand(
      "check", "compile an ordinary program with a main() and explore it; compiler flags go behind --");
  command->add_option("file", options->files, "C and C++ source files")->required();
  command->add_option("--arg", options->arguments, "an argument for the program; repeat it for more")
      ->expected(1)
      ->take_all();
  command->add_option("--compiler", options->compiler, "C++ compiler driver (g++ or clang++); compiles C too")
      ->capture_default_str();
  command->add_option("--replay", options->schedule, "run this schedule again and print it, instead of exploring");
  command->add_flag("--show-output", options->show_output, "let the program print, in each execution");
  options->limits.add_to(*command);
  command->add_flag("--json", options->json, "one JSON object on standard output");
  command->callback([options, &compiler_flags, &code] { run(*options, compiler_flags, code); });
}

}  // namespace weft::cli
