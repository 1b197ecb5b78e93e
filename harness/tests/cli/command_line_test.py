#!/usr/bin/env python3
"""The program `weft` from outside: exit codes, JSON, bad input. Usage: command_line_test.py WEFT [unittest arguments]"""
import contextlib
import glob
import json
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

WEFT = os.path.abspath(sys.argv.pop(1))

MISSED, BOUNDED, TRUNCATED, VACUOUS, INTERNAL, NOT_COMPILED, USAGE, TOKEN, SKIPPED = 2, 3, 5, 6, 7, 8, 64, 65, 77

RACE_C = """
#include <pthread.h>
#include <assert.h>
static int counter;
static void* increment(void* unused) { (void)unused; counter = counter + 1; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, increment, 0);
  pthread_create(&b, 0, increment, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(counter == 2);
  return 0;
}
"""
LOCKS_IN_BOTH_ORDERS = """
#include <mutex>
#include <thread>
std::mutex a, b;
int main() {
  std::thread other([] { std::lock_guard first(a); std::lock_guard second(b); });
  { std::lock_guard first(b); std::lock_guard second(a); }
  other.join();
}
"""

SPINS_FOR_EVER = """
#include <atomic>
#include <thread>
std::atomic<bool> go;
int main() {
  std::thread waiting([] { while (!go.load()) std::this_thread::yield(); });
  waiting.join();
}
"""

FREES_A_BLOCK_FROM_BEFORE_MAIN = """
#include <atomic>
#include <thread>
struct Node { int value; };
std::atomic<Node*> node{new Node{1}};
int main() {
  std::thread other([] { delete node.exchange(nullptr); });
  Node* const seen = node.load();
  const int value = seen ? seen->value : 0;
  other.join();
  return value > 1;
}
"""

SAFE_MAIN = """
#include <thread>
#include "counter.h"
int main() {
  std::thread a(add), b(add);
  a.join();
  b.join();
  return total() == 2 ? 0 : 1;
}
"""
SAFE_COUNTER = """
#include <atomic>
#include "counter.h"
static std::atomic<int> count;
void add() { count += STEP; }
int total() { return count; }
"""
TRUSTS_ITS_WAKE_UP = """
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
int main() {
  std::mutex mutex;
  std::condition_variable condition;
  bool ready = false;
  std::thread giver([&] { std::lock_guard lock(mutex); ready = true; condition.notify_one(); });
  {
    std::unique_lock lock(mutex);
    LOOK (!ready) condition.wait(lock);
    assert(ready);
  }
  giver.join();
}
"""
TOO_MANY_THREADS = """
#include <thread>
#include <vector>
int main() {
  std::vector<std::thread> all;
  for (int i = 0; i < 70; ++i) all.emplace_back([] {});
  for (auto& thread : all) thread.join();
}
"""
TOO_MUCH_MEMORY = """
#include <stdlib.h>
#include <string.h>
int main(void) { char* volatile block = malloc(3ul << 30); memset(block, 1, 16); free(block); return 0; }
"""


def weft(*arguments, **options):
    return subprocess.run([WEFT, *arguments], capture_output=True, text=True, timeout=120, **options)


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="weft-test-")
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def assert_one_clear_line(self, run, code, *words):
        self.assertEqual(run.returncode, code, run.stderr)
        self.assertEqual(run.stdout, "")
        self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
        for word in words:
            self.assertIn(word, run.stderr)

    def test_lists_scenarios_with_what_they_must_show(self):
        run = weft("list", "--json")
        self.assertEqual(run.returncode, 0)
        variants = {f"{v['scenario']}/{v['variant']}": v for v in json.loads(run.stdout)["variants"]}
        self.assertEqual(variants["lost_increment/plain"]["verdict"], "bug")
        self.assertEqual([f["kind"] for f in variants["lost_increment/plain"]["findings"]], ["data race", "invariant"])
        self.assertEqual(variants["lost_increment/atomic"]["verdict"], "proved")

    def test_a_broken_variant_that_fails_as_expected_exits_with_0(self):
        run = weft("explore", "--json", "lost_increment/plain")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        result = json.loads(run.stdout)["results"][0]
        self.assertEqual(result["verdict"], "bug")
        self.assertEqual([f["kind"] for f in result["findings"]], ["data race", "invariant"])
        self.assertTrue(result["as_expected"])

    def test_the_trace_of_the_lost_increment_has_the_six_steps_of_its_source(self):
        findings = json.loads(weft("explore", "--json", "lost_increment/plain").stdout)["results"][0]["findings"]
        steps = [s["text"] for s in findings[1]["steps"] if s["thread"].startswith("Worker")
                 and s["text"] not in ("end", "exits with code 0")]
        # Its order, but that what a worker computes, which nobody sees, stands beside its own store: that takes no switch.
        self.assertEqual(steps, ["load view[0] -> 7"] * 2 + ["compute + 1", "store view[0] = 8"] * 2)
        numbers = [s["step"] for s in findings[1]["steps"] if s["step"] != 0]
        self.assertEqual(numbers, list(range(1, len(numbers) + 1)))
        race = findings[0]["message"]
        self.assertIn("Worker 1", race)
        self.assertIn("Worker 2", race)

    def findings_of(self, variant):
        return json.loads(weft("explore", "--keep", "none", "--json", variant).stdout)["results"][0]["findings"]

    def assert_steps_in_order(self, variant, expected):
        """The finding's trace has these (column, text) steps, in this order, others in between."""
        finding = json.loads(weft("explore", "--json", variant).stdout)["results"][0]["findings"][-1]
        rest = iter([(s["thread"], s["text"]) for s in finding["steps"]])
        for step in expected:
            self.assertIn(step, rest, finding["trace"])

    def test_the_replay_line_of_a_check_has_all_that_the_program_needs(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "with space"))
            source = os.path.join(folder, "with space", "program.cpp")
            with open(source, "w") as file:
                file.write('#include <cassert>\n#include <cstdlib>\n#include <thread>\n'
                           'int main(int, char** argv) { std::thread t([] {}); t.join(); assert(std::atoi(argv[1]) != LIMIT); }\n')
            run = weft("check", source, "--arg", "5", "--", "-DLIMIT=5")
            line = next(l for l in run.stdout.splitlines() if l.startswith("REPLAY weft "))
            again = subprocess.run([WEFT] + shlex.split(line)[2:], capture_output=True, text=True)
            self.assertEqual(again.returncode, 1, line + again.stdout + again.stderr)
            self.assertIn("BUG", again.stdout)

    def test_each_line_of_a_deadlock_says_where_its_own_thread_is(self):
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "deadlock.cpp")
            with open(source, "w") as file:
                file.write("#include <mutex>\n#include <thread>\nstd::mutex a, b;\n"
                           "void one() {\n  a.lock();\n  b.lock();\n  b.unlock();\n  a.unlock();\n}\n"   # lines 5 and 6
                           "void two() {\n  b.lock();\n  a.lock();\n  a.unlock();\n  b.unlock();\n}\n"   # lines 11 and 12
                           "int main() { std::thread x(one), y(two); x.join(); y.join(); }\n")
            run = weft("check", source)
            summary = run.stdout[run.stdout.index("BUG"):run.stdout.index("   #")]
            for place in ("5", "6", "11", "12"):
                self.assertIn("deadlock.cpp:" + place + "\n", summary)

    def test_output_that_cannot_be_written_is_no_success(self):
        for arguments in (["list"], ["explore", "--json", "lost_increment/atomic"], ["man"], ["explore", "worker_death"]):
            with open("/dev/full", "w") as full:
                run = subprocess.run([WEFT] + arguments, stdout=full, stderr=subprocess.PIPE, text=True)
            self.assertEqual(run.returncode, 74, arguments)
            self.assertIn("could not be written", run.stderr)

    def test_the_trace_of_the_quota_has_the_nine_steps_of_its_source(self):
        a, b, loop = "Request A", "Request B", "Event loop"
        self.assert_steps_in_order("quota_across_await/check_then_await", [
            (a, "quota.get(42) -> 1"), (a, "more than 0: admit"), (a, "await charge upstream: suspends"),
            (loop, "next: Request B"),
            (b, "quota.get(42) -> 1"), (b, "more than 0: admit"), (b, "await charge upstream: suspends"),
            (a, "quota.set(42, 0)"), (b, "quota.set(42, 0)")])

    def test_the_trace_of_a_forgotten_job_shows_its_dispatch_the_throw_and_the_error(self):
        self.assert_steps_in_order("worker_death/job_forgotten", [
            ("Request A", "Worker 1.postMessage(1)"), ("Worker 1", "throws Error: out of memory"),
            ("Event loop", "'error' of Worker 1: Error: out of memory"),
            ("Event loop", "pool.replace(Worker 1): Worker 2 takes its place"),
            ("Request A", "never settles: nothing is left that could resume Request A")])

    def test_an_end_of_a_worker_is_one_row_of_each_side(self):
        for name in ("worker_death/clean_exit_ignored", "lost_increment/plain"):
            for finding in self.findings_of(name):
                texts = [(finding["columns"][step["column"]]["name"], step["text"]) for step in finding["steps"]]
                self.assertEqual(texts.count(("Worker 1", "exits with code 0")), 1, texts)
                self.assertEqual(texts.count(("Event loop", "'exit' of Worker 1: 0")), 1, texts)
                self.assertFalse([text for _, text in texts if text == "end" or text.startswith(("join", "choose"))], texts)

    def test_a_task_resumes_with_what_its_promise_came_to(self):
        steps = self.findings_of("worker_death/replaced_twice")[0]["steps"]
        self.assertEqual([step["text"] for step in steps if step["text"].startswith("resumes")],
                         ["resumes after job, which throws Error: out of memory", "resumes after job"])

    def test_what_the_loop_does_by_itself_has_no_place(self):
        steps = self.findings_of("quota_across_await/check_then_await")[0]["steps"]
        places = {step["text"]: step["place"] for step in steps}
        self.assertEqual(places["next: Request A"], "")
        self.assertEqual(places["resumes after charge upstream"], "")
        self.assertRegex(places["quota.set(42, 0)"], r"quota_across_await\.cpp:\d+")

    def test_why_and_near_of_the_scenarios_are_read_off_the_execution(self):
        for name, why, near in (
                ("worker_death/job_forgotten", "came to its end without an answer (throws Error: out of memory at #9)", ""),
                ("worker_death/clean_exit_ignored", "came to its end without an answer (exits with code 0 at #9)", ""),
                ("worker_death/rejected_by_time_out_only", "nothing resumed it before #23 (timer of 30000 ms fires)", "single changes of order"),
                ("worker_death/replaced_twice", "Worker 1 was replaced twice: by Worker 2 at #12, on 'error' of Worker 1", ""),
                ("microtask_starvation/recursive_microtasks", "At #10 it still waits: timer of 1 ms has not run", ""),
                ("atomics_wait_on_main/wait_for_message", "What Worker sent at #8 (postMessage(done)) was never handled",
                 'passes if "message from Worker: done" (Event loop) comes in place of #4'),
                ("quota_across_await/check_then_await", "(check, then act, across an await)", "fails, too")):
            finding = self.findings_of(name)[0]
            self.assertIn(why, " ".join(finding["why"]), name)
            self.assertIn(near, finding["near"], name)
        self.assertEqual(self.findings_of("lost_increment/plain")[1]["near"], "passes if #3 comes after #6")

    def test_the_trace_of_starved_timers_has_the_chain_and_no_timer(self):
        self.assert_steps_in_order("microtask_starvation/recursive_microtasks", [
            ("Heartbeat", "setTimeout: 1 ms"), ("Batch", "chunk 1"), ("Batch", "chunk 2 (queueMicrotask)"),
            ("Batch", "chunk 3 (queueMicrotask)")])
        self.assert_steps_in_order("microtask_starvation/yield_by_resolved_promise", [
            ("Heartbeat", "setTimeout: 1 ms"), ("Batch", "chunk 1"), ("Batch", "chunk 2 (await Promise.resolve())")])
        trace = weft("explore", "microtask_starvation/recursive_microtasks").stdout
        self.assertNotIn("timer of 1 ms fires", trace)

    def test_the_trace_of_a_blocked_loop_shows_the_wait_and_the_message_that_nobody_handles(self):
        self.assert_steps_in_order("atomics_wait_on_main/wait_for_message", [
            ("Main", "Atomics.wait: sleeps while element 0 is 0"), ("Worker", "postMessage(done)")])
        steps = self.findings_of("atomics_wait_on_main/wait_for_message")[0]["steps"]
        self.assertFalse([step for step in steps if step["text"].startswith("message from Worker")], steps)

    @contextlib.contextmanager
    def check_under_way(self, text):
        """`weft check` of a program, once that runs."""
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "large.cpp")
            with open(source, "w") as file:
                file.write(text)
            scratch = os.path.join(folder, "scratch")
            os.mkdir(scratch)
            process = subprocess.Popen([WEFT, "check", source], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                       env=dict(os.environ, TMPDIR=scratch), start_new_session=True)
            deadline = time.monotonic() + 60
            def runs():
                return any(os.path.exists(exe) and os.readlink(exe).startswith(scratch) for exe in glob.glob("/proc/[0-9]*/exe"))
            while not runs() and time.monotonic() < deadline:
                time.sleep(0.1)
            time.sleep(2)
            yield process
            self.assertEqual(os.listdir(scratch), [])
            self.assertFalse(runs())

    def test_a_check_that_is_interrupted_says_what_it_knows_and_leaves_nothing_behind(self):
        for interrupt in (lambda process: os.killpg(process.pid, signal.SIGINT),  # as a terminal does
                          lambda process: os.kill(process.pid, signal.SIGINT),
                          lambda process: os.kill(process.pid, signal.SIGTERM)):
            with self.check_under_way("#include <atomic>\n#include <thread>\n#include <vector>\nstd::atomic<int> x;\nint main() {\n"
                                      "  std::vector<std::thread> all;\n"
                                      "  for (int t = 0; t < 5; ++t) all.emplace_back([] { for (int i = 0; i < 3; ++i) ++x; });\n"
                                      "  for (auto& thread : all) thread.join();\n}\n") as process:
                interrupt(process)
                output, errors = process.communicate(timeout=30)
                self.assertEqual(process.returncode, TRUNCATED, output + errors)
                self.assertIn("interrupted", output)
                self.assertIn("executions in all", output)

    def test_a_checked_program_that_does_not_end_is_ended_by_the_second_signal(self):
        with self.check_under_way("#include <unistd.h>\n#include <thread>\nint main() { std::thread([] { for (;;) pause(); }).join(); }\n") as process:
            os.kill(process.pid, signal.SIGTERM)
            time.sleep(0.5)
            self.assertIsNone(process.poll())
            os.kill(process.pid, signal.SIGTERM)
            output, errors = process.communicate(timeout=30)
            self.assertEqual((process.returncode, output), (TRUNCATED, ""))
            self.assertIn("weft: interrupted; the program did not end by itself", errors)

    def test_what_is_mistyped_is_answered_with_what_was_meant(self):
        for arguments, answer in ((["exlpore"], "there is no command `exlpore'; did you mean `explore'?"),
                                  (["foo"], "there is no command `foo' (see"),
                                  (["explore", "lost_incremnet"], "; did you mean `lost_increment'? `weft list'"),
                                  (["explore", "lost_increment/broken"], "; variants of lost_increment: plain, atomic, mutex, messages;"),
                                  (["explore", "nothing"], "called `nothing'; `weft list' shows all")):
            run = weft(*arguments)
            self.assertEqual(run.returncode, USAGE)
            self.assertIn(answer, run.stderr)
            self.assertEqual(len(run.stderr.splitlines()), 1)

    def test_completion_knows_commands_flags_and_variants(self):
        def completed(*words):
            script = (f'weft() {{ "{WEFT}" "$@"; }}; source <(weft completion bash); COMP_WORDS=({" ".join(words)}); '
                      f'COMP_WORDS[0]="{WEFT}"; COMP_CWORD={len(words) - 1}; _weft; echo "${{COMPREPLY[@]}}"')
            run = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
            self.assertEqual(run.stderr, "")
            return run.stdout.split()
        self.assertEqual(completed("weft", "exp"), ["explore"])
        self.assertEqual(completed("weft", "explore", "--max-t"), ["--max-time"])
        self.assertEqual(completed("weft", "replay", "--fuzz"), ["--fuzz-input"])
        self.assertEqual(completed("weft", "replay", "lost_increment/at"), ["lost_increment/atomic"])
        self.assertEqual(weft("completion", "fish").returncode, USAGE)

    def test_the_manual_page_has_each_command_and_option(self):
        page = weft("man").stdout.replace("\\-", "-")
        commands = re.findall(r"^  (\w+) ", weft("--help").stdout.split("Subcommands:")[1].split("Exit codes")[0], re.MULTILINE)
        self.assertIn("explore", commands)
        for command in commands:
            self.assertIn(f".SS weft {command}\n", page)
            for option in re.findall(r"--[\w-]+", weft(command, "--help").stdout.split("Options:")[1].split("Exit codes")[0]):
                self.assertIn(option, page)

    def test_near_a_finding_stand_the_proofs_of_the_fixed_variants(self):
        text = " ".join(weft("explore", "lost_increment").stdout.split())
        proofs = "the fixed variants are proved: atomic (4 executions), mutex (4 executions), messages (6 executions) REPLAY "
        self.assertIn(" NEAR " + proofs, text)                            # of the data race
        self.assertIn(" NEAR passes if #3 comes after #6 " + proofs, text)  # of the lost update
        self.assertNotIn("the fixed variants", weft("explore", "lost_increment/plain").stdout)

    def test_fixed_variants_are_proved(self):
        run = weft("explore", "--json", "lost_increment/atomic", "lost_increment/mutex")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual([r["verdict"] for r in json.loads(run.stdout)["results"]], ["proved", "proved"])
        # In those that are blocked, the loop goes to wait for an 'error' of one of two workers that never fail.
        self.assertEqual([r["blocked"] for r in json.loads(run.stdout)["results"]], [8, 8])

    def test_without_promotion_the_consequence_of_the_race_is_missed_and_that_is_no_success(self):
        run = weft("explore", "--no-promote", "lost_increment/plain")
        self.assertEqual(run.returncode, 2, run.stdout)
        self.assertIn("was not found", run.stdout)

    def test_an_execution_that_ends_in_a_deadlock_counts_as_one(self):
        run = weft("explore", "--quiet", "atomics_wait_on_main/wait_for_message")
        self.assertRegex(run.stdout, r"wait_for_message +bug +yes +1 +0 ")

    def test_a_limit_that_was_hit_is_no_pass(self):
        run = weft("explore", "--json", "--max-executions", "1", "lost_increment/atomic")
        self.assertEqual(run.returncode, TRUNCATED)
        self.assertEqual(json.loads(run.stdout)["results"][0]["verdict"], "truncated")

    def test_a_limit_on_executions_counts_those_that_are_blocked_and_says_so(self):
        run = weft("explore", "--quiet", "--max-executions", "2", "lost_increment/messages")
        self.assertIn("--max-executions: 1 executions were explored, and 1 that are blocked, which count, too", run.stdout)

    def test_a_token_replays_what_was_found(self):
        finding = json.loads(weft("explore", "--json", "lost_increment/plain").stdout)["results"][0]["findings"][1]
        run = weft("replay", "lost_increment/plain", finding["schedule"])
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("counter = 7 + increments", run.stdout)
        file = self.write("token.txt", finding["schedule"] + "\n")
        replay = json.loads(weft("replay", "--json", "lost_increment/plain", file).stdout)
        self.assertEqual(replay["status"], "done")
        self.assertEqual(replay["findings"][0]["message"], finding["message"])

    def test_bad_tokens_are_one_line_and_exit_code_65(self):
        finding = json.loads(weft("explore", "--json", "lost_increment/plain").stdout)["results"][0]["findings"][1]
        token = finding["schedule"]
        self.assertIn("malformed", weft("replay", "lost_increment/plain", "nonsense").stderr)
        for bad in ["", "w1", "w1:", "w1:zz", token[:6], token.replace("w1:", "w9:"), token + "?", token[:13] + "0q", token[:13] + "0n99999999999",
                    token[:13] + "0n*0", token[:13] + "0n*4000000000"]:
            run = weft("replay", "lost_increment/plain", bad)
            self.assertEqual(run.returncode, TOKEN, (bad, run.stderr))
            self.assertEqual(run.stderr.count("\n"), 1, (bad, run.stderr))
        foreign = weft("replay", "lost_increment/atomic", token)
        self.assertEqual(foreign.returncode, TOKEN)
        self.assertIn("another scenario", foreign.stderr)

    def test_an_input_of_a_fuzz_target_replays_as_file_and_as_token(self):
        lost_update = b"\x00\x00\x00\x01"  # the first decision that is not the first option: the other worker loads before this one stores
        file = os.path.join(self.folder, "crash-1")
        with open(file, "wb") as output:
            output.write(lost_update)
        arguments = ["replay", "--json", "lost_increment/plain", "--fuzz-input", file]
        smaller = json.loads(weft(*arguments).stdout)
        replay = json.loads(weft(*arguments, "--no-minimise").stdout)
        for finding, as_it_is in zip(smaller["findings"], replay["findings"], strict=True):
            self.assertEqual((finding["kind"], finding["message"]), (as_it_is["kind"], as_it_is["message"]))
            self.assertLessEqual(finding["switches"], as_it_is["switches"])
            self.assertTrue(finding["minimised"]["complete"])
            again = json.loads(weft("replay", "--json", "lost_increment/plain", finding["schedule"]).stdout)
            self.assertIn(finding["message"], [f["message"] for f in again["findings"]])
            # What is made smaller stays as it is when that is done again.
            with open(file, "wb") as output:
                output.write(bytes.fromhex(finding["schedule"].split(":")[2]))
            twice = json.loads(weft(*arguments).stdout)["findings"]
            self.assertIn(finding["schedule"], [f["schedule"] for f in twice])
        self.assertEqual(replay["status"], "done")
        self.assertEqual([f["kind"] for f in replay["findings"]], ["data race", "invariant"])
        token = replay["findings"][1]["schedule"]
        self.assertTrue(token.startswith("f1:") and token.endswith(":" + lost_update.hex()), token)
        self.assertEqual(json.loads(weft("replay", "--json", "lost_increment/plain", token).stdout), replay)
        self.assertEqual(weft("replay", "lost_increment/plain", token).returncode, 0)
        self.assertEqual(weft("replay", "lost_increment/atomic", token).returncode, TOKEN)
        usual = weft("replay", "lost_increment/atomic", "--fuzz-input", os.devnull)
        self.assertEqual(usual.returncode, 0, usual.stderr)
        self.assertIn("update view[0]: 7 -> 8", usual.stdout)
        for bad in ["f1:", "f1:0000", "f1:00:00", token + "0", token + "zz"]:
            run = weft("replay", "lost_increment/plain", bad)
            self.assertEqual(run.returncode, TOKEN, (bad, run.stderr))
            self.assertEqual(run.stderr.count("\n"), 1, (bad, run.stderr))
        self.assert_one_clear_line(weft("replay", "lost_increment/plain", "--fuzz-input", "/nowhere"), USAGE, "/nowhere")
        self.assert_one_clear_line(weft("replay", "lost_increment/plain"), USAGE, "--fuzz-input")

    def fuzz_or_skip(self, *arguments):
        run = weft("fuzz", *arguments)
        if run.returncode == SKIPPED:
            self.skipTest(run.stdout)
        return run

    def test_fuzzing_finds_what_a_broken_variant_must_show_and_nothing_in_a_fixed_one(self):
        run = self.fuzz_or_skip("lost_increment/plain", "lost_increment/atomic", "--runs", "400")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn("(data race)", run.stdout)
        self.assertIn("(invariant)", run.stdout)
        self.assertIn("REPLAY weft replay lost_increment/plain f1:", run.stdout)
        self.assertRegex(run.stdout, r"lost_increment/atomic +survived +yes +4\d\d ")

    def test_too_few_runs_miss_the_lost_increment_and_that_is_no_success(self):
        run = self.fuzz_or_skip("lost_increment/plain", "--runs", "1")
        self.assertEqual(run.returncode, MISSED, run.stdout)
        self.assertIn("expected a finding `invariant: counter = 7 + increments', it was not found", run.stdout)

    def test_a_fuzz_target_takes_libfuzzers_flags_and_known_findings(self):
        self.fuzz_or_skip("lost_increment/atomic", "--runs", "1")
        target = os.path.join(os.path.dirname(WEFT), "fuzz", "lost_increment.plain")
        findings = os.path.join(self.folder, "findings")
        run = subprocess.run([target, "-runs=400", "-seed=3", "-artifact_prefix=" + self.folder + "/", "--known=data race:view[0]",
                              "--findings=" + findings], capture_output=True, text=True, timeout=60)
        self.assertNotEqual(run.returncode, 0)
        crash = [name for name in os.listdir(self.folder) if name.startswith("crash-")]
        self.assertEqual(len(crash), 1, run.stderr)
        with open(findings) as lines:
            self.assertEqual([line.split(":")[0] for line in lines], ["data race", "invariant"])
        again = subprocess.run([target, os.path.join(self.folder, crash[0])], capture_output=True, text=True, timeout=60)
        self.assertIn("counter = 7 + increments (invariant)", again.stderr)
        token = re.findall(r"REPLAY weft replay lost_increment/plain (f1:\S+)", again.stderr)[-1]  # each has its own
        self.assertIn("counter = 7 + increments (invariant)", weft("replay", "lost_increment/plain", token).stdout)
        wrong = subprocess.run([target, "--nonsense"], capture_output=True, text=True, timeout=60)
        self.assertEqual(wrong.returncode, USAGE)
        self.assertIn("weft: unknown flag `--nonsense'", wrong.stderr)

    def test_a_missing_fuzz_target_is_one_line(self):
        run = weft("fuzz", "lost_increment/plain", "--targets", self.folder)
        self.assertEqual(run.returncode, USAGE)
        self.assertIn("there is no fuzz target", run.stderr)

    def test_a_token_that_no_longer_fits_says_at_which_step(self):
        finding = json.loads(weft("explore", "--json", "lost_increment/plain").stdout)["results"][0]["findings"][1]
        head = finding["schedule"][:12]
        run = weft("replay", "lost_increment/plain", head + "0nw")
        self.assertEqual(run.returncode, TOKEN)
        self.assertRegex(run.stderr, r"diverged at step 2: operation 2 of thread 0 was a store")
        self.assertIn("NOTE  the schedule diverged at step 2", run.stdout)
        self.assertNotRegex(run.stdout, r"(?m)^(MIN|REPLAY|DEBUG) ")

    def test_unknown_names_and_impossible_options_are_one_line_and_exit_code_64(self):
        self.assert_one_clear_line(weft("explore", "no_such_scenario"), USAGE, "no_such_scenario")
        self.assert_one_clear_line(weft("explore", "two\nlines"), USAGE, "two?lines")
        self.assert_one_clear_line(weft("new", "two\nlines\x1b[31m"), USAGE, "two?lines?[31m")
        for option in ([], ["--fuzz-input"]):
            for path in ("/tmp", "/dev/zero"):
                self.assert_one_clear_line(weft("replay", "lost_increment/plain", *option, path), USAGE, path)
        self.assert_one_clear_line(weft("replay", "lost_increment/plain", "w1:", "--break-at", ""), USAGE, "--break-at")
        self.assert_one_clear_line(weft("sample", "lost_increment/plain", "--strategy", "pct", "--depth", "2147483647"), USAGE, "--depth")
        self.assert_one_clear_line(weft("replay", "no/such", "w1:"), USAGE, "no/such")
        for option, values, answer in (("--model", ("arm", "7", ""), "is none of sc|rc11"),
                                       ("--keep", ("maybe", "1"), "is none of unexpected|all|none"),
                                       ("--max-executions", ("-3", "0", "1.5", "x", "99999999999999999999999"), "is no whole number from 1 to"),
                                       ("--max-steps", ("0", "99999999999"), "is no whole number from 1 to 4294967295"),
                                       ("--spurious", ("many", "-1", "4294967296"), "is no whole number from 0 to 4294967295"),
                                       ("--jobs", ("0", "65", "two"), "is no whole number from 1 to 64"),
                                       ("--max-time", ("-1", "0", "nan", "inf", "1e999", "soon"), "is no number of seconds above 0")):
            for value in values:
                self.assert_one_clear_line(weft("explore", "lost_increment/atomic", option, value), USAGE, f"{option}: `{value}' {answer}")
        self.assert_one_clear_line(weft("dance"), USAGE)
        self.assert_one_clear_line(weft("explore\n\x1b[31mx"), USAGE, "there is no command `explore??[31mx'")
        self.assert_one_clear_line(weft("explore", "x\u202ey"), USAGE, "x?y")
        for arguments, answer in ((("explore", "--max-exections=3"), "there is no option `--max-exections'; did you mean `--max-executions'? (see weft explore --help)"),
                                  (("explore", "--no-such-option", "x"), "there is no option `--no-such-option' (see weft explore --help)"),
                                  (("--no-such-option",), "there is no option `--no-such-option' (see weft --help)"),
                                  ((), "a command is missing; there are list, explore, "),
                                  (("replay", "lost_increment/plain", "a", "b"), "`b' is an argument too many (see weft replay --help)"),
                                  (("explore", "lost_increment", "--model", "sc", "--model", "rc11", "--model", "sc"), "--model is given 3 times; give it once (see weft explore --help)"),
                                  (("explore", "lost_increment", "--max-time"), "--max-time needs a value (see weft explore --help)")):
            self.assert_one_clear_line(weft(*arguments), USAGE, answer)
        self.assert_one_clear_line(weft("check", "missing.cpp"), USAGE, "missing.cpp")
        self.assert_one_clear_line(weft("check"), USAGE, "file")
        self.assert_one_clear_line(weft("replay", "lost_increment", "w1:"), USAGE, "scenario/variant")
        notes = self.write("notes.txt", "no program")
        self.assert_one_clear_line(weft("check", notes), USAGE, "no C or C++ source file")
        program = self.write("race.c", RACE_C)
        self.assert_one_clear_line(weft("check", program, "--compiler", "no-such-compiler"), USAGE, "no-such-compiler")

    def test_a_machine_that_is_too_small_is_said_to_be_so(self):
        def little_memory():
            resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
        run = weft("explore", "--json", "lost_increment/atomic", preexec_fn=little_memory)
        self.assertEqual(run.returncode, INTERNAL, run.stdout + run.stderr)
        result = json.loads(run.stdout)["results"][0]
        self.assertEqual(result["verdict"], "internal")
        self.assertIn("cannot reserve address space", result["reason"])

    def test_needing_more_threads_or_memory_than_there_are_is_a_finding(self):
        threads = weft("check", "--json", self.write("threads.cpp", TOO_MANY_THREADS))
        self.assertEqual(threads.returncode, 1, threads.stdout + threads.stderr)
        self.assertEqual([f["kind"] for f in json.loads(threads.stdout)["findings"]], ["limit"])
        self.assertIn("more than 64 threads", threads.stdout)
        memory = weft("check", "--json", self.write("memory.c", TOO_MUCH_MEMORY))
        self.assertEqual(memory.returncode, 1, memory.stdout + memory.stderr)
        self.assertIn("limit", [f["kind"] for f in json.loads(memory.stdout)["findings"]])

    def test_spurious_wake_ups_are_explored_when_asked_for(self):
        file = self.write("wait.cpp", TRUSTS_ITS_WAKE_UP)
        self.assertEqual(weft("check", file, "--", "-DLOOK=if").returncode, 0)
        bounded = weft("check", "--json", "--spurious", "1", file, "--", "-DLOOK=while")
        self.assertEqual(bounded.returncode, BOUNDED, bounded.stdout + bounded.stderr)
        found = weft("check", "--json", "--spurious", "1", file, "--", "-DLOOK=if")
        self.assertEqual(found.returncode, 1, found.stdout + found.stderr)
        finding = json.loads(found.stdout)["findings"][0]
        self.assertIn("--spurious 1 --replay w1:", finding["trace"])
        replay = weft("check", "--spurious", "1", file, "--replay", finding["schedule"], "--", "-DLOOK=if")
        self.assertEqual(replay.returncode, 1, replay.stderr)

    def test_a_program_without_threads_is_vacuous(self):
        run = weft("check", "--json", self.write("alone.c", "int main(void) { return 0; }\n"))
        self.assertEqual(run.returncode, VACUOUS, run.stdout + run.stderr)

    def test_help_lists_the_exit_codes(self):
        for arguments in [["--help"], ["explore", "--help"], ["check", "--help"]]:
            run = weft(*arguments)
            self.assertEqual(run.returncode, 0)
            self.assertIn("64  usage", run.stdout)

    def test_what_a_program_leaves_behind_when_it_exits_is_not_ours(self):
        for call in ("exit(0)", "_exit(0)", "quick_exit(0)"):
            with tempfile.TemporaryDirectory() as folder:
                source = os.path.join(folder, "exits.c")
                with open(source, "w") as file:
                    file.write("#include <pthread.h>\n#include <stdlib.h>\n#include <unistd.h>\nstatic void* run(void* x) { return x; }\n"
                               "int main(int argc, char** argv) { pthread_t t; argv[argc - 1][0] = 'x'; pthread_create(&t, 0, run, 0);\n"
                               f"pthread_join(t, 0); {call}; }}\n")
                run = weft("check", source)
                self.assertEqual(run.returncode, 0, call + run.stdout + run.stderr)
                self.assertIn("proved", run.stdout)

    def test_checks_a_c_program(self):
        file = self.write("race.c", RACE_C)
        run = weft("check", "--json", file)
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        kinds = {f["kind"] for f in json.loads(run.stdout)["findings"]}
        self.assertEqual(kinds, {"data race", "invariant"})
        token = json.loads(run.stdout)["findings"][-1]["schedule"]
        replay = weft("check", file, "--replay", token)
        self.assertEqual(replay.returncode, 1, replay.stderr)
        self.assertIn("race.c:", replay.stdout)

    def test_checks_several_cpp_files_with_compiler_flags(self):
        self.write("counter.h", "void add();\nint total();\n")
        main = self.write("main.cpp", SAFE_MAIN)
        counter = self.write("counter.cpp", SAFE_COUNTER)
        run = weft("check", "--json", main, counter, "--", "-DSTEP=1", "-O2")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual(json.loads(run.stdout)["verdict"], "proved")
        wrong = weft("check", main, counter, "--", "-DSTEP=2")
        self.assertEqual(wrong.returncode, 1)
        self.assertIn("main returns 0", wrong.stdout)

    def test_globals_with_names_of_one_letter_keep_them(self):
        run = weft("check", "--json", self.write("abba.cpp", LOCKS_IN_BOTH_ORDERS))
        messages = [f["message"] for f in json.loads(run.stdout)["findings"]]
        self.assertEqual(len(messages), 1)
        self.assertIn("mutex a", messages[0])
        self.assertIn("mutex b", messages[0])

    def test_a_spin_that_nobody_ends_replays_as_a_livelock(self):
        run = weft("check", "--json", self.write("spin.cpp", SPINS_FOR_EVER))
        self.assertEqual([f["kind"] for f in json.loads(run.stdout)["findings"]], ["livelock"])

    def test_freeing_what_was_made_before_main_races_with_its_readers(self):
        run = weft("check", "--json", self.write("before.cpp", FREES_A_BLOCK_FROM_BEFORE_MAIN))
        self.assertEqual([f["kind"] for f in json.loads(run.stdout)["findings"]], ["data race"])

    def test_a_program_that_does_not_compile_shows_the_compilers_message(self):
        run = weft("check", self.write("bad.cpp", "int main() { return no_such_name; }\n"))
        self.assertEqual(run.returncode, NOT_COMPILED)
        self.assertIn("no_such_name", run.stderr)


if __name__ == "__main__":
    unittest.main()
