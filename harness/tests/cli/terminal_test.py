"""What terminals get: colours, and lines as wide as they are. Pipes, files and JSON get neither.

  terminal_test.py WEFT
"""
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
import unittest

WEFT = sys.argv.pop(1)
BROKEN = "quota_across_await/check_then_await"
ESCAPE = "\033["


def environment(**variables):
    clean = {name: value for name, value in os.environ.items()
             if name not in ("NO_COLOR", "CLICOLOR_FORCE", "COLUMNS", "TERM")}
    return dict(clean, TERM="xterm", **variables) if "TERM" not in variables else dict(clean, **variables)


def in_pipe(*arguments, **variables):
    return subprocess.run([WEFT, *arguments], capture_output=True, text=True, timeout=120, env=environment(**variables)).stdout


def on_terminal(*arguments, columns=0, **variables):
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    process = subprocess.Popen([WEFT, *arguments], stdout=theirs, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                               env=environment(**variables))
    os.close(theirs)
    output = b""
    while True:
        try:
            block = os.read(ours, 1 << 16)
        except OSError:  # Linux says so when the other end is closed
            break
        if not block:
            break
        output += block
    os.close(ours)
    process.wait(timeout=120)
    return output.decode().replace("\r\n", "\n")


def plain(text):
    return re.sub(r"\033\[[0-9;]*m", "", text)


def without_times(text):
    return re.sub(r"\d+\.\d\d$", "TIME", text, flags=re.MULTILINE)


def explore(run, *arguments, **settings):
    return run("explore", "--keep", "none", BROKEN, *arguments, **settings)


def widest(text):
    """Of the lines of a report that may be broken: the command to replay may not."""
    report = text[text.index("BUG "):]
    return max(len(line) for line in report.split("\n") if not line.startswith("REPLAY"))


class Colours(unittest.TestCase):
    def test_a_terminal_gets_them(self):
        text = explore(on_terminal)
        self.assertIn(ESCAPE + "1;31mbug" + ESCAPE, text)
        self.assertIn(ESCAPE + "1;31mBUG" + ESCAPE, text)
        self.assertRegex(text, r"\033\[1;31m!! invariant[^\n]*\033\[0m\n")
        self.assertIn(ESCAPE + "1mREPLAY" + ESCAPE, text)

    def test_without_them_it_is_the_same_text(self):
        coloured = explore(on_terminal, columns=100)
        self.assertEqual(without_times(plain(coloured)), without_times(explore(in_pipe)))

    def test_a_proof_is_green_and_what_is_unexpected_is_red(self):
        self.assertIn(ESCAPE + "32mproved" + ESCAPE, on_terminal("explore", "--keep", "none", "lost_increment/atomic"))
        self.assertIn(ESCAPE + "1;31mNO", on_terminal("explore", "--keep", "none", "--max-executions", "1", "--quiet",
                                                      "lost_increment/atomic"))

    def test_replays_have_them_too(self):
        schedule = json.loads(explore(in_pipe, "--json"))["results"][0]["findings"][0]["schedule"]
        self.assertIn(ESCAPE + "1;31mBUG", on_terminal("replay", BROKEN, schedule))
        self.assertNotIn(ESCAPE, in_pipe("replay", BROKEN, schedule))

    def test_nobody_else_gets_them(self):
        self.assertNotIn(ESCAPE, explore(in_pipe))
        self.assertNotIn(ESCAPE, explore(on_terminal, NO_COLOR="1"))
        self.assertNotIn(ESCAPE, explore(on_terminal, NO_COLOR="1", CLICOLOR_FORCE="1"))
        self.assertNotIn(ESCAPE, explore(on_terminal, TERM="dumb"))
        self.assertNotIn(ESCAPE, explore(on_terminal, "--json"))
        self.assertNotIn(ESCAPE, explore(in_pipe, "--json", CLICOLOR_FORCE="1"))

    def test_an_empty_no_color_says_nothing(self):
        self.assertIn(ESCAPE, explore(on_terminal, NO_COLOR=""))

    def test_they_can_be_asked_for(self):
        self.assertIn(ESCAPE, explore(in_pipe, CLICOLOR_FORCE="1"))
        self.assertNotIn(ESCAPE, explore(in_pipe, CLICOLOR_FORCE="0"))

    def test_files_never_have_them(self):
        with tempfile.TemporaryDirectory() as folder:
            on_terminal("explore", "--keep", "all", "--findings", folder, "--junit", f"{folder}/junit.xml", "--sarif",
                        f"{folder}/sarif.json", BROKEN, CLICOLOR_FORCE="1")
            files = [os.path.join(where, name) for where, _, names in os.walk(folder) for name in names]
            self.assertGreaterEqual(len(files), 6, files)
            for file in files:
                with open(file, errors="replace") as opened:
                    self.assertNotIn(ESCAPE, opened.read(), file)


class Width(unittest.TestCase):
    def test_of_a_pipe_is_100(self):
        self.assertLessEqual(widest(explore(in_pipe)), 100)
        self.assertGreater(widest(explore(in_pipe)), 90)

    def test_is_that_of_the_terminal(self):
        self.assertLessEqual(widest(plain(explore(on_terminal, columns=80))), 80)
        self.assertGreater(widest(plain(explore(on_terminal, columns=160))), 100)

    def test_is_what_COLUMNS_says(self):
        for run in (in_pipe, on_terminal):
            text = plain(explore(run, COLUMNS="60"))
            self.assertLessEqual(widest(text), 60, text)
            self.assertIn("!! invariant", text)
        self.assertLessEqual(widest(plain(explore(on_terminal, columns=160, COLUMNS="70"))), 70)

    def test_of_all_scenarios_is_100_at_most(self):
        text = in_pipe("explore", "--keep", "none")
        self.assertLessEqual(widest(text), 100)

    def test_is_not_led_astray(self):
        usual = without_times(explore(in_pipe))
        for columns in ("0", "-1", "", "wide", "80x", " 80", "1e9"):
            self.assertEqual(without_times(explore(in_pipe, COLUMNS=columns)), usual, columns)
        huge = without_times(explore(in_pipe, COLUMNS="99999999999999999999999999"))
        self.assertEqual(without_times(explore(in_pipe, COLUMNS="100000")), huge)
        self.assertLessEqual(widest(huge), 240)
        self.assertEqual(without_times(explore(in_pipe, COLUMNS="1")), without_times(explore(in_pipe, COLUMNS="60")))

    def test_does_not_change_json(self):
        narrow = json.loads(explore(in_pipe, "--json", COLUMNS="60"))
        usual = json.loads(explore(in_pipe, "--json"))
        self.assertEqual(narrow["results"][0]["findings"], usual["results"][0]["findings"])


if __name__ == "__main__":
    unittest.main()
