// weft completion, weft man: what a shell and a reader of manual pages need, made from the command line's own
// description.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/selection.hpp"
#include "cli/terminal.hpp"

namespace weft::cli {
namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  const std::vector<const CLI::App*> all = app.get_subcommands([](const CLI::App*) { return true; });
  std::vector<const CLI::App*> shown;
  std::copy_if(all.begin(), all.end(), std::back_inserter(shown),
               [](const CLI::App* c) { return !c->get_name().empty(); });
  return shown;
}

std::vector<std::string> flags_of(const CLI::App& command) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : command.get_options({})) {
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
  }
  for (const CLI::App* group : command.get_subcommands([](const CLI::App* c) { return c->get_name().empty(); })) {
    for (std::string& flag : flags_of(*group)) flags.push_back(std::move(flag));
  }
  return flags;
}

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, " ")); }

std::string bash_completion(const CLI::App& app) {
  std::vector<std::string> names;
  std::string cases;
  for (const CLI::App* command : commands_of(app)) {
    names.push_back(command->get_name());
    cases += fmt::format("    {}) flags=\"{}\" ;;\n", command->get_name(), joined(flags_of(*command)));
  }
  return fmt::format(R"bash(# Completion of weft for bash: source <(weft completion bash)
_weft() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" flags="" names=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "{} --help --version" -- "$word"))
    return
  fi
  case "${{COMP_WORDS[1]}}" in
{}  esac
  case "${{COMP_WORDS[1]}}" in
    list|explore|sample|replay|stress|fuzz) names="$("${{COMP_WORDS[0]}}" list 2>/dev/null | awk '$1 ~ "/" {{ print $1 }}')" ;;
  esac
  if [ "${{word#-}}" != "$word" ]; then
    COMPREPLY=($(compgen -W "$flags" -- "$word"))
  else
    COMPREPLY=($(compgen -W "$names" -- "$word"))
    [ -n "$names" ] || COMPREPLY=($(compgen -f -- "$word"))
  fi
}}
complete -F _weft weft
)bash",
                     joined(names), cases);
}

/// Text for roff: a dash may be broken, a dot or apostrophe at the begin of a line is a command.
std::string roff(const std::string& text) {
  std::string result;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) result += "\\&";
    if (c == '-' || c == '\\') result += '\\';
    result += c == '\\' ? "e" : std::string(1, c);
    line_begins = c == '\n';
  }
  return result;
}

std::string options_in_roff(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* option : command.get_options({})) {
    text += fmt::format(".TP\n.B {}\n{}\n", roff(option->get_name(option->get_positional(), true)),
                        roff(option->get_description()));
  }
  for (const CLI::App* group : command.get_subcommands([](const CLI::App* c) { return c->get_name().empty(); }))
    text += options_in_roff(*group);
  return text;
}

std::string manual_page(const CLI::App& app) {
  std::string text = fmt::format(
      ".TH WEFT 1\n.SH NAME\nweft \\- {}\n.SH SYNOPSIS\n.B weft\n.I command\n[\n.I options\n]\n.SH COMMANDS\n",
      roff(app.get_description()));
  for (const CLI::App* command : commands_of(app)) {
    text += fmt::format(".SS weft {}\n{}\n{}", roff(command->get_name()), roff(command->get_description()),
                        options_in_roff(*command));
  }
  return text + fmt::format(".SH EXIT STATUS\n.nf\n{}.fi\n.SH ENVIRONMENT\n.nf\n{}.fi\n", roff(kExitCodes),
                            roff(kEnvironment));
}

}  // namespace

void add_shell_help(CLI::App& app, ExitCode& code) {
  CLI::App* const completion =
      app.add_subcommand("completion", "print a completion script for a shell: source <(weft completion bash)");
  const auto shell = std::make_shared<std::string>();
  completion->add_option("shell", *shell, "bash")->required()->check(CLI::IsMember({"bash"}));
  completion->callback([&app, shell, &code] {
    fmt::print("{}", bash_completion(app));
    code = ExitCode::as_expected;
  });
  app.add_subcommand("man", "print the manual page: weft man | man -l -")->callback([&app, &code] {
    fmt::print("{}", manual_page(app));
    code = ExitCode::as_expected;
  });
}

}  // namespace weft::cli
