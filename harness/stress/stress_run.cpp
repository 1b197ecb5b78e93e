#include "stress/stress_run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <map>

#include "stress/board.hpp"
#include "stress/findings.hpp"
#include "stress/iteration.hpp"

namespace weft::stress {

StressResult stress(const std::function<void()>& body, const StressOptions& options, SourcePlaces& places) {
  const auto begin = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  StressResult result;
  std::map<std::string, bool> conditions;
  while (result.findings.empty()) {
    const std::uint64_t begun = result.iterations + result.dropped;
    if (begun != 0 && (elapsed() >= options.seconds || begun == options.iterations)) break;
    const std::uint64_t seed = options.seed + begun;
    const IterationEnd end = run_iteration(body, seed, options.most_seconds_each);
    if (end.how == IterationEnd::How::reported && board().phase == Phase::dropped) {
      ++result.dropped;
      continue;
    }
    ++result.iterations;
    board().conditions.each([&](const ConditionRecord& record) {
      bool& held = conditions[record.name.c_str()];
      held = held || record.held;
    });
    result.findings = findings_of(end, {options.name, result.iterations, seed}, places);
  }
  result.seconds = elapsed();
  result.verdict = result.findings.empty() ? Verdict::sampled : Verdict::bug;
  if (result.iterations == 0) {
    result.verdict = Verdict::vacuous;
    result.reason = "weft::assume dropped every iteration";
  } else if (result.findings.empty()) {
    for (const auto& [name, held] : conditions) {
      if (!held) result.reason += fmt::format("{}`{}' never held", result.reason.empty() ? "" : ", ", name);
    }
  }
  return result;
}

}  // namespace weft::stress
