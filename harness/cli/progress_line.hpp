// What long explorations say while they run: one line on standard error, redrawn on a terminal, else every ten seconds.
#pragma once

#include <string>

#include "weft/weft.hpp"

namespace weft::cli {

class ProgressLine {
 public:
  /// Writes to what is standard error now, also if Silence takes that away later. `name`: of what is explored.
  /// `of_what`: of which Progress::fraction_done is a part; empty: an estimate of all executions is shown instead.
  explicit ProgressLine(std::string name, std::string of_what = "");
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// For Options::progress.
  void show(const Progress& progress);

 private:
  void write(const std::string& text);

  std::string name_;
  std::string of_what_;
  int error_ = -1;
  bool is_terminal_ = false;
  bool is_drawn_ = false;
  double shown_at_ = 0;  // in seconds of the exploration
};

}  // namespace weft::cli
