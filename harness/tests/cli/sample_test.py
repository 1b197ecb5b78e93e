#!/usr/bin/env python3
"""`weft sample` from outside: exit codes, the same bytes from the same seed, replays in another process, what is kept.
Usage: sample_test.py PROGRAM [unittest arguments]"""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml

WEFT = os.path.abspath(sys.argv.pop(1))
BUG, MISSED, SAMPLED, TRUNCATED, USAGE = 1, 2, 4, 5, 64
STRATEGIES = ("random", "pct", "pos")


class Sample(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def weft(self, *arguments):
        return subprocess.run([WEFT, *arguments], capture_output=True, text=True, timeout=300, cwd=self.folder)

    def sample(self, *arguments, code=0):
        run = self.weft("sample", *arguments)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return run.stdout

    def results(self, *arguments, code=0):
        return json.loads(self.sample(*arguments, "--json", code=code))["results"]

    def test_a_broken_variant_must_show_its_finding(self):
        for strategy in STRATEGIES:
            text = self.sample("golden/lost_update", "--strategy", strategy)
            self.assertRegex(text, r"golden/lost_update +bug +yes ")

    def test_what_is_not_found_is_missed(self):
        # The one thread of this scenario that must be overtaken is not, in a run without preemptions.
        text = self.sample("golden/lost_update", "--strategy", "pct", "--depth", "1", "--runs", "50", "--model", "sc",
                           code=MISSED)
        self.assertIn("it was not found: 50 schedules were tried (pct), none failed", text)

    def test_surviving_has_an_exit_code_of_its_own(self):
        text = self.sample("fails_unexpectedly/if_told_to", "--runs", "20", code=SAMPLED)
        self.assertRegex(text, r"fails_unexpectedly/if_told_to +sampled +- +\d+ ")
        self.assertIn("expected proved, got sampled: 20 schedules were tried (random), none failed", text)

    def test_what_is_too_large_to_be_explored(self):
        for strategy in STRATEGIES:
            self.sample("counts_to_168_million", "--strategy", strategy, "--runs", "200", code=SAMPLED)

    def test_the_same_seed_gives_the_same_bytes(self):
        for strategy in STRATEGIES:
            arguments = ["golden/l*", "--strategy", strategy, "--runs", "30", "--seed", "5", "--keep", "none"]
            first, second = self.weft("sample", *arguments), self.weft("sample", *arguments)
            self.assertEqual(first.stdout, second.stdout)
            self.assertEqual(first.returncode, second.returncode)
            self.assertGreater(first.stdout.count("REPLAY"), 2)

        def json_without_times():
            run = self.weft("sample", "golden/lost_update", "--seed", "5", "--json")
            return re.sub(r'"(seconds|executions_per_second)": [^,]*', "", run.stdout)
        self.assertEqual(json_without_times(), json_without_times())

    def test_findings_replay_in_another_process(self):
        found = json.loads(self.weft("sample", "golden/*", "--runs", "20", "--quiet", "--json").stdout)["results"]
        replayed = 0
        for result in found:
            for finding in result["findings"]:
                if finding["kind"] in ("nondeterminism", "limit"):
                    continue
                name = f"{result['scenario']}/{result['variant']}"
                again = json.loads(self.weft("replay", name, finding["schedule"], "--json").stdout)
                self.assertEqual((again["status"], again["problem"]), ("done", ""), finding["trace"])
                self.assertIn((finding["kind"], finding["message"]),
                              [(f["kind"], f["message"]) for f in again["findings"]])
                replayed += 1
        self.assertGreater(replayed, 10)

    def test_findings_are_made_smaller_unless_told_not_to(self):
        def sizes(text):
            found = re.search(r"^MIN +(\d+) steps?, (\d+) switch", text, re.MULTILINE)
            return tuple(map(int, found.groups()))
        smaller = self.sample("golden/lost_update", "--seed", "3")
        larger = self.sample("golden/lost_update", "--seed", "3", "--no-minimise")
        self.assertIn("decisions makes it smaller", " ".join(smaller.split()))
        self.assertNotIn("decisions makes it smaller", " ".join(larger.split()))
        self.assertTrue(all(a <= b for a, b in zip(sizes(smaller), sizes(larger))))

    def test_json_says_how_schedules_were_drawn(self):
        result = self.results("golden/lost_update", "--strategy", "pct", "--depth", "2", "--seed", "9", "--runs", "500")[0]
        self.assertEqual([result[key] for key in ("strategy", "depth", "seed", "runs")], ["pct", 2, 9, 500])
        self.assertEqual(result["verdict"], "bug")
        self.assertTrue(result["as_expected"])
        self.assertNotIn("DEBUG", self.sample("golden/lost_update"))  # it was expected
        self.assertNotIn("depth", self.results("golden/lost_update", "--strategy", "pos")[0])

    def test_unexpected_findings_are_kept_and_exploring_tries_them_first(self):
        text = self.sample("fails_unexpectedly/always", "--sarif", "sarif.json", "--junit", "junit.xml", code=BUG)
        self.assertIn("kept in weft-findings/fails_unexpectedly.always", text)
        self.assertRegex(text, r"(?m)^REPLAY .*\nDEBUG  gdb .* replay fails_unexpectedly/always .* --break-at last$")
        with open(os.path.join(self.folder, "weft-findings/fails_unexpectedly.always/finding.json")) as file:
            finding = json.load(file)["findings"][0]
        self.assertIn("gdb", finding["debug"])
        self.assertTrue(finding["minimised"]["complete"])
        self.assertLessEqual(finding["switches"], finding["minimised"]["switches_before"])
        self.assertEqual(self.sample("fails_unexpectedly/always", code=BUG), text)  # they change nothing here
        explored = self.weft("explore", "fails_unexpectedly/always").stdout
        self.assertIn("tried the kept schedules first: 1 of 1 still fail", explored)
        replay = subprocess.run(["weft-findings/fails_unexpectedly.always/replay.sh"], env={**os.environ, "WEFT": WEFT},
                                capture_output=True, text=True, cwd=self.folder, timeout=100)
        self.assertIn("nothing is lost", replay.stdout)
        with open(os.path.join(self.folder, "sarif.json")) as file:
            self.assertEqual(json.load(file)["runs"][0]["results"][0]["level"], "error")
        self.assertEqual(len(xml.parse(os.path.join(self.folder, "junit.xml")).getroot().findall(".//failure")), 1)

    def test_survivors_are_skipped_in_junit(self):
        self.sample("fails_unexpectedly/if_told_to", "--runs", "5", "--junit", "junit.xml", code=SAMPLED)
        root = xml.parse(os.path.join(self.folder, "junit.xml")).getroot()
        self.assertEqual(len(root.findall(".//skipped")), 1)
        self.assertEqual(len(root.findall(".//failure")), 0)
        self.assertEqual(root[0].get("skipped"), "1")

    def test_limits(self):
        text = self.sample("counts_to_168_million", "--runs", "1000000000", "--max-time", "0.3", code=TRUNCATED)
        self.assertIn("schedules were tried", text)

    def test_bad_arguments_get_one_line(self):
        for arguments in (["no_such"], ["--strategy", "best"], ["--runs", "0"], ["--seed", "-1"], ["--depth", "0"],
                          ["--runs", "many"], ["--max-executions", "4"]):
            run = self.weft("sample", *arguments)
            self.assertEqual(run.returncode, USAGE, arguments)
            self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
            self.assertEqual(run.stdout, "")


unittest.main()
