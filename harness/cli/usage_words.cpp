#include "cli/usage_words.hpp"

#include <fmt/format.h>

#include <regex>

#include "cli/suggestion.hpp"

namespace weft::cli {
namespace {

std::vector<std::string> options_of(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string not_expected(const CLI::App& command) {
  const std::vector<std::string> left = command.remaining();
  for (const std::string& word : left) {
    if (!word.starts_with("-")) continue;
    const std::string name = word.substr(0, word.find('='));
    return fmt::format("there is no option `{}'{}", name, suggestion(name, options_of(command)));
  }
  return left.empty() ? std::string() : fmt::format("`{}' is an argument too many", left.front());
}

std::string words(const CLI::App& app, const CLI::App& command, const CLI::ParseError& error) {
  const std::string its_own = error.what();
  const bool without_command = &command == &app && dynamic_cast<const CLI::RequiredError*>(&error) != nullptr;
  if (without_command || dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    if (const std::string text = not_expected(command); !text.empty()) return text;
  }
  if (without_command) return fmt::format("a command is missing; there are {}", fmt::join(commands_of(app), ", "));
  std::smatch match;
  if (std::regex_match(its_own, match, std::regex(R"((\S+): At Most 1 required but received (\d+))")))
    return fmt::format("{} is given {} times; give it once", match.str(1), match.str(2));
  if (std::regex_match(its_own, match, std::regex(R"((\S+): 1 required .* missing)")))
    return fmt::format("{} needs a value", match.str(1));
  return its_own;
}

}  // namespace

std::vector<std::string> commands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::string usage_words(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> given = app.get_subcommands();
  const CLI::App& command = given.empty() ? app : *given.front();
  return fmt::format("{} (see weft {}--help)", words(app, command, error), given.empty() ? "" : command.get_name() + " ");
}

}  // namespace weft::cli
