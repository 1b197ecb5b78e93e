#!/usr/bin/env python3
"""Findings on disk, reports in other formats, progress, and Ctrl-C. Usage: findings_test.py PROGRAM [unittest arguments]

PROGRAM is a `weft` with the scenarios of scenarios.cpp.
"""
import json
import os
import pty
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree

PROGRAM = os.path.abspath(sys.argv.pop(1))
BUG, TRUNCATED, USAGE = 1, 5, 64


def explore(*arguments, folder, **environment):
    return subprocess.run([PROGRAM, "explore", *arguments], capture_output=True, text=True, timeout=120, cwd=folder,
                          env=dict(os.environ, **environment))


class Findings(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = self.temporary.name
        self.addCleanup(self.temporary.cleanup)

    def kept(self, variant, name):
        with open(os.path.join(self.folder, "weft-findings", variant, name)) as file:
            return file.read()

    def test_an_unexpected_finding_is_kept_and_tried_first(self):
        first = explore("fails_unexpectedly/always", folder=self.folder)
        self.assertEqual(first.returncode, BUG, first.stdout + first.stderr)
        self.assertIn("kept in weft-findings/fails_unexpectedly.always", first.stdout)
        finding = json.loads(self.kept("fails_unexpectedly.always", "finding.json"))
        self.assertEqual((finding["format"], finding["version"], finding["scenario"], finding["variant"]),
                         ("weft finding", 1, "fails_unexpectedly", "always"))
        self.assertIn(finding["findings"][0]["trace"], first.stdout)
        self.assertEqual(self.kept("fails_unexpectedly.always", "trace.txt"), finding["findings"][0]["trace"])

        again = explore("fails_unexpectedly/always", "--json", folder=self.folder)
        result = json.loads(again.stdout)["results"][0]
        self.assertEqual(again.returncode, BUG)
        self.assertEqual(result["executions"], 0)
        self.assertTrue(result["findings"][0]["from_before"])
        self.assertEqual(result["findings"][0]["steps"], finding["findings"][0]["steps"])
        self.assertIn("tried the kept schedules first: 1 of 1 still fail",
                      explore("fails_unexpectedly/always", folder=self.folder).stdout)

        anew = json.loads(explore("fails_unexpectedly/always", "--json", "--keep", "none", folder=self.folder).stdout)
        self.assertNotEqual(anew["results"][0]["executions"], 0)
        self.assertFalse(anew["results"][0]["findings"][0]["from_before"])

    def test_the_script_replays(self):
        explore("fails_unexpectedly/always", folder=self.folder)
        script = os.path.join(self.folder, "weft-findings", "fails_unexpectedly.always", "replay.sh")
        replay = subprocess.run([script], capture_output=True, text=True, timeout=60, env={name: value for name, value in os.environ.items() if name != "WEFT"})
        self.assertEqual(replay.returncode, BUG, replay.stdout + replay.stderr)
        self.assertIn("nothing is lost", replay.stdout)

    def test_what_is_mended_is_explored_anew(self):
        broken = explore("fails_unexpectedly/if_told_to", folder=self.folder, WEFT_TEST_LOSES="1")
        self.assertEqual(broken.returncode, BUG, broken.stdout)
        mended = explore("fails_unexpectedly/if_told_to", folder=self.folder)
        self.assertEqual(mended.returncode, 0, mended.stdout)
        self.assertIn("found no more", mended.stdout)
        self.assertIn("proved", mended.stdout)

    def test_what_is_expected_is_not_kept_unless_asked_for(self):
        explore("golden/lost_update", folder=self.folder)
        self.assertEqual(os.listdir(self.folder), [])
        explore("golden/lost_update", "--keep", "all", "--findings", "elsewhere", folder=self.folder)
        self.assertEqual(sorted(os.listdir(os.path.join(self.folder, "elsewhere", "golden.lost_update"))),
                         ["finding.json", "replay.sh", "trace.html", "trace.txt"])

    def test_a_finding_that_is_none_gives_one_clear_line(self):
        for content in ("", "{", "[]", "{}", '{"findings": 3}', '{"findings": [3]}', '{"findings": [{"schedule": 7}]}', "\0\xff"):
            folder = os.path.join(self.folder, "weft-findings", "fails_unexpectedly.always")
            os.makedirs(folder, exist_ok=True)
            with open(os.path.join(folder, "finding.json"), "w") as file:
                file.write(content)
            run = explore("fails_unexpectedly/always", folder=self.folder)
            self.assertEqual(run.returncode, USAGE, content + run.stdout)
            self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)
            self.assertIn("finding.json", run.stderr)

    def test_a_finding_that_is_no_file_or_of_another_variant_says_what_to_do(self):
        folder = os.path.join(self.folder, "weft-findings", "fails_unexpectedly.always")
        os.makedirs(folder)
        path = os.path.join(folder, "finding.json")
        os.mkfifo(path)
        run = explore("fails_unexpectedly/always", folder=self.folder)
        self.assertEqual((run.returncode, len(run.stderr.splitlines())), (USAGE, 1), run.stderr)
        self.assertIn("delete it, or explore with --keep none", run.stderr)
        os.remove(path)
        explore("fails_unexpectedly/always", folder=self.folder)
        finding = json.loads(self.kept("fails_unexpectedly.always", "finding.json"))
        finding["variant"] = "if_told_to"
        with open(path, "w") as file:
            json.dump(finding, file)
        run = explore("fails_unexpectedly/always", folder=self.folder)
        self.assertEqual(run.returncode, USAGE)
        self.assertIn("another variant", run.stderr)

    def test_impossible_outputs_are_refused(self):
        for arguments in (["--junit", "same", "--sarif", "same"], ["--sarif", ""], ["--junit", ""], ["--findings", ""],
                          ["--", "golden/lost_update"]):
            run = explore("golden/lost_update", *arguments, folder=self.folder)
            self.assertEqual((run.returncode, run.stdout, len(run.stderr.splitlines())), (USAGE, "", 1), arguments)

    def test_outputs_that_cannot_be_written_are_refused_before_anything_is_explored(self):
        os.mkdir(os.path.join(self.folder, "folder"))
        for option in ("--junit", "--sarif"):
            for path in ("nowhere/report", "folder", "/proc/report"):
                started = time.monotonic()
                run = explore("counts_to_168_million", "--max-time", "30", option, path, folder=self.folder)
                self.assertEqual((run.returncode, run.stdout, len(run.stderr.splitlines())), (USAGE, "", 1), run.stderr)
                self.assertIn(path, run.stderr)
                self.assertLess(time.monotonic() - started, 20)
        run = explore("counts_to_168_million", "--max-time", "30", "--findings", "/proc/nowhere", folder=self.folder)
        self.assertEqual((run.returncode, run.stdout, len(run.stderr.splitlines())), (USAGE, "", 1), run.stderr)
        self.assertEqual(os.listdir(self.folder), ["folder"])

    def test_a_kept_schedule_that_is_none_is_passed_over(self):
        explore("fails_unexpectedly/always", folder=self.folder)
        finding = json.loads(self.kept("fails_unexpectedly.always", "finding.json"))
        for schedule in ("", "w1:", "nonsense", "w1:ffffffff:0n", "f1:zz", "w1:" + "9" * 5000):
            finding["findings"][0]["schedule"] = schedule
            with open(os.path.join(self.folder, "weft-findings", "fails_unexpectedly.always", "finding.json"), "w") as file:
                json.dump(finding, file)
            run = explore("fails_unexpectedly/always", "--json", folder=self.folder)
            result = json.loads(run.stdout)["results"][0]
            self.assertEqual((run.returncode, result["findings"][0]["from_before"]), (BUG, False), schedule)

    def test_what_is_kept_can_be_shown(self):
        explore("golden", "--keep", "all", folder=self.folder)
        folders = os.listdir(os.path.join(self.folder, "weft-findings"))
        self.assertGreater(len(folders), 15)
        for name in folders:
            shown = subprocess.run([PROGRAM, "show", os.path.join("weft-findings", name, "finding.json"), "--html", "page.html",
                                    "--perfetto", "perfetto.json", "--dot", "graph.dot"], cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(shown.returncode, 0, name + shown.stderr)
            with open(os.path.join(self.folder, "page.html")) as page:
                self.assertEqual(page.read(), self.kept(name, "trace.html"))

    def test_a_folder_that_cannot_be_written_gives_one_clear_line(self):
        with open(os.path.join(self.folder, "weft-findings"), "w"):
            pass
        run = explore("fails_unexpectedly/always", folder=self.folder)
        self.assertEqual(run.returncode, USAGE, run.stdout)
        self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)
        self.assertIn("weft-findings", run.stderr)

    def test_junit(self):
        report = os.path.join(self.folder, "junit.xml")
        explore("fails_unexpectedly", "golden/lost_update", "--junit", report, folder=self.folder)
        suites = xml.etree.ElementTree.parse(report).getroot()
        counts = {suite.get("name"): (suite.get("tests"), suite.get("failures")) for suite in suites}
        self.assertEqual(counts, {"fails_unexpectedly": ("2", "1"), "golden": ("1", "0")})
        failure = suites.find(".//testcase[@name='always']/failure")
        self.assertEqual(failure.get("type"), "bug")
        self.assertIn("nothing is lost, <i>ever</i>", failure.get("message"))
        self.assertIn("REPLAY weft replay", failure.text)

    def test_sarif(self):
        report = os.path.join(self.folder, "weft.sarif")
        explore("fails_unexpectedly/always", "golden/data_race", "--sarif", report, folder=self.folder)
        with open(report) as file:
            sarif = json.load(file)
        self.assertEqual(sarif["version"], "2.1.0")
        results = sarif["runs"][0]["results"]
        self.assertEqual({(r["ruleId"], r["level"]) for r in results}, {("invariant", "error"), ("data-race", "note")})
        rules = {rule["id"] for rule in sarif["runs"][0]["tool"]["driver"]["rules"]}
        self.assertEqual(rules, {"invariant", "data-race"})
        for result in results:
            self.assertTrue(result["message"]["text"])
            self.assertGreater(result["locations"][0]["physicalLocation"]["region"]["startLine"], 0)
            flows = result["codeFlows"][0]["threadFlows"]
            self.assertEqual(len({flow["id"] for flow in flows}), len(flows))
            orders = sorted(l["executionOrder"] for flow in flows for l in flow["locations"])
            self.assertEqual(orders, list(range(1, len(orders) + 1)))

    def test_an_interrupted_exploration_says_what_it_knows(self):
        for more in ([], ["--json"]):
            process = subprocess.Popen([PROGRAM, "explore", "counts_to_168_million", "fails_unexpectedly", *more], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True, cwd=self.folder)
            time.sleep(1.5)
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate(timeout=20)
            self.assertEqual(process.returncode, TRUNCATED, output + errors)
            if more:
                result = json.loads(output)["results"]
                self.assertEqual([(r["variant"], r["verdict"], r["reason"]) for r in result],
                                 [("increments", "truncated", "interrupted")])
                self.assertGreater(result[0]["executions"], 1000)
            else:
                self.assertIn("truncated: interrupted", output)
                self.assertRegex(output, r"executions in all \([\d.,]+ (million|billion) likely\)")
                self.assertIn("2 of 3 variants were not explored", output)

    def test_progress_is_redrawn_on_a_terminal(self):
        ours, theirs = pty.openpty()
        process = subprocess.Popen([PROGRAM, "explore", "counts_to_168_million", "--max-time", "2.5"], stdout=subprocess.PIPE, stderr=theirs,
                                   cwd=self.folder)
        process.communicate(timeout=20)
        os.close(theirs)
        drawn = b""
        try:
            while chunk := os.read(ours, 65536):
                drawn += chunk
        except OSError:
            pass  # how the end of a terminal shows
        os.close(ours)
        lines = [l for l in drawn.decode().split("\r\x1b[K") if l]
        self.assertGreater(len(lines), 3)
        for line in lines:
            self.assertRegex(line, r"^counts_to_168_million/increments: \d+ executions, \d+ per second, "
                                   r"(at least [\d.]+ % done, )?[\d.,]+( [mb]illion)? to [\d.,]+( [mb]illion)? executions in all "
                                   r"\([\d.,]+( [mb]illion)? likely\)$")
        counts = [int(line.split()[1]) for line in lines]
        self.assertEqual(counts, sorted(counts))
        self.assertTrue(drawn.endswith(b"\r\x1b[K"))

    def test_fast_explorations_say_nothing(self):
        self.assertEqual(explore("golden/lost_update", folder=self.folder).stderr, "")


if __name__ == "__main__":
    unittest.main()
