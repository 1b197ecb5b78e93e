"""Deliberate faults of the models: a model that explores too little, or what the platform never does.

As in mutants.py, with files below models/ and tests of test_models. The comparison with Node cannot stand in for these tests: it only asks
whether what Node logs is among what is explored, and Node does not show everything. Only .cpp files can be mutated: a header is compiled
into too many objects.
"""
from dataclasses import dataclass

from mutants import Mutant


@dataclass(frozen=True)
class ModelMutant(Mutant):
    program: str = 'test_models'
    folder: str = 'models'
    listed_in: str = 'model_mutants.py'

    @property
    def program_path(self):
        return f'models/{self.program}'


def model(name, *rest):
    return ModelMutant(f'model.{name}', *rest)


MODEL_MUTANTS = [
    # --- the thread pool
    model('pool_has_no_limit', 'event_loop.cpp', 'if (free == 0) return;', '', '*ThreadPool*'),
    model('pool_never_starts_the_next', 'event_loop.cpp', 'if (io.uses_pool) start_waiting_pool_work();', '', '*ThreadPool*'),
    # --- I/O
    model('only_the_oldest_completion_is_offered', 'event_loop.cpp',
          'if (!io_[i].due && !io_[i].waits_for_pool) completions.push_back(i);',
          'if (!io_[i].due && !io_[i].waits_for_pool && completions.empty()) completions.push_back(i);', 'Io.*'),
    # --- turns
    model('a_turn_is_one_message', 'event_loop.cpp', 'std::size_t behind = channel.certain();', 'std::size_t behind = 0;',
          'MessagePort.*'),
    model('a_turn_takes_only_what_is_certain', 'event_loop.cpp', 'sources_.at(source).receiver->may_take_more() &&',
          'false &&', 'ParentPort.*'),
    # --- waiter lists
    model('notify_wakes_the_last', 'atomics.cpp', 'list.waiters.push_back(waiter);',
          'list.waiters.insert(list.waiters.begin(), waiter);', 'Notify.*'),
    model('notify_ignores_the_element', 'atomics.cpp', 'waiter->offset != offset', 'false', 'Notify.*'),
    model('terminated_waiter_stays_on_the_list', 'atomics.cpp',
          'leave(view, *id);  // who notifies from here on wakes another one', '', 'Terminate.*'),
    model('async_wait_of_a_stopped_agent_stays_on_the_list', 'atomics.cpp', 'if (!loop_.ended_orderly()) leave_all();', '',
          'WaitAsync.*'),
    model('async_wait_of_an_ended_agent_stays_on_the_list', 'atomics.cpp', '~AsyncWaits() override { leave_all(); }',
          '~AsyncWaits() override = default;', 'WaitAsync.*'),
    model('wait_async_settles_the_last_first', 'atomics.cpp', 'numbers.push_back(number);',
          'numbers.insert(numbers.begin(), number);', 'WaitAsync.*'),
    model('wait_async_time_out_keeps_the_loop_alive', 'atomics.cpp', 'waits.time_out(number); }, timeout).unref();',
          'waits.time_out(number); }, timeout);', 'WaitAsync.*'),
    # --- workers
    model('error_waits_behind_messages', 'worker.cpp', 'kind == EventKind::online || kind == EventKind::error', 'false',
          '*Error*'),
    model('exit_overtakes_error', 'worker.cpp',
          'if (weft::detail::in_execution()) weft::assume(notices_.certain() == 0);', '', 'ParentPort.*'),
    # --- what waits on a port
    model('a_port_hands_out_the_latest_first', 'message_port.cpp', 'kept_.push_back(std::move(event));\n  hand_out_oldest();',
          'kept_.push_front(std::move(event));\n  hand_out_oldest();', 'ParentPort.*'),
    model('a_port_that_starts_keeps_what_waits', 'message_port.cpp', 'channel_.send({EventKind::resumed, {}});', ';',
          'ParentPort.*'),
    model('a_port_in_new_hands_begins_anew', 'message_port.cpp',
          'for (; by_this_loop < record.taken; ++by_this_loop) channel_.receive();', '',
          'WaitingMessages.*'),
    model('a_turn_waits_for_what_was_taken', 'event_loop.cpp', 'if (channel.certain() == 0) break;', '',
          'ReceiveMessageOnPort.*'),
    model('receive_message_takes_only_what_is_certain', 'message_port.cpp', '&& weft::choose(2) != 0', '&& false',
          'ReceiveMessageOnPort.*'),
    model('a_port_without_listener_hears_of_no_close', 'message_port.cpp', 'listenerCount("close") != 0', 'false', 'Port.*'),
    model('parent_port_posts_after_close', 'worker.cpp', 'if (is_closed()) {\n    drop_ports_of(message);',
          'if (false) {\n    drop_ports_of(message);', 'ParentPort.*'),
    # --- the pool; its other lines are in fix_mutants.py
    model('pool_has_no_bound', 'worker_pool.cpp',
          'if (idle() == 0 && queue_.size() >= options_.max_queue) return rejected<Value>(Error(kQueueFull));', '',
          'WorkerPool.*'),
    model('pool_counts_its_queue_only', 'worker_pool.cpp', 'idle() == 0 && ', '', 'WorkerPool.*'),
    model('pool_transfers_nothing', 'worker_pool.cpp', ', slot.job->transfer', '', 'WorkerPool.*'),
    # --- ports in messages
    model('port_in_an_unread_message_stays_open', 'worker.cpp', 'ports_to_worker_.end();', '', 'PortInAMessage.*'),
    model('port_dropped_by_parent_port_stays_open', 'message_port.cpp', 'drop_ports_of(kept_.front().content);', '', 'PortInAMessage.*'),
    model('port_not_read_by_the_parent_stays_open', 'worker.cpp',
          'while (messages_.certain() != 0) drop_ports_of(messages_.receive().content);', '', 'PortInAMessage.*'),
    model('port_that_waits_on_a_closing_port_stays_open', 'message_port.cpp',
          'port.ports.end();', '', 'PortInAMessage.*'),
    model('dead_worker_takes_ports', 'worker.cpp', 'if (record_->exited_) return;', '', 'Worker.*'),
    # --- the loop
    model('the_last_timers_phase_is_left_out', 'event_loop.cpp', """goes_on = is_first;
    run_timers(goes_on);""", """goes_on = is_first;
    if (goes_on || is_alive()) run_timers(goes_on);""", 'Timers.*Unrefed*'),
    model('the_first_timers_phase_is_no_other', 'event_loop.cpp', 'is_first = is_first && may_still_fire_ && timer_is_due_;',
          'is_first = false;', 'LastTurn.*'),
    model('what_pool_work_sends_may_be_lost', 'event_loop.cpp',
          'if (!was_pool_work) {', '{', 'LastTurn.*'),
    model('what_is_here_may_be_lost', 'event_loop.cpp', 'if (is_alive()) here = with_certain_messages();', '', 'Port.*'),
    model('ticks_of_one_that_threw_go_first', 'event_loop.cpp', 'if (returned) drain();', 'drain();', 'Timers.ThatThrow*'),
    model('chains_of_timers_have_no_bound', 'event_loop.cpp', 'timer.chain >= most_timers_in_a_row_', 'timer.chain >= 50',
          'Interval.ThatIoClears*'),
    model('thrown_numbers_have_no_text', 'error.cpp', """catch (int number) {
    return thrown(number);""", """catch (int) {
    return thrown(0);""", 'UncaughtException.*'),
    # --- timers
    model('the_clock_stands_still', 'timers.cpp', 'world.readings.advance(kLast);', '', 'Timers.*'),
    model('timers_of_other_lists_are_ignored', 'timers.cpp',
          'possible = first.readings.require(list.expiry, world.lists[j].expiry, i < j ? 0 : -1);', 'possible = true;', 'Timers.*:ExactTimers.*'),
    model('lists_of_one_time_go_in_any_order', 'timers.cpp', 'i < j ? 0 : -1', '0', 'Timers.*:ExactTimers.*'),
    model('a_list_that_waits_stays_as_old_as_it_is', 'timers.cpp', 'std::rotate(at, at + 1, world.lists.end());', '', 'ExactTimers.*'),
    model('emptied_lists_are_dropped', 'timers.cpp', 'if (!timer.has_ref || first_of(timer.delay) != nullptr) return;',
          'if (first_of(timer.delay) != nullptr) return;', 'ExactTimers.*'),
    model('emptied_lists_stay', 'timers.cpp', 'if (!timer.has_ref || first_of(timer.delay) != nullptr) return;', 'return;',
          'ExactTimers.*'),
    model('a_phase_that_is_left_tells_nothing', 'timers.cpp',
          'possible = possible && too_early.readings.require(kLast, list.expiry, -1);', ';',
          'FreeTimers.OfAListWhoseFirstIsClearedShowWhatAllClocksShow'),
    model('intervals_count_from_their_end', 'timers.cpp', 'timer.began = run_began_;',
          'timer.began = run_began_; for (World& w : worlds_) { read_clock(w); w.readings.set(run_began_, kLast); }', 'ExactTimers.*'),
    model('a_running_timer_cannot_be_refreshed', 'timers.cpp', 'if (!timer_->cleared)', 'if (!timer_->cleared && !timer_->running)',
          'Refresh.*'),
    model('refresh_keeps_the_place', 'timers.cpp', """    std::erase(armed_, &timer);
  } else {""", """    return;
  } else {""", 'Refresh.*'),
    # --- readings of the clock
    model('the_clock_may_go_back', 'readings.cpp', 'if (other != slot) at(slot, other) = kAny;',
          'if (other != slot) at(slot, other) = at(other, slot) = kAny;', 'Timers.*'),
]
