// weft::merge: what the parts of an exploration come to together.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "api/reasons.hpp"
#include "weft/weft.hpp"

namespace weft {
namespace {

void check_that_they_are_one_whole(const std::vector<Result>& parts) {
  if (parts.empty()) throw std::invalid_argument("there are no parts to merge");
  for (const Result& part : parts) {
    if (!part.part) throw std::invalid_argument("a result is of a whole exploration, not of a part of one");
  }
  const std::uint32_t shards = parts.front().part->shards;
  std::vector<bool> is_there(shards, false);
  for (const Result& part : parts) {
    if (part.part->shards != shards || part.model != parts.front().model) {
      throw std::invalid_argument(fmt::format(
          "shard {} of {} ({}) and shard {} of {} ({}) are of different explorations", parts.front().part->shard,
          shards, to_string(parts.front().model), part.part->shard, part.part->shards, to_string(part.model)));
    }
    if (part.part->shard < 1 || part.part->shard > shards)
      throw std::invalid_argument(fmt::format("there is no shard {} of {}", part.part->shard, shards));
    if (is_there[part.part->shard - 1])
      throw std::invalid_argument(fmt::format("shard {} of {} is there twice", part.part->shard, shards));
    is_there[part.part->shard - 1] = true;
  }
  const auto missing = std::find(is_there.begin(), is_there.end(), false);
  if (missing != is_there.end())
    throw std::invalid_argument(fmt::format("shard {} of {} is missing", missing - is_there.begin() + 1, shards));
}

/// Parts that know different things have divided different wholes. One that was cut short by a finding or a limit may
/// know less; nothing is claimed about all executions then.
void check_that_they_have_learned_the_same(const std::vector<Result>& parts) {
  const auto knows_more = [](const Result& a, const Result& b) {
    return a.part->learned.size() < b.part->learned.size();
  };
  const Result& first = *std::max_element(parts.begin(), parts.end(), knows_more);
  for (const Result& part : parts) {
    if (part.verdict == Verdict::truncated || part.verdict == Verdict::bug) continue;
    if (part.part->learned != first.part->learned)
      throw std::invalid_argument(
          fmt::format("shards {} and {} have learned different things, so that they are no parts of one whole: explore "
                      "all of them again, with --learned {}",
                      first.part->shard, part.part->shard, first.part->learned));
    if (part.part->threads != first.part->threads)
      throw std::invalid_argument(
          fmt::format("shards {} and {} have met the threads of the scenario in different orders, so that they are no "
                      "parts of one whole: explore this scenario in one piece",
                      first.part->shard, part.part->shard));
  }
}

void merge_findings(const std::vector<FindingReport>& from, std::vector<FindingReport>& into) {
  for (const FindingReport& finding : from) {
    const bool is_known = std::any_of(into.begin(), into.end(), [&](const FindingReport& known) {
      return known.kind == finding.kind && known.message == finding.message;
    });
    if (!is_known) into.push_back(finding);
  }
}

Verdict verdict(const std::vector<Result>& parts, const Result& whole, std::string& reason) {
  for (const Verdict worst : {Verdict::internal, Verdict::bug, Verdict::truncated}) {
    for (const Result& part : parts) {
      if (part.verdict != worst) continue;
      reason = fmt::format("shard {} of {}: {}", part.part->shard, part.part->shards, part.reason);
      if (worst == Verdict::bug) reason.clear();
      return worst;
    }
  }
  if (whole.executions == 0) {
    reason = kNoExecution;
    return Verdict::vacuous;
  }
  const auto held = [&](const std::string& name) {
    return std::any_of(parts.begin(), parts.end(), [&](const Result& part) {
      return std::any_of(part.part->conditions.begin(), part.part->conditions.end(),
                         [&](const auto& condition) { return condition.name == name && condition.held; });
    });
  };
  for (const Result& part : parts) {
    for (const SearchPartReport::Condition& condition : part.part->conditions) {
      if (held(condition.name)) continue;
      reason = never_held_reason(condition.name);
      return Verdict::vacuous;
    }
  }
  if (std::none_of(parts.begin(), parts.end(), [](const Result& part) { return part.part->is_concurrent; })) {
    reason = kNotConcurrent;
    return Verdict::vacuous;
  }
  for (const Result& part : parts) {
    if (part.part->bound.empty()) continue;
    reason = part.part->bound;
    return Verdict::bounded;
  }
  return Verdict::proved;
}

}  // namespace

Result merge(const std::vector<Result>& parts) {
  check_that_they_are_one_whole(parts);
  check_that_they_have_learned_the_same(parts);
  Result whole;
  whole.model = parts.front().model;
  whole.fraction_done = 1;
  for (const Result& part : parts) {
    whole.executions += part.executions;
    whole.blocked += part.blocked;
    whole.deadlocks += part.deadlocks;
    if (part.duplicates) whole.duplicates = whole.duplicates.value_or(0) + *part.duplicates;
    whole.seconds += part.seconds;
    // Each part's counts what the others do as done.
    whole.fraction_done = std::max(0.0, whole.fraction_done - (1 - part.fraction_done));
    merge_findings(part.findings, whole.findings);
    if (part.total && !whole.total) whole.total = part.total;  // of the whole, in each part
  }
  whole.verdict = verdict(parts, whole, whole.reason);
  if (whole.verdict != Verdict::truncated) whole.total.reset();
  return whole;
}

}  // namespace weft
