#!/usr/bin/env python3
"""Explorations in parts: --shard, --jobs, weft merge. Usage: shards_test.py PROGRAM [unittest arguments]

PROGRAM is a `weft` with the scenarios of shard_scenarios.cpp.
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))
TRUNCATED, USAGE = 5, 64
SHARDS = 3
COUNTS = ("verdict", "executions", "blocked", "deadlocks", "duplicates", "as_expected")


def weft(*arguments, **environment):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120, env=dict(os.environ, **environment))


def results(run):
    return {r["variant"]: r for r in json.loads(run.stdout)["results"]}


class Shards(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.whole = weft("explore", "divided", "--json", "--keep", "none", "--keep-going", "--count-duplicates")
        cls.parts = [weft("explore", "divided", "--json", "--keep", "none", "--keep-going", "--count-duplicates", "--shard", f"{i}/{SHARDS}")
                     for i in range(1, SHARDS + 1)]
        cls.files = [cls.write(f"{i}.json", part.stdout) for i, part in enumerate(cls.parts)]

    @classmethod
    def write(cls, name, text):
        path = os.path.join(cls.temporary.name, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def refused(self, run, *texts):
        self.assertEqual(run.returncode, USAGE, run.stdout + run.stderr)
        self.assertEqual(len(run.stderr.splitlines()), 1, run.stderr)
        for text in texts:
            self.assertIn(text, run.stderr)

    def test_the_parts_are_the_whole(self):
        whole = results(self.whole)
        self.assertEqual({name: r["verdict"] for name, r in whole.items()},
                         {"one_order": "bug", "race_and_spin": "bug", "count": "proved", "spin": "proved"})
        merged = weft("merge", "--json", *self.files)
        self.assertEqual(merged.returncode, 0, merged.stdout + merged.stderr)
        for name, result in results(merged).items():
            for key in COUNTS:
                self.assertEqual(result[key], whole[name][key], f"{name} {key}")
            self.assertEqual({(f["kind"], f["message"]) for f in result["findings"]},
                             {(f["kind"], f["message"]) for f in whole[name]["findings"]}, name)

    def test_every_part_has_its_share(self):
        for part in self.parts:
            self.assertEqual(part.returncode, 0, part.stdout + part.stderr)
        for name, result in results(self.whole).items():
            shares = [results(part)[name]["executions"] for part in self.parts]
            self.assertTrue(all(0 < share < result["executions"] for share in shares), f"{name}: {shares}")

    def test_merge_prints_a_table_and_traces(self):
        merged = weft("merge", *reversed(self.files))
        self.assertEqual(merged.returncode, 0, merged.stderr)
        whole = results(self.whole)
        self.assertIn(f"divided/count         proved     yes       {whole['count']['executions']:>10}", merged.stdout)
        self.assertIn("REPLAY ", merged.stdout)
        self.assertNotIn("REPLAY ", weft("merge", "--quiet", *self.files).stdout)

    def test_test_runners_can_divide(self):
        status = os.path.join(self.temporary.name, "status")
        run = weft("explore", "divided/count", "--json", GTEST_TOTAL_SHARDS=str(SHARDS), GTEST_SHARD_INDEX="1", GTEST_SHARD_STATUS_FILE=status)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(results(run)["count"]["part"]["shard"], 2)
        self.assertEqual(results(run)["count"]["executions"], results(self.parts[1])["count"]["executions"])
        self.assertTrue(os.path.exists(status))
        text = weft("explore", "divided/count", "--shard", "2/3").stdout
        self.assertIn("shard 2 of 3", text)
        self.assertIn("bounded", text)

    def test_processes_share_the_work(self):
        whole = results(self.whole)
        run = weft("explore", "divided", "--json", "--keep", "none", "--keep-going", "--count-duplicates", "--jobs", "3")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        for name, result in results(run).items():
            for key in COUNTS:
                self.assertEqual(result[key], whole[name][key], f"{name} {key}")
            for finding in result["findings"]:
                self.assertTrue(finding["steps"], name)
                replay = weft("replay", f"divided/{name}", finding["schedule"], "--json")
                self.assertEqual(replay.returncode, 0, replay.stdout + replay.stderr)
                self.assertIn((finding["kind"], finding["message"]), [(f["kind"], f["message"]) for f in json.loads(replay.stdout)["findings"]])
        first = weft("explore", "divided/one_order", "--json", "--keep", "none", "--jobs", "2")
        self.assertEqual(first.returncode, 0, first.stdout + first.stderr)

    def test_tokens_that_have_learned_of_strange_memory_do_no_harm(self):
        token = next(f["schedule"] for f in results(self.whole)["race_and_spin"]["findings"] if ":p" in f["schedule"])
        schedule = token.rsplit(":", 1)[0]
        for learned in ("p0.4", "p0.4.6c.1a86f", "pffffef54.4.6c.1a86f", "p@63.fffffffff.4", "p@0.0.4294967295", "s0", "sffffffffffff", "m1"):
            run = weft("replay", "divided/race_and_spin", f"{schedule}:{learned}")
            self.assertIn(run.returncode, (0, 1, 65), f"{learned}: {run.stdout}{run.stderr}")

    def test_processes_end_together(self):
        ask_all = lambda process: os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        for ask in (lambda process: process.send_signal(signal.SIGTERM), ask_all):
            process = subprocess.Popen([PROGRAM, "explore", "counts_to_168_million", "--json", "--jobs", "2"], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True, start_new_session=True)
            time.sleep(2)
            children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True).stdout.split()
            self.assertEqual(len(children), 2)
            ask(process)
            output, errors = process.communicate(timeout=30)
            self.assertEqual(process.returncode, TRUNCATED, output + errors)
            result = json.loads(output)["results"][0]
            self.assertEqual(result["verdict"], "truncated")
            self.assertGreater(result["executions"], 1000)
            self.assertLess(result["total"]["low"], 168_168_000)
            self.assertGreater(result["total"]["high"], 168_168_000)
            self.assertFalse(any(os.path.exists(f"/proc/{child}") for child in children))

    def test_what_is_no_whole_is_refused(self):
        self.refused(weft("merge", *self.files[:2]), "divided/one_order: shard 3 of 3 is missing")
        self.refused(weft("merge", *self.files, self.files[0]), "shard 1 of 3 is there twice")
        self.refused(weft("merge", self.write("whole.json", self.whole.stdout)), "is of a whole exploration")
        self.refused(weft("merge", "nowhere.json"), "cannot read `nowhere.json'")
        for text in ("", "[]", "{}", '{"results": 3}', '{"results": [{}]}', '{"results": []}', self.parts[0].stdout[:500]):
            self.refused(weft("merge", self.write("bad.json", text)))
        strange = json.loads(self.parts[0].stdout)
        strange["results"][0]["variant"] = "none"
        self.refused(weft("merge", self.write("strange.json", json.dumps(strange))), "none")
        strange["results"][0]["verdict"] = "great"
        self.refused(weft("merge", self.write("strange.json", json.dumps(strange))), "`great' is no verdict")

    def test_parts_that_nobody_has_made_are_refused(self):
        def changed(change, variant="count"):
            part = json.loads(self.parts[0].stdout)
            part["results"] = [r for r in part["results"] if r["variant"] == variant]
            change(part["results"][0])
            return weft("merge", self.write("changed.json", json.dumps(part)), *self.files[1:])

        bug = [r for r in json.loads(self.parts[0].stdout)["results"] if r["variant"] == "race_and_spin"][0]["findings"]
        for key, values in (("executions", (-5, 1.5, 2**64, 1e308, True, None, "9")), ("blocked", (-1,)), ("seconds", (-1, 1e308, "1")),
                            ("verdict", ("proved", "sampled", "vacuous", "bug", 3)), ("findings", (bug, None, {})),
                            ("variant", ("*", "count*", "c?unt", "", "x\ny")), ("scenario", ("*", "div?ded", 3)), ("model", ("arm", None))):
            for value in values:
                self.refused(changed(lambda r: r.__setitem__(key, value)))
        for key, values in (("shard", (0, -1, True, 1.5, 4, 2**32 + 1)), ("shards", (0, 10_001, 2**32 + 3)), ("conditions", (None, {}, [{}])),
                            ("is_concurrent", (1, None)), ("learned", (3, "$(rm -rf x)", "a\x1b[31m\nb"))):
            for value in values:
                self.refused(changed(lambda r: r["part"].__setitem__(key, value)))
        self.assertEqual(weft("merge", *self.files).returncode, 0)

    def test_a_process_that_dies_ends_the_others(self):
        process = subprocess.Popen([PROGRAM, "explore", "counts_to_168_million", "--jobs", "2"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        time.sleep(1)
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True).stdout.split()
        os.kill(int(children[0]), signal.SIGKILL)
        output, errors = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 7, output + errors)
        self.assertIn("its process ended with signal 9", output)

    def test_parts_that_know_different_things_are_refused_and_can_be_repeated(self):
        changed = json.loads(self.parts[2].stdout)
        for result in changed["results"]:
            if result["variant"] == "spin":
                learned = result["part"]["learned"]
                self.assertTrue(learned)
                result["part"]["learned"] = ""
        self.refused(weft("merge", *self.files[:2], self.write("changed.json", json.dumps(changed))), "divided/spin",
                     f"explore all of them again, with --learned {learned}")
        again = [weft("explore", "divided/spin", "--json", "--shard", f"{i}/{SHARDS}", "--learned", learned).stdout for i in range(1, SHARDS + 1)]
        merged = weft("merge", "--json", *[self.write(f"again{i}.json", text) for i, text in enumerate(again)])
        result, whole = results(merged)["spin"], results(self.whole)["spin"]
        self.assertEqual((result["verdict"], result["executions"], result["blocked"]), ("proved", whole["executions"], whole["blocked"]))
        old = [json.loads(part.stdout) for part in self.parts[:2]]
        for part in old:
            part["results"] = [r for r in part["results"] if r["variant"] == "spin"]
        self.refused(weft("merge", *[self.write(f"old{i}.json", json.dumps(part)) for i, part in enumerate(old)],
                          os.path.join(self.temporary.name, "again2.json")), "in different orders")

    def test_impossible_parts_are_refused(self):
        for text in ("0/3", "4/3", "1", "/", "1/", "/2", "1/0", "-1/2", "1/2/3", "a/b", "1/99999999999"):
            self.refused(weft("explore", "divided/count", "--shard", text), f"--shard {text}")
        self.refused(weft("explore", "divided/count", "--shard", "1/2", "--jobs", "2"), "use one of them")
        self.refused(weft("explore", "divided/count", "--jobs", "0"), "--jobs")
        for learned in ("x!", "p0.4.6c.1a86f", "pffffef54.4.6c.1a86f", "p@0.ffffffffff.4", "p@64.0.4", "p@0.0.4294967295", "sffffffffffff"):
            run = weft("explore", "divided/count", "--shard", "1/2", "--json", "--learned", learned)
            self.refused(run, "learned")
        self.refused(weft("explore", "divided/count", "--learned", "s12"), "it goes with --shard")
        self.refused(weft("explore", "divided/count", GTEST_TOTAL_SHARDS="2"), "GTEST_SHARD_INDEX")
        self.refused(weft("explore", "divided/count", GTEST_TOTAL_SHARDS="2", GTEST_SHARD_INDEX="2"), "GTEST_SHARD_INDEX")


if __name__ == "__main__":
    unittest.main()
