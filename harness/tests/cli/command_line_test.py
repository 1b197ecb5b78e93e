#!/usr/bin/env python3
"""The program `weft` from outside: exit codes, JSON, bad input. Usage: command_line_test.py WEFT [unittest arguments]"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

WEFT = os.path.abspath(sys.argv.pop(1))

USAGE, TOKEN, NOT_COMPILED = 64, 65, 8

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
        steps = [s["text"] for s in findings[1]["steps"] if s["thread"].startswith("Worker") and s["text"] != "end"]
        loads = [s for s in steps if s.startswith("load view[0] -> 7")]
        stores = [s for s in steps if s.startswith("store view[0] = 8")]
        computes = [s for s in steps if s.startswith("compute")]
        self.assertEqual((len(loads), len(computes), len(stores)), (2, 2, 2), steps)
        self.assertLess(max(steps.index(s) for s in loads), min(steps.index(s) for s in stores))

    def test_fixed_variants_are_proved(self):
        run = weft("explore", "--json", "lost_increment/atomic", "lost_increment/mutex")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertEqual([r["verdict"] for r in json.loads(run.stdout)["results"]], ["proved", "proved"])
        self.assertEqual([r["blocked"] for r in json.loads(run.stdout)["results"]], [0, 0])

    def test_without_promotion_the_consequence_of_the_race_is_missed_and_that_is_no_success(self):
        run = weft("explore", "--no-promote", "lost_increment/plain")
        self.assertEqual(run.returncode, 2, run.stdout)
        self.assertIn("was not found", run.stdout)

    def test_a_limit_that_was_hit_is_no_pass(self):
        run = weft("explore", "--json", "--max-executions", "1", "lost_increment/atomic")
        self.assertEqual(run.returncode, 5)
        self.assertEqual(json.loads(run.stdout)["results"][0]["verdict"], "truncated")

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

    def test_a_token_that_no_longer_fits_says_at_which_step(self):
        finding = json.loads(weft("explore", "--json", "lost_increment/plain").stdout)["results"][0]["findings"][1]
        head = finding["schedule"][:12]
        run = weft("replay", "lost_increment/plain", head + "0nw")
        self.assertEqual(run.returncode, TOKEN)
        self.assertRegex(run.stderr, r"diverged at step 2: operation 2 of thread 0 was a store")

    def test_unknown_names_and_impossible_options_are_one_line_and_exit_code_64(self):
        self.assert_one_clear_line(weft("explore", "no_such_scenario"), USAGE, "no_such_scenario")
        self.assert_one_clear_line(weft("replay", "no/such", "w1:"), USAGE, "no/such")
        self.assert_one_clear_line(weft("explore", "--model", "arm"), USAGE, "--model")
        self.assert_one_clear_line(weft("explore", "--max-executions", "-3"), USAGE, "--max-executions")
        self.assert_one_clear_line(weft("explore", "--no-such-option"), USAGE, "--no-such-option")
        self.assert_one_clear_line(weft("dance"), USAGE)
        self.assert_one_clear_line(weft(), USAGE)
        self.assert_one_clear_line(weft("check", "missing.cpp"), USAGE, "missing.cpp")

    def test_help_lists_the_exit_codes(self):
        for arguments in [["--help"], ["explore", "--help"], ["check", "--help"]]:
            run = weft(*arguments)
            self.assertEqual(run.returncode, 0)
            self.assertIn("64  usage", run.stdout)

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

    def test_a_program_that_does_not_compile_shows_the_compilers_message(self):
        run = weft("check", self.write("bad.cpp", "int main() { return no_such_name; }\n"))
        self.assertEqual(run.returncode, NOT_COMPILED)
        self.assertIn("no_such_name", run.stderr)


if __name__ == "__main__":
    unittest.main()
