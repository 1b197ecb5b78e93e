#include "cli/limits.hpp"

#include <fmt/format.h>

#include "cli/interruption.hpp"
#include "cli/option_values.hpp"
#include "cli/terminal.hpp"

namespace weft::cli {

void Limits::add_to(CLI::App& command) {
  add_to_sampling(command);
  command
      .add_option("--max-executions", max_executions, "stop after so many executions; the verdict is then `truncated'")
      ->transform(whole_number());
  command.add_flag("--count-duplicates", count_duplicates,
                   "count executions that are met twice (a check of Weft on itself)");
}

void Limits::add_to_sampling(CLI::App& command) {
  command.add_option("--model", model, "memory model: sc or rc11 (C++20 atomics)")
      ->transform(one_of<Model>({{"sc", Model::sc}, {"rc11", Model::rc11}}));
  command.add_option("--max-time", max_seconds, "stop after so many seconds; the verdict is then `truncated'")
      ->transform(seconds());
  command.add_option("--max-steps", max_steps, "visible operations after which an execution counts as endless")
      ->transform(whole_number<std::uint32_t>());
  command
      .add_option("--spurious", spurious_wakeups,
                  "wake-ups of condition variables without a notification, at most, in an execution")
      ->transform(whole_number<std::uint32_t>(0));
  command.add_flag("--keep-going", keep_going, "go on after the first finding and collect different ones");
  command.add_flag("--no-promote", no_promote, "after a data race, do not explore what it does");
  command.add_flag("--no-leaks", no_leaks, "do not report leaked memory");
}

Options Limits::options(Model default_model) const {
  Options options;
  options.model = model.value_or(default_model);
  options.max_executions = max_executions;
  options.max_seconds = max_seconds;
  options.max_steps = max_steps;
  options.spurious_wakeups = spurious_wakeups;
  options.keep_going = keep_going;
  options.promote_races = !no_promote;
  options.detect_leaks = !no_leaks;
  options.count_duplicates = count_duplicates;
  return options;
}

Options Limits::options(const Selected& selected, bool json) const {
  Options result = options(selected.scenario->model());
  result.name = selected.name();
  result.replay_command = fmt::format("weft replay {}{}", result.name, needed_for_replay());
  if (!json) result.report_width = text_width();
  result.interrupted = &Interruption::flag();
  return result;
}

std::string Limits::needed_for_replay() const {
  std::string text;
  if (model) text += std::string(" --model ") + to_string(*model);
  if (spurious_wakeups != 0) text += " --spurious " + std::to_string(spurious_wakeups);
  return text;
}

}  // namespace weft::cli
