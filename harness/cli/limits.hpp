// Options that every exploring command has: model, limits, what to look for.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "cli/selection.hpp"
#include "weft/weft.hpp"

namespace weft::cli {

struct Limits {
  std::optional<Model> model;
  std::uint64_t max_executions = 0;
  double max_seconds = 0;
  std::uint32_t max_steps = Options{}.max_steps;
  std::uint32_t spurious_wakeups = 0;
  bool keep_going = false;
  bool no_promote = false;
  bool no_leaks = false;
  bool count_duplicates = false;

  void add_to(CLI::App& command);
  /// Those that have a meaning where schedules are sampled.
  void add_to_sampling(CLI::App& command);
  Options options(Model default_model) const;
  /// The same for a variant: with its name, the line that replays it, the width of reports for people (`json`: no matter),
  /// and Ctrl-C as what interrupts it.
  Options options(const Selected& selected, bool json) const;
  /// The options, each behind a blank, without which a schedule would not fit its program any more.
  std::string needed_for_replay() const;
};

}  // namespace weft::cli
