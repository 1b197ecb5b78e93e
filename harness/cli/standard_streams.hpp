// Standard streams while programs are explored.
#pragma once

namespace weft::cli {

/// Gives stdout and stderr buffers of their own. Left alone, libc would allocate stdout's at the first output, which
/// may come from inside an execution, whose memory ends with it.
void prepare_standard_streams();

/// To be called last: `code`, or, if what was printed could not all be written, a message and ExitCode::output.
int finish_output(int code);

/// While one of these lives, what is written to standard output and standard error goes nowhere: a program that prints
/// would do so in each of its executions.
class Silence {
 public:
  Silence();
  ~Silence();
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  int saved_output_ = -1;
  int saved_error_ = -1;
};

}  // namespace weft::cli
