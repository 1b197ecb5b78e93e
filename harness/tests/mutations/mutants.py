"""Deliberate faults: what is changed where, and the tests that must notice.

`old` must occur exactly once in the file (a path below harness/), so that a mutant that no longer fits is an error and never passes
for a caught one. `tests` is a GoogleTest filter of the test program `program`.
"""
from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    name: str
    file: str
    old: str
    new: str
    tests: str
    program: str = 'test_explore'
    folder: str = 'harness'
    listed_in: str = 'mutants.py'
    reads_debug_information: bool = False  # the tests do

    @property
    def program_path(self):
        """Of the unmutated test program, in the build folder."""
        return f'harness/tests/{self.program}'


SMALL = '*SmallProgram*:*Litmus*'
RANDOM = '*RandomPrograms*shard_0'
RANDOM_RC11 = '*RandomPrograms*rc11_shard_0'
DIRECTED = '*DirectedPrograms*:*DirectedLitmus*'
SAMPLED = '*SampledPrograms*:Pct.*'
MINIMISED = '*Minimis*'
RANDOM_SC = '*RandomPrograms*/sc_shard_0'
SHARDS = '*ShardedPrograms*'
BODIES = 'SmallBodies.*'
ESTIMATES = '*EstimatedPrograms*:*EstimatedLitmus*'

MUTANTS = [
    # --- the optimal explorer
    Mutant('drop_maximality', 'explore/exhaustive.cpp',
           'if (!added_maximally(graph, e, write, prefix)) return;', '', RANDOM),
    Mutant('choices_are_always_maximal', 'explore/exhaustive.cpp',
           'return event.value == 0;', 'return true;', RANDOM),
    Mutant('maximality_ignores_readers', 'explore/exhaustive.cpp',
           'if (graph[r].source == e) return false;', '', RANDOM),
    Mutant('skip_revisits_behind_the_first', 'explore/exhaustive.cpp',
           'leave({.kind = Alternative::Kind::revisit, .at = write, .event = e});',
           '{ leave({.kind = Alternative::Kind::revisit, .at = write, .event = e}); return; }', RANDOM),
    Mutant('drop_overtaking', 'explore/exhaustive.cpp',
           '    leave(other);\n', '    if (other.kind != Alternative::Kind::overtake) leave(other);\n', RANDOM),
    Mutant('writes_skip_the_lowest_place', 'explore/exhaustive.cpp',
           'for (std::size_t position = floor + 1; position < last; ++position) {',
           'for (std::size_t position = floor + 2; position < last; ++position) {', RANDOM),
    Mutant('writes_come_between_an_rmw', 'explore/exhaustive.cpp',
           '''    if (graph.next_is_its_rmw(l, position - 1)) continue;
    leave({''', '''    leave({''', RANDOM),
    Mutant('revisits_ignore_what_the_reader_knows', 'explore/exhaustive.cpp',
           '''    floor = std::max(coherence_floor(graph, l, graph.happens_before_predecessor(w)),
                     coherence_floor(graph, l, graph.happens_before_predecessor(r)));''',
           '    floor = coherence_floor(graph, l, graph.happens_before_predecessor(w));', RANDOM_RC11),
    # --- parts of an exploration, and how many executions it has
    Mutant('parts_share_subtrees', 'explore/exhaustive.cpp', 'is_ours_ = dealt_++ % part_.of == part_.number - 1;', 'is_ours_ = true;', SHARDS),
    Mutant('parts_drop_shared_runs', 'explore/exhaustive.cpp',
           'run_counts_ = is_ours_ || shared_runs_++ % part_.of == part_.number - 1;', 'run_counts_ = is_ours_;', SHARDS),
    Mutant('parts_forget_whose_a_subtree_is', 'explore/exhaustive.cpp', 'alternatives[i].is_ours = is_ours_;',
           'alternatives[i].is_ours = false;', SHARDS),
    Mutant('shared_runs_count_for_all_parts', 'runtime/exploration.cpp', 'if (counts.last_run_counts) count(ending, counts);',
           'count(ending, counts);', SHARDS),
    Mutant('descents_forget_ways', 'explore/random_descent.cpp', 'weight_ *= static_cast<double>(others + 1);',
           'weight_ *= static_cast<double>(others);', ESTIMATES),
    Mutant('descents_forget_ways_behind_dead_ends', 'explore/random_descent.cpp', 'weight_ *= static_cast<double>(ways);', '', ESTIMATES),
    Mutant('ways_back_ignore_conflicts', 'explore/weighted_walk.cpp', 'if (model == Model::sc) add_conflicts(e);', '', ESTIMATES),
    Mutant('ways_back_ignore_locks', 'explore/weighted_walk.cpp',
           'if (event.is_write_part() && event.role == WriteRole::lock) add(e, graph.grant_of(e).unlock);', '', ESTIMATES),
    Mutant('walks_count_what_was_overruled', 'explore/directed.cpp', '    graph_.cut(size);\n    overruled_ = true;\n  }\n}\n\nvoid',
           '    graph_.cut(size);\n  }\n}\n\nvoid', ESTIMATES),
    Mutant('walks_forget_decisions', 'explore/weighted_walk.cpp', 'log_probability_ -= std::log(options);', '', ESTIMATES),
    # --- executions that decisions build
    Mutant('directed_reads_take_the_newest', 'explore/directed.cpp',
           'const std::size_t lowest = in_order ? last : lowest_source(t, l);', 'const std::size_t lowest = last;', DIRECTED),
    Mutant('directed_reads_ignore_happens_before', 'explore/directed.cpp',
           'return coherence_floor(graph_, l, graph_.happens_before_of_thread(t));', 'return 0;', DIRECTED),
    Mutant('directed_reads_share_what_an_rmw_took', 'explore/directed.cpp',
           'if (decision == Decision::write && graph_.next_is_its_rmw(l, position)) continue;', '', DIRECTED),
    Mutant('directed_reads_ignore_psc', 'explore/directed.cpp',
           'if (places_to_take_[i] == last || seq_cst_consistent()) return step;', 'return step;', DIRECTED),
    Mutant('directed_writes_ignore_psc', 'explore/directed.cpp',
           'if (i == 0 || seq_cst_consistent()) return;', 'return;', DIRECTED),
    Mutant('directed_writes_go_last', 'explore/directed.cpp',
           'for (std::size_t position = last; position > lowest; --position) {', 'for (std::size_t position = last; position > last; --position) {',
           DIRECTED),
    Mutant('directed_writes_come_between_an_rmw', 'explore/directed.cpp',
           'if (!graph_.next_is_its_rmw(l, position - 1)) places_to_take_', 'places_to_take_', DIRECTED),
    Mutant('directed_threads_never_wait_on_the_newest', 'explore/directed.cpp',
           'if (newest_waits) places_to_take_.push_back(last);',
           'if (newest_waits && places_to_take_.empty()) places_to_take_.push_back(last);', DIRECTED),
    Mutant('directed_threads_do_not_change', 'explore/directed.cpp',
           'return last_ = candidates_[decisions_->decide_thread(candidates_)].thread;',
           'return last_ = candidates_.front().thread;', DIRECTED),
    Mutant('accesses_of_the_runtime_are_seen_by_fences', 'explore/placed_access.cpp',
           '''.role = write_role(operation.kind),
               .seen_by_fences = operation.seen_by_fences},''', '.role = write_role(operation.kind)},', DIRECTED),
    # --- sampling
    Mutant('each_sampled_run_is_the_first', 'explore/sampler.cpp',
           'random_.seed(mixed(mixed(seed_) + run_));', 'random_.seed(mixed(seed_));', SAMPLED),
    Mutant('random_walks_take_nothing_of_weak_memory', 'explore/random_walk.cpp',
           'weak_ = below(2) == 0;', 'weak_ = false;', SAMPLED),
    Mutant('pct_changes_priorities_early_only', 'explore/priority_changes.cpp',
           'changes_.push_back(1 + below(most_steps_));', 'changes_.push_back(1 + below(most_steps_ / 2 + 1));', 'Pct.*'),
    Mutant('pct_always_takes_weak_memory', 'explore/priority_changes.cpp',
           'below(std::uint64_t{depth_} + 1);', 'depth_ + 0 * below(2);', SAMPLED),
    Mutant('pos_keeps_priorities_of_what_races', 'explore/partial_order_sampling.cpp',
           'other.drawn = false;', 'continue;', 'Pos.*'),
    Mutant('pos_draws_again_for_everything', 'explore/partial_order_sampling.cpp',
           'if (other.location == done.location && !(other.reads_only && done.reads_only)) other', 'other', 'Pos.*'),
    # --- schedules made smaller
    Mutant('smaller_schedules_have_more_switches', 'explore/minimise.cpp',
           'run.switches > best_.switches || ', '', MINIMISED),
    Mutant('smaller_schedules_have_more_steps', 'explore/minimise.cpp', 'run.steps > best_.steps || ', '', MINIMISED),
    Mutant('smaller_schedules_are_weaker', 'explore/minimise.cpp', ' || weak > weak_now', '', MINIMISED),
    Mutant('schedules_become_smaller_in_one_round', 'explore/minimise.cpp',
           'while (any && work_left_ != 0) any = one_round();', 'one_round();', MINIMISED),
    Mutant('each_cut_is_complete', 'explore/minimise.cpp', '{std::move(best_), work_left_ != 0}', '{std::move(best_), true}', MINIMISED),
    Mutant('switches_leave_one_by_one', 'explore/minimise.cpp',
           'changed[one].taken = changed[other].taken = 0;', 'changed[one].taken = 0;', MINIMISED),
    # --- rows of executions, for people
    Mutant('rows_ignore_from_read', 'explore/linearize.cpp',
           'need(order_, step_number(writer, step_of_event_[index(overwriting)]), e);', '(void)writer;', '*Linearizations*'),
    Mutant('rows_stop_looking_for_fewer_switches', 'explore/linearize.cpp',
           'if (is_new) states.push_back', 'if (is_new && states.size() < 9) states.push_back', '*Linearizations*'),
    # --- consistency
    Mutant('coherence_floor_ignores_reads', 'graph/consistency.cpp',
           'floor = std::max(floor, graph.coherence_position(l, read.source));', '', RANDOM_RC11),
    Mutant('sequential_past_ignores_from_reads', 'graph/consistency.cpp',
           'if (graph[r].source == before) include(r);', '', SMALL + ':' + RANDOM_SC),
    Mutant('psc_ignores_fences', 'graph/consistency.cpp',
           'const bool fence_a = graph_[a].kind == EventKind::fence;', 'const bool fence_a = false;', SMALL + ':' + RANDOM_RC11),
    Mutant('psc_asks_one_fence_only', 'graph/consistency.cpp',
           'if (!to_b) continue;', '', RANDOM_RC11),
    # --- execution graphs and their clocks
    Mutant('forget_release_sequences', 'graph/execution_graph.cpp',
           'if (!is_initial_write(source) && events_[index(source)].carries_message) learn(clock_data(source, 2));',
           '(void)source;', RANDOM_RC11),
    Mutant('forget_acquire_fences', 'graph/execution_graph.cpp',
           'if (is_acquire(e.order) && e.synchronizes) {', 'if (false) {', RANDOM_RC11),
    Mutant('silent_fences_acquire', 'graph/execution_graph.cpp',
           'if (is_acquire(e.order) && e.synchronizes) {', 'if (is_acquire(e.order)) {', 'FencesAndObjects.*', 'test_runtime'),
    Mutant('silent_fences_release', 'graph/execution_graph.cpp',
           'return e.kind == EventKind::fence && is_release(e.order) && e.synchronizes;',
           'return e.kind == EventKind::fence && is_release(e.order);', RANDOM_RC11),
    Mutant('acquire_fences_see_the_runtime', 'graph/execution_graph.cpp',
           'read.kind != EventKind::read || !read.seen_by_fences ||', 'read.kind != EventKind::read ||', RANDOM_RC11),
    Mutant('release_fences_act_through_the_runtime', 'graph/execution_graph.cpp',
           '} else if (release_fences_ != 0 && e.seen_by_fences) {', '} else if (release_fences_ != 0) {', RANDOM_RC11),
    Mutant('forget_release_fences', 'graph/execution_graph.cpp',
           '} else if (release_fences_ != 0 && e.seen_by_fences) {', '} else if (false) {', RANDOM_RC11),
    Mutant('locks_do_not_synchronize', 'graph/execution_graph.cpp',
           'if (e.synchronizes) join_clock(hb', 'if (e.synchronizes && e.kind != EventKind::gate) join_clock(hb', RANDOM),
    Mutant('receives_take_the_newest_send', 'graph/execution_graph.cpp',
           'return received < sends.size() ? sends[received] : kNoEvent;',
           'return received < sends.size() ? sends.back() : kNoEvent;', RANDOM),
    # --- the runtime
    Mutant('stale_waits_are_deadlocks', 'runtime/execution.cpp',
           'if (graph_->coherence_position(read.location, read.source) != graph_->last_position(read.location)) dead = false;',
           '', SMALL + ':' + RANDOM),
    Mutant('spins_are_never_resumed', 'runtime/execution.cpp',
           'if (!t.spinning || !explorer_->resumes_spin(t.id)) return false;', 'return false;', '*DirectedSpins*'),
    # --- the detectors
    Mutant('races_with_readers_are_forgotten', 'detect/race.cpp',
           'if (earlier.kind == AccessKind::write || access.kind == AccessKind::write)',
           'if (earlier.kind == AccessKind::write)', 'DataRace.*:Lifetime.*', 'test_detect'),
    Mutant('plain_accesses_ignore_atomic_ones', 'detect/race.cpp',
           'if ((cell.atomic_bytes & access.bytes) != 0) meet_atomic_objects(execution, cell, cell_address, access);',
           '', 'DataRace.*', 'test_detect'),
    Mutant('freed_blocks_may_be_used', 'detect/lifetime.cpp',
           'shadow::flag_freed(address, size);', '', 'Lifetime.*', 'test_detect'),
    Mutant('frees_only_race_with_what_came_before', 'detect/race.cpp',
           'if (later.is_free && may_come_after_free(execution, cell_address, earlier.thread, earlier.position))', 'if (false)',
           'Lifetime.AUseThatMayComeAfterTheFreeIsUseAfterFreeWhicheverCameFirst', 'test_detect'),
    # --- each detector, switched off: its own test must notice. What cannot go on for the finding ends in silence.
    Mutant('off_data_race', 'detect/race.cpp',
           'return earlier.thread == index(execution.running().id) ||',
           'return true || earlier.thread == index(execution.running().id) ||',
           'DataRace.TwoPlainIncrementsRaceAndBothPlacesAreNamed', 'test_detect'),
    Mutant('off_race_promotion', 'api/explore.cpp',
           'if (options_.promote_races && find_race_to_promote()) return false;', '',
           'Trace.ADataRaceShowsBothAccessesAndThenWhatItDoes', 'test_report'),
    Mutant('off_check', 'api/calls.cpp',
           'fail(FindingKind::invariant, sentence, place);', '',
           'Failures.AFalseCheckIsAnInvariantWithItsSentence', 'test_detect'),
    Mutant('off_assert', 'detect/failures.cpp',
           'weft::fail(weft::FindingKind::invariant, weft::message, __builtin_return_address(0));',
           'weft::Execution::current()->halt_thread();',
           'Failures.AnAssertIsAnInvariantWithItsExpression', 'test_detect'),
    Mutant('off_googletest_assertions', 'gtest/assertions.cpp',
           'check(false, result.message());', 'return;',
           'GoogleTestAssertions.AFailedExpectIsAnInvariantWithItsMessage', 'test_detect'),
    Mutant('off_uncaught_exception', 'detect/failures.cpp',
           'fail(thrown ? FindingKind::uncaught_exception',
           'if (thrown) Execution::current()->halt_thread();\n  fail(thrown ? FindingKind::uncaught_exception',
           'Failures.AnUncaughtExceptionIsAFindingWithTypeAndMessage', 'test_detect'),
    Mutant('off_terminate', 'detect/failures.cpp',
           'fail(thrown ? FindingKind::uncaught_exception',
           'if (!thrown) Execution::current()->halt_thread();\n  fail(thrown ? FindingKind::uncaught_exception',
           'Failures.TerminateWithoutAnExceptionIsAFinding', 'test_detect'),
    Mutant('off_abort', 'detect/failures.cpp',
           'weft::fail(weft::FindingKind::abort, "abort() was called", __builtin_return_address(0));',
           'weft::Execution::current()->halt_thread();', 'Failures.AbortIsAFinding', 'test_detect'),
    Mutant('off_memory_faults', 'detect/signals.cpp',
           'fail(*guarded, FindingKind::signal,',
           'if (signal == SIGSEGV) guarded->halt_thread();\n  fail(*guarded, FindingKind::signal,',
           'Signals.AStoreThroughANullPointerIsAFinding', 'test_detect'),
    Mutant('off_other_faults', 'detect/signals.cpp',
           'fail(*guarded, FindingKind::signal,',
           'if (signal != SIGSEGV) guarded->halt_thread();\n  fail(*guarded, FindingKind::signal,',
           'Signals.ADivisionByZeroIsAFinding', 'test_detect'),
    Mutant('off_endless_loop', 'detect/signals.cpp',
           'fail(*guarded, FindingKind::endless_loop,',
           'guarded->halt_thread();\n  fail(*guarded, FindingKind::endless_loop,',
           'Signals.AnEndlessLoopWithoutVisibleOperationsIsAFinding', 'test_detect'),
    Mutant('off_deadlock', 'detect/at_end.cpp',
           'if (ending == Ending::deadlock) report_deadlock(execution);', '',
           'Hangs.LocksInOppositeOrdersAreADeadlock', 'test_detect'),
    Mutant('off_deadlock_cycle', 'detect/at_end.cpp',
           'if (held_by_other) what +=', 'if (false) what +=',
           'Hangs.ADeadlockNamesWhoWaitsForWhomAllAroundTheRing', 'test_detect'),
    Mutant('off_livelock', 'detect/at_end.cpp',
           'if (thread.spinning) finding.kind = FindingKind::livelock;', '',
           'Hangs.ASpinOnAValueThatNobodyWillChangeIsALivelock', 'test_detect'),
    Mutant('off_spin_recognition', 'runtime/execution.cpp',
           'if (t.spin.repeats(operation.place, operation.location, source) && operation.place != nullptr) {',
           'if (false) {', 'Hangs.ASpinOnAValueThatNobodyWillChangeIsALivelock', 'test_detect'),
    Mutant('off_double_free', 'detect/lifetime.cpp',
           'if (block == nullptr || block->begin != address || !block->live) {',
           'if (block == nullptr || block->begin != address || !block->live) {\n    return;',
           'Lifetime.GivingABlockBackTwiceIsFound', 'test_detect'),
    Mutant('off_mismatched_free', 'detect/lifetime.cpp',
           'if (block->family != family) {', 'if (false) {',
           'Lifetime.ABlockFromNewMustNotGoToFree', 'test_detect'),
    Mutant('off_leak', 'detect/lifetime.cpp',
           'if (live.empty()) return;', 'return;', 'Lifetime.ABlockThatNothingPointsToIsALeak', 'test_detect'),
    Mutant('off_unlock_by_another', 'runtime/mutex.cpp',
           'report_misuse(execution, mutex, "unlocked", place);', 'return 0;',
           'Models/Mutexes.UnlockingWhatAnotherThreadHoldsIsMisuse/*', 'test_runtime'),
    Mutant('off_destroyed_while_locked', 'runtime/mutex.cpp',
           'if (holder != nullptr && holder->depth != 0) report_misuse(execution, mutex, "destroyed", place);', '',
           'Models/Mutexes.DestroyingALockedMutexIsMisuse/*', 'test_runtime'),
    Mutant('off_wait_without_mutex', 'runtime/condition.cpp',
           'report_misuse(execution, condition, "waited on", "without holding the mutex that it gave", place);',
           'execution.halt_thread();', 'Models/Conditions.WaitingWithoutTheMutexIsMisuse/*', 'test_runtime'),
    Mutant('off_wait_with_two_mutexes', 'runtime/condition.cpp',
           'if (others != 0) check_one_mutex(execution, condition, others, mutex, place);', '',
           'Models/Conditions.WaitingWithTwoMutexesAtOnceIsMisuse/*', 'test_runtime'),
    Mutant('off_destroyed_with_a_waiter', 'runtime/condition.cpp',
           'if (list == 0) {', 'if (true) {',
           'Models/Conditions.DestroyingAConditionWithAWaiterIsMisuse/*', 'test_runtime'),
    Mutant('off_nondeterminism', 'runtime/execution.cpp',
           'report({.kind = FindingKind::nondeterminism,', 'if (false) report({.kind = FindingKind::nondeterminism,',
           'Nondeterminism.AnotherOperationIsNamed', 'test_api'),
    Mutant('off_findings_that_do_not_repeat', 'api/findings.cpp',
           '} else if (!shown.dropped && reported.kind != FindingKind::nondeterminism) {', '} else if (false) {',
           'Nondeterminism.AFindingThatItsOwnScheduleDoesNotRepeatIsNoProof', 'test_api'),
    Mutant('off_forgotten_thread', 'detect/at_end.cpp',
           'if (ending == Ending::complete) report_forgotten_threads(execution);', '',
           'Failures.AThreadThatNobodyJoinsIsAWarningAndNoBug', 'test_detect'),
    Mutant('off_limit_on_memory', 'detect/lifetime.cpp',
           'execution.report({.kind = FindingKind::limit,', 'if (false) execution.report({.kind = FindingKind::limit,',
           'Verdicts.MoreMemoryThanThereIsIsALimit', 'test_api'),
    Mutant('off_limit_on_threads', 'runtime/execution.cpp',
           'if (index(child) >= kMaxThreads) {', 'if (index(child) >= kMaxThreads) {\n    drop_run();', 'Verdicts.TooManyThreadsAreALimit', 'test_api'),
    Mutant('off_limit_on_steps', 'runtime/execution.cpp',
           'if (first_new >= max_steps_) {', 'if (first_new >= max_steps_) {\n    drop_run();',
           'Verdicts.TheLimitOnStepsIsAFinding', 'test_api'),

    # --- tokens and reports
    Mutant('tokens_of_other_builds_are_not_learned_again', 'api/learn_again.cpp',
           'while (learner.learn_more()) {', 'while (false) {',
           'Trace.ATokenReplaysWhereWhatItHadLearnedIsElsewhere', 'test_report'),
    # --- what is left out because it cannot matter
    Mutant('threads_that_wait_are_not_asked_again', 'runtime/execution.cpp',
           'if (t.state != ThreadState::parked) candidates_.erase(i);', 'candidates_.erase(i);', RANDOM),
    Mutant('reruns_leave_threads_behind_that_wait', 'runtime/execution.cpp',
           '} else if (executed(t.waits_for)) {', '} else if (!executed(t.waits_for)) {\n      candidates_.erase(i);\n    } else {', RANDOM),
    Mutant('replays_record_no_frees', 'runtime/memory_access.cpp',
           'if (in_arena && !shadow::uses_levels && (*record.flags & shadow::kFull) == 0) {',
           'if (in_arena && !shadow::uses_levels && (is_free || (*record.flags & shadow::kFull) == 0)) {', 'Lifetime.*:DataRace.*', 'test_detect'),
    # --- what small bodies show
    Mutant('writes_are_before_themselves', 'graph/consistency.cpp',
           'return position_[index(a)] <= position_[index(b)];', 'return position_[index(a)] < position_[index(b)];', BODIES, 'test_detect'),
    Mutant('exchanges_that_fail_keep_the_order_of_success', 'graph/execution_graph.cpp',
           'set_order(read, events_[index(read)].keep_order);', 'compute_clocks(read);', BODIES, 'test_detect'),
    Mutant('exchanges_that_succeed_keep_the_order_of_failure', 'explore/exhaustive.cpp', 'graph.expect_write_part(read);', '', BODIES, 'test_detect'),
    Mutant('consume_is_relaxed', 'runtime/hooks_tsan_atomic.cpp',
           '    case __ATOMIC_CONSUME:  // every compiler makes it acquire\n', '    case __ATOMIC_CONSUME: return Order::relaxed;\n', BODIES, 'test_detect'),
    Mutant('a_reader_may_join_the_first_writer', 'runtime/rwlock.cpp', 'old == 0 : old < kWriter;', 'old == 0 : old <= kWriter;', BODIES, 'test_detect'),
    Mutant('off_destroyed_while_read', 'runtime/rwlock.cpp', 'if (who.written || read) report', 'if (who.written) report', BODIES, 'test_detect'),
    Mutant('relocked_once', 'runtime/mutex.cpp',
           'note_holder(execution, mutex, static_cast<std::uint32_t>(depth), place);', 'note_holder(execution, mutex, 1, place);',
           BODIES, 'test_detect'),
    Mutant('wake_ups_carry_no_time', 'runtime/sleeping.cpp', '                     .operand = running_record(execution).now,\n', '', BODIES, 'test_detect'),
    Mutant('updates_may_differ_when_run_again', 'runtime/execution.cpp',
           'if (!write.is_write_part() || write.value != result) mismatch', 'if (!write.is_write_part()) mismatch', BODIES, 'test_detect'),
    Mutant('ordered_reads_hide_a_write', 'detect/race.cpp',
           '  if (access.kind == AccessKind::read && earlier.kind == AccessKind::write) return false;\n', '', BODIES, 'test_detect'),
    Mutant('atomic_accesses_ignore_the_fourth_of_a_cell', 'detect/race.cpp',
           '    for (const ShadowAccess& earlier : shadow::overflow(*object.cell)) check(earlier);\n', '', BODIES, 'test_detect'),
    Mutant('memory_holds_what_ran_last', 'detect/race.cpp',
           '      std::memcpy(reinterpret_cast<void*>(address), &value, object.size);\n', '', BODIES, 'test_detect'),
    Mutant('behind_the_end_is_no_pointer', 'detect/reachable.cpp', '> blocks_[i].size || marked_', '>= blocks_[i].size || marked_', BODIES, 'test_detect'),
    Mutant('what_threads_return_leaks', 'detect/lifetime.cpp', '    add(&t.result, sizeof t.result);\n', '', BODIES, 'test_detect'),
    Mutant('memory_is_put_back_in_order', 'runtime/undo_log.cpp', '''  while (!entries.empty()) {
    const Entry entry = entries.back();
    entries.pop_back();
    const std::size_t at = bytes.size() - entry.size;
    std::memcpy(entry.address, bytes.data() + at, entry.size);
    bytes.resize(at);
  }
''', '''  std::size_t at = 0;
  for (const Entry& entry : entries) {
    std::memcpy(entry.address, bytes.data() + at, entry.size);
    at += entry.size;
  }
  entries.clear();
  bytes.clear();
''', BODIES, 'test_detect'),
    Mutant('initialisations_release_too_early', 'runtime/hooks_once.cpp',
           'done.release.index = self.position;', 'done.release.index = self.position - 1;', BODIES, 'test_detect'),
    # --- accesses that race
    Mutant('copies_write_before_they_read', 'runtime/racy_memory.cpp',
           'if (!is_of_their_statement(kind, address, size, place)) {', 'if (true) {',
           'RacyCopies.OfAStructure*', 'test_detect', reads_debug_information=True),
    Mutant('what_is_emptied_is_written_twice', 'runtime/racy_memory.cpp',
           'if (!is_of_their_statement(kind, address, size, place)) {',
           'if (kind == AccessKind::write || !is_of_their_statement(kind, address, size, place)) {',
           'RacyCopies.OfNothing*', 'test_detect', reads_debug_information=True),
    Mutant('what_is_written_again_waits_for_reads', 'runtime/racy_memory.cpp',
           ' && are_of_one_statement(pending.front().place, place)', '', 'RacyCopies.AreNoWrites*', 'test_detect',
           reads_debug_information=True),
    # --- lines
    Mutant('inlined_calls_are_left_out', 'report/source_places.cpp',
           'line = dwarf_tag(&scope) == DW_TAG_inlined_subroutine ? call_site(unit, &scope) : std::nullopt;', 'line.reset();',
           'SourcePlaces.*', 'test_report', reads_debug_information=True),
]
