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


SMALL = '*SmallProgram*:*Litmus*'
RANDOM = '*RandomPrograms*shard_0'
RANDOM_RC11 = '*RandomPrograms*rc11_shard_0'
DIRECTED = '*DirectedPrograms*:*DirectedLitmus*'
RANDOM_SC = '*RandomPrograms*/sc_shard_0'

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
           'return last_ = candidates_[decide_between(DecisionKind::thread, candidates_.size())];',
           'return last_ = candidates_.front();', DIRECTED),
    Mutant('accesses_of_the_runtime_are_seen_by_fences', 'explore/placed_access.cpp',
           '''.role = write_role(operation.kind),
               .seen_by_fences = operation.seen_by_fences},''', '.role = write_role(operation.kind)},', DIRECTED),
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
]
