#include "cli/jobs.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cli/input_file.hpp"
#include "cli/output_file.hpp"
#include "cli/part_result.hpp"
#include "cli/process.hpp"
#include "cli/result_json.hpp"

namespace weft::cli {
namespace {

constexpr int kMostStarts = 10;  // each knows what a part of the one before has learned

/// What a part tells while it explores: written by its process, read by ours. A torn value is only shown.
struct Told {
  std::uint64_t executions;
  std::uint64_t blocked;
  double low, likely, high;
  bool has_total;
};

class SharedTold {
 public:
  explicit SharedTold(std::uint32_t parts) : size_(parts * sizeof(Told)) {
    void* const memory = mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error(std::string("no memory for --jobs: ") + std::strerror(errno));
    told_ = static_cast<Told*>(memory);
  }
  ~SharedTold() { munmap(told_, size_); }
  SharedTold(const SharedTold&) = delete;
  SharedTold& operator=(const SharedTold&) = delete;
  volatile Told& of(std::uint32_t part) { return told_[part]; }

 private:
  std::size_t size_;
  Told* told_;
};

class Parts {
 public:
  Parts(const std::function<void()>& body, const Options& options, std::uint32_t jobs)
      : body_(body), options_(options), told_(jobs), processes_(jobs, 0) {}
  ~Parts() {
    end_all(SIGKILL);
    for (const pid_t process : processes_) {
      if (process != 0) waitpid(process, nullptr, 0);
    }
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  std::vector<Result> run(const std::string& learned) {
    const TemporaryFolder folder;
    start_ = std::chrono::steady_clock::now();
    asked_to_end_ = false;
    for (std::uint32_t part = 0; part < count(); ++part) start(part, file_of(folder, part), learned);
    std::vector<Result> results(count());
    for (std::uint32_t left = count(); left != 0;) {
      const std::uint32_t before = left;
      for (std::uint32_t part = 0; part < count(); ++part) {
        int status = 0;
        if (processes_[part] == 0 || waitpid(processes_[part], &status, WNOHANG) != processes_[part]) continue;
        processes_[part] = 0;
        --left;
        results[part] = result_of(folder, part, status);
        const Verdict verdict = results[part].verdict;
        if ((verdict == Verdict::bug && !options_.keep_going) || verdict == Verdict::internal) ask_all_to_end();
      }
      if (before == left) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      tell();
      if (options_.interrupted != nullptr && *options_.interrupted) ask_all_to_end();
    }
    return results;
  }

 private:
  std::uint32_t count() const { return static_cast<std::uint32_t>(processes_.size()); }
  static std::string file_of(const TemporaryFolder& folder, std::uint32_t part) {
    return fmt::format("{}/{}.json", folder.path(), part);
  }

  void start(std::uint32_t part, const std::string& file, const std::string& learned) {
    const pid_t process = fork();
    if (process < 0) throw std::runtime_error(std::string("--jobs: ") + std::strerror(errno));
    if (process != 0) {
      processes_[part] = process;
      return;
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_IGN);  // a terminal sends it to all: the parent passes it on
    int code = 1;
    try {
      explore_part(part, file, learned);
      code = 0;
    } catch (const std::exception& fault) {
      write_whole_file(file, fault.what());
    }
    _exit(code);  // what was in buffers at the fork is the parent's to write
  }

  void explore_part(std::uint32_t part, const std::string& file, const std::string& learned) {
    Options options = options_;
    options.shard = part + 1;
    options.shards = count();
    options.learned = learned;
    options.estimate_total = part == 0 && options_.estimate_total;  // it tells of the whole
    options.known_schedules.clear();
    options.max_executions = (options_.max_executions + count() - 1) / count();
    volatile Told& told = told_.of(part);
    options.progress = [&told](const Progress& progress) {
      told.executions = progress.executions;
      told.blocked = progress.blocked;
      if (!progress.total) return;
      told.low = progress.total->low;
      told.likely = progress.total->likely;
      told.high = progress.total->high;
      told.has_total = true;
    };
    nlohmann::ordered_json json = {{"scenario", ""}, {"variant", ""}};
    json.update(result_json(explore(body_, options)));
    write_whole_file(file, json_text({{"results", {json}}}));
  }

  Result result_of(const TemporaryFolder& folder, std::uint32_t part, int status) const {
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return read_part_results(file_of(folder, part)).front().result;
    Result result;
    result.model = options_.model;
    result.part = SearchPartReport{.shard = part + 1, .shards = count()};
    result.reason = WIFSIGNALED(status) ? fmt::format("its process ended with signal {}", WTERMSIG(status))
                                        : fmt::format("its process ended with code {}", WEXITSTATUS(status));
    return result;
  }

  void tell() {
    const double now = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (!options_.progress || now - told_at_ < 0.1) return;
    told_at_ = now;
    Progress progress{.seconds = now};
    for (std::uint32_t part = 0; part < count(); ++part) {
      const volatile Told& told = told_.of(part);
      progress.executions += told.executions;
      progress.blocked += told.blocked;
      if (told.has_total) progress.total = TotalEstimate{.low = told.low, .likely = told.likely, .high = told.high};
    }
    options_.progress(progress);
  }

  /// Once: a second signal would not ask.
  void ask_all_to_end() {
    if (!std::exchange(asked_to_end_, true)) end_all(SIGTERM);
  }

  void end_all(int signal) {
    for (const pid_t process : processes_) {
      if (process != 0) kill(process, signal);
    }
  }

  const std::function<void()>& body_;
  const Options& options_;
  SharedTold told_;
  std::vector<pid_t> processes_;  // 0: not there, or ended
  std::chrono::steady_clock::time_point start_;
  double told_at_ = 0;
  bool asked_to_end_ = false;
};

/// What the parts have learned together differs from what each knew: the parts must begin with that.
std::string most_learned(const std::vector<Result>& parts) {
  std::string most;
  for (const Result& part : parts) {
    if (part.part && part.part->learned.size() > most.size()) most = part.part->learned;
  }
  return most;
}

bool have_learned_the_same(const std::vector<Result>& parts, const std::string& most) {
  return std::all_of(parts.begin(), parts.end(), [&](const Result& part) {
    return part.verdict != Verdict::bounded || part.part->learned == most;
  });
}

bool shows_a_bug(const std::vector<Result>& parts) {
  return std::any_of(parts.begin(), parts.end(), [](const Result& part) { return part.verdict == Verdict::bug; });
}

void report_in_full(const std::function<void()>& body, const Options& options, std::vector<FindingReport>& findings) {
  for (FindingReport& finding : findings) {
    if (finding.schedule.empty()) continue;
    const Replay replay = weft::replay(body, finding.schedule, options);
    for (const FindingReport& again : replay.findings) {
      if (again.kind != finding.kind || again.message != finding.message) continue;
      const std::uint64_t execution = finding.execution;
      finding = again;
      finding.execution = execution;
      break;
    }
  }
}

}  // namespace

Result explore_in_parts(const std::function<void()>& body, const Options& options, std::uint32_t jobs) {
  if (!options.known_schedules.empty()) {
    Options known = options;
    known.max_executions = 1;
    Result before = explore(body, known);
    const bool is_known =
        std::any_of(before.findings.begin(), before.findings.end(), [](const auto& f) { return f.from_before; });
    if (is_known && !options.keep_going) return before;
  }
  const auto start = std::chrono::steady_clock::now();
  Parts processes(body, options, jobs);
  std::string learned = options.learned;
  std::vector<Result> parts;
  for (int starts = 0; starts < kMostStarts; ++starts) {
    parts = processes.run(learned);
    const std::string most = most_learned(parts);
    if (most == learned || shows_a_bug(parts) || have_learned_the_same(parts, most)) break;
    learned = most;
  }
  Result whole;
  try {
    whole = merge(parts);
  } catch (const std::invalid_argument&) {
    return explore(body, options);  // a program that cannot be divided
  }
  if (whole.verdict == Verdict::truncated && options.interrupted != nullptr && *options.interrupted)
    whole.reason = "interrupted";
  whole.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  report_in_full(body, options, whole.findings);
  return whole;
}

}  // namespace weft::cli
