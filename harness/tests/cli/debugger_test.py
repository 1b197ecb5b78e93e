#!/usr/bin/env python3
"""`weft replay --break-at` under a real debugger: gdb stops in the scenario, before the step that was asked for.
Usage: debugger_test.py PROGRAM [unittest arguments]. Without gdb, or where it cannot trace, it ends with 77 (skipped)."""
import os
import re
import shlex
import shutil
import subprocess
import sys
import unittest

WEFT = os.path.abspath(sys.argv.pop(1))
USAGE, SKIPPED = 64, 77


def weft(*arguments):
    return subprocess.run([WEFT, *arguments], capture_output=True, text=True, timeout=100)


def token_of(variant, kind):
    """A schedule, and the trace that exploring prints for it."""
    for finding in weft("explore", variant, "--keep", "none").stdout.split("\nBUG ")[1:]:
        if f"({kind})" in " ".join(finding.split("\nMIN ", 1)[0].split()):  # the first line is wrapped
            return shlex.split(re.search(r"^REPLAY (.*)$", finding, re.MULTILINE).group(1))[-1]
    raise AssertionError(f"{variant} has no {kind}")


def gdb(line, *commands):
    """Runs a line that `weft replay` has printed, in batch mode, and then these commands."""
    words = shlex.split(line)
    at = words.index("--args")
    more = [word for command in commands for word in ("-ex", command)]
    run = subprocess.run(["gdb", "-batch", "-nx", *words[1:at], *more, *words[at:]], capture_output=True, text=True,
                         timeout=200, stdin=subprocess.DEVNULL)
    return run.stdout + run.stderr


def debugger_line(variant, token, step="last"):
    line = re.search(r"^DEBUG  (.*)$", weft("replay", variant, token).stdout, re.MULTILINE).group(1)
    return line if step == "last" else line.removesuffix("last") + str(step)


class Debugger(unittest.TestCase):
    def test_it_stops_before_the_last_step_in_the_line_of_the_scenario(self):
        token = token_of("golden/lost_update", "invariant")
        trace = weft("replay", "golden/lost_update", token).stdout
        number, line = re.findall(r"^ *(\d+) .* :(\d+)$", trace, re.MULTILINE)[-1]
        text = gdb(debugger_line("golden/lost_update", token), "backtrace", "continue")
        self.assertIn("SIGTRAP", text)
        self.assertRegex(text, rf"weft: stops before step {number} of .*\(cases\.cpp:{line}\)")
        self.assertRegex(text, rf"#\d+ .*lost_update.* at .*cases\.cpp:{line}\n")  # in the backtrace
        self.assertRegex(text, rf"(?m)^{line}\t")                                      # the source line itself
        self.assertIn("BUG ", text)  # it went on, and told the rest
        self.assertIn("exited normally", text)

    def test_each_step_of_a_trace_can_be_stopped_at(self):
        token = token_of("golden/lost_update", "invariant")
        trace = weft("replay", "golden/lost_update", token).stdout
        rows = re.findall(r"^ *(\d+) .* :(\d+)$", trace, re.MULTILINE)
        self.assertGreater(len(rows), 6)
        note = re.search(r"^ *(\d+) +computes \+ 1", trace, re.MULTILINE).group(1)
        for number, line in rows[1::4] + [row for row in rows if row[0] == note]:
            text = gdb(debugger_line("golden/lost_update", token, number))
            self.assertRegex(text, rf"(?m)^{line}\t", f"step {number}\n{trace}{text}")

    def test_it_stops_before_the_step_is_done(self):
        token = token_of("golden/lost_update", "invariant")
        trace = weft("replay", "golden/lost_update", token).stdout
        stores = re.findall(r"^ *(\d+) .*store \w+ = 8\b", trace, re.MULTILINE)
        self.assertEqual(len(stores), 2)
        seen = []
        for number in stores:
            text = gdb(debugger_line("golden/lost_update", token, number), "print counter")
            seen.append(re.search(r"^\$1 = .*?(?:_M_i = |= \{ )(\d+)", text, re.MULTILINE).group(1))
        self.assertEqual(seen, ["7", "8"])

    def test_a_plain_access_that_races_is_a_step_too(self):
        token = token_of("golden/data_race", "data race")
        trace = weft("replay", "golden/data_race", token).stdout
        accesses = re.findall(r"^ *(\d+) .*!! (?:write|read) .* :(\d+)$", trace, re.MULTILINE)
        self.assertEqual(len(accesses), 1)
        for number, line in accesses:
            text = gdb(debugger_line("golden/data_race", token, number))
            self.assertRegex(text, rf"(?m)^{line}\t", f"step {number}\n{trace}{text}")

    def test_without_a_debugger_it_says_what_to_do(self):
        token = token_of("golden/lost_update", "invariant")
        run = weft("replay", "golden/lost_update", token, "--break-at", "last")
        self.assertEqual(run.returncode, USAGE)
        self.assertEqual(run.stdout, "")
        self.assertIn("stops for a debugger, and this process has none", run.stderr)
        self.assertIn("exited normally", gdb(run.stderr.split("\n")[1].strip(), "continue"))

    def test_a_step_that_is_not_there_gets_one_line(self):
        token = token_of("golden/lost_update", "invariant")
        text = gdb(debugger_line("golden/lost_update", token, 1000))
        self.assertIn("weft: the execution has no step 1000", text)
        for step in ("0", "-1", "first", "1x", ""):
            run = weft("replay", "golden/lost_update", token, f"--break-at={step}")
            self.assertEqual(run.returncode, USAGE, step)


def can_trace():
    if shutil.which("gdb") is None:
        print("skipped: there is no gdb (Debian: gdb)")
        return False
    run = subprocess.run(["gdb", "-batch", "-nx", "-ex", "run", "--args", "/bin/true"], capture_output=True, text=True,
                         timeout=100, stdin=subprocess.DEVNULL)
    if "exited normally" not in run.stdout:
        print("skipped: gdb cannot run programs here:", run.stderr.strip().split("\n")[-1])
        return False
    return True


if not can_trace():
    sys.exit(SKIPPED)
unittest.main()
