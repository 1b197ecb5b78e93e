#!/usr/bin/env python3
"""`weft stress` from outside, on the scenarios in this folder. Usage: stress_test.py PROGRAM [unittest arguments]"""
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))
OK, BUG, MISSED, VACUOUS, INTERNAL, USAGE, SKIPPED = 0, 1, 2, 6, 7, 64, 77


def stress(*arguments, program=PROGRAM, **options):
    return subprocess.run([program, "stress", *arguments], capture_output=True, text=True, timeout=200, **options)


class Stress(unittest.TestCase):
    def one(self, variant, code, *arguments, seconds="20"):
        run = stress("--json", "--seconds", seconds, variant, *arguments)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return json.loads(run.stdout)["results"][0]

    def finds(self, variant, kind, *words, arguments=()):
        result = self.one(variant, OK, *arguments)
        self.assertEqual(result["verdict"], "bug")
        self.assertTrue(result["as_expected"])
        self.assertEqual([f["kind"] for f in result["findings"]], [kind])
        for word in words:
            self.assertIn(word, result["findings"][0]["message"])
        return result["findings"][0]

    def survives(self, variant, *arguments, seconds="1"):
        result = self.one(variant, OK, *arguments, seconds=seconds)
        self.assertEqual(result["verdict"], "sampled")
        self.assertEqual(result["findings"], [])
        self.assertGreater(result["iterations"], 0)
        return result

    # --- data races ---

    def test_a_race_on_a_global_is_found_by_name(self):
        self.finds("races/global", "data race", "shared_total")

    def test_a_race_is_told_with_the_names_of_object_and_threads_and_with_both_places(self):
        finding = self.finds("races/named", "data race", "numbers[2]: ", "write of 4 bytes by Writer",
                             "read of 4 bytes by A reader with a long name")
        self.assertRegex(finding["trace"], r"Writer: write of 4 bytes at races.cpp:\d+")
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "scenarios", "races.cpp")) as file:
            source = file.read().splitlines()
        for thread, text in [("Writer", "numbers[2] = 1"), ("A reader with a long name", "numbers[2] < 2")]:
            line = int(re.search(thread + r": .* at races.cpp:(\d+)", finding["trace"]).group(1))
            self.assertIn(text, source[line - 1])

    def test_another_object_than_the_expected_one_is_no_success(self):
        result = self.one("races/wrong_name", BUG)
        self.assertIn("unexpected finding `data race: numbers[2]", result["problem"])

    def test_wefts_own_calls_order_nothing(self):
        for seed in range(1, 6):
            self.finds("races/notes", "data race", "value", arguments=["--seed", str(seed * 100), "--iterations", "1"])

    def test_races_on_racy_memory_are_none_and_those_beside_it_are(self):
        self.survives("races/racy")
        self.finds("races/neighbour_of_racy", "data race", "values+4")

    def test_a_race_with_a_copy_is_found(self):
        self.finds("races/copy", "data race", "from")

    def test_atomics_do_not_race(self):
        self.survives("races/atomic")

    def test_a_race_in_a_fixed_variant_is_a_bug(self):
        result = self.one("races/not_fixed", BUG)
        self.assertIn("unexpected finding `data race", result["problem"])

    # --- invariants ---

    def test_a_logical_race_is_found_as_the_invariant(self):
        finding = self.finds("logic/get_then_set", "invariant", "two requests use two of the quota")
        self.assertIn("Request", finding["trace"])
        self.assertEqual([s["text"] for s in finding["steps"]], ["admit", "admit", "invariant"])
        self.assertIn({"name": "left", "value": "1"}, finding["steps"][-1]["changes"])
        self.assertRegex(finding["trace"], r"AGAIN weft stress logic/get_then_set --seed \d+ --iterations 1\n")

    def test_fixed_variants_survive(self):
        self.survives("logic/claim")
        self.survives("logic/when")

    def test_asserts_exceptions_and_checks_of_c_are_findings(self):
        self.finds("logic/assert", "invariant", "assertion `left_over == 7' failed in")
        self.finds("logic/throws", "uncaught exception", "std::runtime_error: no such user")
        self.finds("logic/in_c", "invariant", "a choice of one is 1")

    def test_choices_are_those_of_the_seed(self):
        def drawn(seed):
            return self.one("logic/choices", OK, "--seed", str(seed))["findings"][0]["message"]

        first = drawn(7)
        self.assertRegex(first, r"^drew \d{12} \d{12} \d{12}$")
        for _ in range(4):
            self.assertEqual(drawn(7), first)
        self.assertNotEqual(drawn(8), first)
        self.assertEqual(len(set(first.split())), 4, "each thread has numbers of its own")

    def test_the_seed_of_a_finding_shows_it_in_one_iteration(self):
        finding = self.one("logic/may_miss_but_not_that", BUG)["findings"][0]
        self.assertEqual(finding["execution"], 1)
        found = self.one("races/named", OK, "--seed", "40")["findings"][0]
        seed = re.search(r"--seed (\d+)", found["trace"]).group(1)
        self.assertEqual(int(seed), 40 + found["execution"] - 1)

    def test_assumptions_drop_iterations(self):
        result = self.survives("logic/assumes", "--iterations", "200", seconds="60")
        self.assertEqual(result["iterations"] + result["dropped"], 200)
        self.assertTrue(20 < result["iterations"] < 80, result["iterations"])
        self.assertEqual(result["reason"], "`2 is chosen' never held")

    def test_no_iteration_that_counts_is_no_success(self):
        result = self.one("logic/assumes_nothing_is_left", VACUOUS, "--iterations", "5")
        self.assertEqual((result["verdict"], result["iterations"], result["dropped"]), ("vacuous", 0, 5))

    def test_globals_begin_as_they_were(self):
        self.assertGreater(self.survives("logic/globals")["iterations"], 3)

    def test_scenarios_can_be_larger(self):
        self.survives("logic/scaled")

    def test_what_is_stopped_is_not_unwound(self):
        self.survives("logic/stops")

    def test_tasks_have_columns(self):
        finding = self.finds("logic/tasks", "invariant")
        self.assertEqual([(s["thread"], s["text"]) for s in finding["steps"]],
                         [("Request A", "a begins"), ("Request B", "b begins"), ("Request B", "invariant")])

    # --- what may be missed, and what is not run ---

    def test_a_broken_variant_that_survives_is_missed(self):
        result = self.one("logic/missed", MISSED, seconds="0.5")
        self.assertEqual(result["verdict"], "sampled")
        self.assertIn("expected a finding `invariant: not that number'", result["problem"])

    def test_what_may_be_missed_passes_and_says_so(self):
        result = self.one("logic/may_miss", OK, seconds="0.5")
        self.assertEqual(result["remark"], "missed, as it may be: one of a million choices fails")
        text = stress("--seconds", "0.5", "logic/may_miss")
        self.assertIn("logic/may_miss: missed, as it may be: one of a million choices fails\n", text.stdout)

    def test_another_finding_than_the_one_that_may_be_missed_is_a_bug(self):
        self.assertIn("unexpected finding `invariant: a choice of one is 1'", self.one("logic/may_miss_but_not_that", BUG)["problem"])

    def test_a_variant_can_be_left_out_and_says_so(self):
        result = self.one("logic/skipped", SKIPPED)
        self.assertEqual((result["verdict"], result["iterations"]), ("skipped", 0))
        self.assertEqual(result["remark"], "skipped: it stands for one with fences")

    def test_list_shows_what_stress_may_miss(self):
        text = subprocess.run([PROGRAM, "list", "logic"], capture_output=True, text=True).stdout
        self.assertIn("stress may miss it: one of a million choices fails\n", text)
        self.assertIn("not stressed: it stands for one with fences\n", text)
        variants = json.loads(subprocess.run([PROGRAM, "list", "--json", "logic"], capture_output=True, text=True).stdout)["variants"]
        policies = {v["variant"]: v["stress"]["policy"] for v in variants}
        self.assertEqual((policies["claim"], policies["may_miss"], policies["skipped"]), ("full", "may_miss", "skip"))

    # --- hangs and crashes ---

    def test_a_deadlock_is_found_with_who_waits_for_what(self):
        finding = self.finds("hangs/locks", "deadlock", "There waits for account 2", "Back waits for account 1", "main waits")
        self.assertIn("holds the first lock", [s["text"] for s in finding["steps"]])

    def test_a_wait_that_nobody_ends_is_a_deadlock(self):
        finding = self.finds("hangs/condition", "deadlock", "main waits")
        self.assertIn("waits for a word", finding["trace"])

    def test_a_spin_is_a_livelock(self):
        self.finds("hangs/spin", "livelock", "thread 1 runs", arguments=["--hang-after", "2"])

    def test_a_spin_is_no_deadlock(self):
        result = self.one("hangs/spin_is_no_deadlock", BUG, "--hang-after", "2")
        self.assertIn("unexpected finding `livelock", result["problem"])

    def test_what_sleeps_is_no_deadlock(self):
        self.survives("hangs/slow", "--iterations", "1")

    def test_crashes_are_findings(self):
        finding = self.finds("crashes/null", "signal", "SIGSEGV (invalid memory access): a null pointer was followed")
        self.assertRegex(finding["trace"], r"thread 1: failed here at hangs_and_crashes.cpp:\d+")
        self.finds("crashes/recursion", "signal", "stack overflow")
        self.finds("crashes/abort", "abort", "abort() was called")
        self.finds("crashes/exit", "abort", "exit code 3")
        self.finds("crashes/terminate", "abort", "std::terminate was called without an exception")
        self.finds("crashes/killed", "signal", "signal 9")
        freed = self.finds("crashes/use_after_free", "use after free", "by main")
        self.assertRegex(freed["trace"], r"main: free at hangs_and_crashes.cpp:\d+\n +main: read of 4 bytes at hangs_and_crashes.cpp:\d+")

    # --- CTest ---

    def test_ctest_tells_found_missed_and_skipped_apart(self):
        folder = tempfile.mkdtemp(prefix="weft-test-")
        self.addCleanup(shutil.rmtree, folder)
        file = os.path.join(folder, "CTestTestfile.cmake")
        subprocess.run([PROGRAM, "list", "--ctest", file, "--program", PROGRAM], check=True)
        expected = {"races.global": "Passed", "races.atomic": "Passed", "races.wrong_name": "Failed", "races.not_fixed": "Failed",
                    "logic.may_miss": "Skipped", "logic.may_miss_but_not_that": "Failed", "logic.skipped": "Skipped"}
        pattern = r"^stress\.(" + "|".join(re.escape(name) for name in expected) + ")$"
        run = subprocess.run(["ctest", "-R", pattern, "-L", "stress"], cwd=folder, capture_output=True, text=True, timeout=200)
        got = dict(re.findall(r"stress\.(\S+) \.*\s*\**(Passed|Failed|Skipped)", run.stdout))
        self.assertEqual(got, expected, run.stdout + run.stderr)

    # --- the command ---

    def test_several_variants_make_one_table_and_the_first_failure_the_exit_code(self):
        run = stress("--seconds", "0.3", "--quiet", "logic/claim", "logic/skipped", "logic/missed")
        self.assertEqual(run.returncode, MISSED, run.stdout + run.stderr)
        rows = {line.split()[0]: line.split()[1:3] for line in run.stdout.splitlines()[1:4]}
        self.assertEqual(rows, {"logic/claim": ["sampled", "yes"], "logic/skipped": ["skipped", "-"], "logic/missed": ["sampled", "NO"]})

    def test_bad_use_is_one_line(self):
        for arguments in [["no_such_scenario"], ["--seconds", "-1"], ["--iterations", "0"], ["--seed", "x"], ["--hang-after", "0"]]:
            run = stress(*arguments)
            self.assertEqual((run.returncode, run.stdout, run.stderr.count("\n")), (USAGE, "", 1), run.stderr)
        self.assertIn("77  skipped", stress("--help").stdout)

    def test_options_of_the_sanitizer_from_outside_change_nothing(self):
        run = stress("--seconds", "20", "races/global", env={**os.environ, "TSAN_OPTIONS": "log_path=/nowhere:halt_on_error=1:report_bugs=0"})
        self.assertEqual(run.returncode, OK, run.stdout + run.stderr)

    def with_other_half(self, script):
        folder = tempfile.mkdtemp(prefix="weft-test-")
        self.addCleanup(shutil.rmtree, folder)
        program = os.path.join(folder, "weft")
        shutil.copy(PROGRAM, program)
        if script is not None:
            with open(program + "-stress", "w") as file:
                file.write("#!/bin/sh\n" + script)
            os.chmod(program + "-stress", stat.S_IRWXU)
        return program

    FATAL = 'echo "FATAL: ThreadSanitizer: unexpected memory mapping 0x561b0e5d1000-0x561b0e5f2000" >&2; exit 66\n'

    def test_where_the_sanitizer_cannot_start_it_is_skipped_and_says_why(self):
        program = self.with_other_half(self.FATAL)
        run = stress("logic/claim", program=program)
        self.assertEqual(run.returncode, SKIPPED, run.stderr)
        self.assertIn("weft: skipped: the ThreadSanitizer cannot run here: ThreadSanitizer: unexpected memory mapping", run.stdout)
        result = json.loads(stress("--json", "logic/claim", program=program).stdout)["results"][0]
        self.assertEqual(result["verdict"], "skipped")

    def test_where_it_needs_fixed_addresses_it_gets_them(self):
        # Bit 0x0040000 of the personality: no randomisation of addresses.
        script = 'case $(cat /proc/self/personality) in 0004*) exec "%s" "$@";; esac\n%s' % (PROGRAM + "-stress", self.FATAL)
        run = stress("--seconds", "0.3", "logic/claim", program=self.with_other_half(script))
        self.assertEqual(run.returncode, OK, run.stdout + run.stderr)
        self.assertIn("sampled", run.stdout)

    def test_a_missing_or_broken_other_half_is_said_to_be_so(self):
        missing = stress("logic/claim", program=self.with_other_half(None))
        self.assertEqual((missing.returncode, missing.stderr.count("\n")), (USAGE, 1))
        self.assertIn("build everything", missing.stderr)
        broken = stress("logic/claim", program=self.with_other_half("exit 66\n"))
        self.assertEqual(broken.returncode, INTERNAL, broken.stdout + broken.stderr)


if __name__ == "__main__":
    if stress("--seconds", "0.1", "logic/claim").returncode == SKIPPED:
        print("skipped: the ThreadSanitizer cannot run here")
        sys.exit(SKIPPED)
    unittest.main()
