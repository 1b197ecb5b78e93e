"""The fixes of the scenarios, and what is removed from them, line by line: each removal must change how the fixed variants end.

A `Fix` lists functions of one file, that of its scenario if it names no other one that the scenario stands on, each as the text with which it begins, and what is removed from each. Every line of these
functions that is more than braces must be removed by some entry, or be `Kept`, with the reason: a line that is added to a fix without
either is an error. `lines` are single ones of functions that broken variants use as well.

`Removal(name, text)` removes the statement that begins with `text`. With `by`, `text` is a piece of a line, and `by` is what stands there
instead: it may ask REMOVED, which is true while this removal is in force. Texts must occur exactly once in their function.
"""
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Removal:
    name: str
    text: str
    by: str = ''


@dataclass(frozen=True)
class Kept:
    text: str
    reason: str


@dataclass(frozen=True)
class Fix:
    scenario: str
    variants: tuple  # one of them must notice each removal
    functions: dict  # beginning of the function: its entries
    lines: tuple = field(default=())
    file: str = ''


def without(name, condition, instead='true'):
    """The condition does not count: it is taken for `instead`."""
    return Removal(name, condition, f'(REMOVED ? {instead} : ({condition}))')


DECLARATION = 'what follows names it'

FIXES = [
    Fix('atomics_wait_on_main', ('wait_async',), {
        'js::Promise<> wait_async(': [
            Removal('waitAsync', 'js::Atomics::waitAsync(state, 0, kWorking);',
                    'REMOVED ? js::Atomics::AsyncWait{} : js::Atomics::waitAsync(state, 0, kWorking);'),
            without('look_whether_it_waits', 'waiting.async'),
            Removal('await', 'co_await *waiting.promise;'),
        ],
        'void report_to_main_loop(': [Removal('message', 'self.parentPort.postMessage("done");')],
    }, lines=(Removal('handler', 'worker.on("message", [&] { announce(state); });'),)),
    Fix('atomics_wait_on_main', ('notify_directly', 'wait_async'), {
        'void announce(': [
            Removal('store', 'js::Atomics::store(state, 0, kDone);'),
            Removal('notify', 'js::Atomics::notify(state, 0);'),
        ],
    }),
    Fix('atomics_wait_on_main', ('notify_directly',), {
        'void notify_directly(': [Removal('announce', 'announce(state);')],
        'js::Promise<> wait_blocking(': [
            Removal('wait', 'js::Atomics::wait(state, 0, kWorking);'),
            Kept('co_return;', 'makes it a coroutine, and does nothing else'),
        ],
    }),
    Fix('lost_increment', ('atomic',), {
        'void atomic(': [Removal('add', 'js::Atomics::add(')],
    }),
    Fix('lost_increment', ('mutex',), {
        'void mutex(': [
            Kept('const js::Int32Array view(shared.buffer);', DECLARATION),
            Removal('lock', 'const std::lock_guard lock(shared.mutex);',
                    'std::unique_lock lock(shared.mutex, std::defer_lock); if (!REMOVED) lock.lock();'),
            Removal('increment', 'view[0] += 1;'),
        ],
    }),
    Fix('lost_increment', ('messages',), {
        'void messages(': [Removal('message', 'self.parentPort.postMessage(1);')],
    }, lines=(Removal('add_up', 'worker.on("message", [view]'),)),
    Fix('microtask_starvation', ('yield_by_set_immediate',), {
        'js::Promise<> yield_by_set_immediate(': [
            Removal('loop', 'while (batch.has_more()) {', 'for (bool more = true; REMOVED ? more : batch.has_more(); more = false) {'),
            Removal('chunk', 'batch.do_chunk('),
            Removal('immediate', 'co_await js::immediate();'),
        ],
    }),
    Fix('quota_across_await', ('claim_then_await',), {
        'js::Promise<> claim_then_await(': [
            without('check', 'server.quota.get(user) > 0'),
            Removal('claim', 'server.quota.set(user, server.quota.get(user) - 1);'),
            Removal('admit', '++server.admitted;'),
            Kept('try {', 'goes with its catch'),
            Removal('charge', 'co_await server.charge_that_may_fail();'),
            Removal('catch', '} catch (const js::Error&) {', '} catch (const js::Error&) { if (REMOVED) throw;'),
            Removal('refund', 'server.quota.set(user, server.quota.get(user) + 1);'),
            Removal('take_back', '--server.admitted;'),
        ],
    }),
    Fix('quota_across_await', ('compare_and_set',), {
        'js::Promise<> compare_and_set(': [
            Removal('loop', 'for (int before = server.quota.get(user);',
                    'for (int before = server.quota.get(user), round = 0; !(REMOVED && round++ != 0) &&'),
            without('check', 'before > 0'),
            Removal('read_again', '; before = server.quota.get(user)) {', '; REMOVED ? 0 : before = server.quota.get(user)) {'),
            Removal('charge', 'co_await server.charge_upstream();'),
            without('compare', 'server.quota.get(user) == before'),
            Removal('set', 'server.quota.set(user, before - 1);'),
            Removal('admit', '++server.admitted;'),
            Removal('return', 'co_return;'),
            Removal('refund', 'co_await server.refund_upstream();'),
        ],
    }),
    Fix('quota_across_await', ('in_flight_map',), {
        'js::Promise<> in_flight_map(': [
            Kept('js::Promise<> done = js::Promise<>::pending();', DECLARATION),
            Removal('get', '= server.in_flight.get(user);', '= REMOVED ? nullptr : server.in_flight.get(user);'),
            Removal('set', 'server.in_flight.set(user, &done);'),
            Removal('await', 'if (before != nullptr) co_await *before;'),
            without('look_whether_one_is_in_flight', 'before != nullptr'),
            Removal('work', 'co_await check_then_await(server, user);'),
            Removal('delete', 'if (server.in_flight.get(user) == &done) server.in_flight.delete_(user);'),
            without('guard_of_delete', 'server.in_flight.get(user) == &done'),
            Removal('resolve', 'done.resolve();'),
        ],
    }),
    Fix('worker_death', ('fail_and_replace_once', 'fail_and_replace_once_with_time_outs'), {
        'void fail_and_replace_once(': [
            Removal('on_error', 'worker.on("error",'),
            Removal('fail_on_error', 'pool.fail_job_of(worker, error.error());'),
            Removal('on_exit', 'worker.on("exit",'),
            Removal('fail_on_exit', 'pool.fail_job_of(worker, js::Error("worker exit " + code.to_string()));'),
            Removal('replace_on_exit', 'pool.replace(worker);'),
        ],
    }),
    Fix('worker_death', ('fail_and_replace_once', 'fail_and_replace_once_with_time_outs'), file='models/worker_pool.cpp', functions={
        'WorkerPool::WorkerPool(': [
            Kept(': module_(std::move(module))', DECLARATION),
            Removal('start', 'for (std::size_t i = 0; i < options_.size; ++i) spawn();'),
        ],
        'Promise<Value> WorkerPool::run(': [
            Kept('if (idle() == 0 &&', 'no job of the scenario is one too many: WorkerPool.* of test_models'),
            Removal('queue', 'queue_.push_back({payload, transfer});'),
            Kept('const Promise<Value> done = queue_.back().done;', DECLARATION),
            Removal('serve_new_job', 'serve_queue();'),
            Kept('if (!queue_.empty()) note(', 'a line of the trace'),
            Kept('return done;', 'a function must return what it says'),
        ],
        'void WorkerPool::fail_job_of(': [
            Removal('fail', 'for (Slot& slot : slots_) {'),
            Removal('fail_of_this_worker', 'if (!(slot.worker == worker)) continue;'),
            Removal('failed_is_dying', 'slot.dying = true;'),
            Removal('fail_job', 'if (slot.job) take_job(slot).done.reject(error);'),
            Removal('fail_if_it_has_a_job', 'if (slot.job)', 'if (REMOVED || slot.job)'),
        ],
        'void WorkerPool::replace(': [
            Kept('say_replacement_of(dead);', 'a line of the trace'),
            Removal('drop', 'std::erase_if('),
            without('drop_this_worker', 'slot.worker == dead'),
            Removal('start_another', 'spawn();'),
            Removal('serve_after_death', 'serve_queue();'),
        ],
        'void WorkerPool::spawn(': [
            Kept('const Worker worker(module_', DECLARATION),
            Removal('unref_idle', 'worker.unref();'),
            Removal('on_message', 'worker.on("message",'),
            Removal('supervise', 'supervise_(*this, worker);'),
            Removal('slot', 'slots_.push_back({worker});'),
        ],
        'void WorkerPool::serve_queue(': [
            Removal('serve', 'for (Slot& slot : slots_) {'),
            Removal('serve_if', 'if (slot.job || slot.dying || queue_.empty()) continue;'),
            Removal('serve_if_idle', 'slot.job ||', '(!REMOVED && slot.job) ||'),
            Removal('serve_if_not_dying', 'slot.dying ||', '(!REMOVED && slot.dying) ||'),
            without('serve_if_there_is_a_job', 'queue_.empty()', 'false'),
            Removal('take', 'slot.job = queue_.front();'),
            Removal('pop', 'queue_.pop_front();'),
            Removal('ref', 'slot.worker.ref();'),
            Kept('if (options_.time_out)', 'tells the variants apart'),
            Removal('time_out', 'slot.timer ='),
            Removal('dispatch', 'slot.worker.postMessage(slot.job->payload, slot.job->transfer);'),
        ],
        'WorkerPool::Job WorkerPool::take_job(': [
            Removal('clearTimeout', 'clearTimeout(slot.timer);'),
            Kept('return std::exchange(slot.job, std::nullopt).value();', 'a function must return what it says'),
        ],
        'void WorkerPool::time_out(': [
            Removal('find', 's.worker == worker', '(REMOVED || s.worker == worker)'),
            Kept('weft::check(', 'an invariant'),
            Removal('timed_out_is_dying', 'slot->dying = true;'),
            Removal('forget_job', 'slot->job.reset();'),
            Removal('reject', 'job.done.reject('),
            Removal('terminate', '(void)worker.terminate();'),
        ],
        'void WorkerPool::finish(': [
            Removal('finish', 'for (Slot& slot : slots_) {'),
            Removal('finish_if', 'if (!(slot.worker == worker) || !slot.job) continue;'),
            Removal('finish_of_this_worker', '!(slot.worker == worker)', '(!REMOVED && !(slot.worker == worker))'),
            Removal('finish_if_it_has_a_job', '!slot.job', '(!REMOVED && !slot.job)'),
            Removal('unref_finished', 'worker.unref();'),
            Removal('resolve', 'take_job(slot).done.resolve(result);'),
            Removal('serve_after_job', 'serve_queue();'),
        ],
    }),
]
