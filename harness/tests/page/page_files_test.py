#!/usr/bin/env python3
"""`weft show` from outside: the trace for Perfetto, the graph for Graphviz, and files that are no findings.
Usage: page_files_test.py WEFT [unittest arguments]"""
import copy
import json
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

import debian_python
import findings

debian_python.restart_with("jsonschema")
WEFT = os.path.abspath(sys.argv.pop(1))
USAGE, OUTPUT = 64, 74


def weft(*arguments, **options):
    return subprocess.run([WEFT, *arguments], capture_output=True, timeout=120, **options)


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def save(self, finding, name="finding.json"):
        with open(self.path(name), "w", encoding="utf-8") as file:
            json.dump(finding, file)
        return self.path(name)

    def show(self, finding, *arguments):
        ran = weft("show", self.save(finding), *arguments)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(ran.stderr, b"")
        return ran

    def inputs(self):
        for name in findings.SAMPLES:
            yield name, findings.sample(name)
        yield "markup", findings.markup_finding()
        yield "long", findings.long_finding(1000)


class Text(Case):
    def test_without_options_the_traces_are_printed(self):
        finding = findings.sample("lost_increment")
        printed = self.show(finding).stdout.decode()
        self.assertEqual(printed, "".join(one["trace"] + "\n" for one in finding["findings"]))

    def test_only_one_of_the_findings(self):
        finding = findings.sample("lost_increment")
        self.assertEqual(self.show(finding, "--finding", "2").stdout.decode(), finding["findings"][1]["trace"] + "\n")
        ran = weft("show", self.save(finding), "--finding", "3")
        self.assertEqual((ran.returncode, ran.stderr), (USAGE, b"weft: there is no finding 3: the number of findings is 2\n"))

    def test_what_is_printed_commands_no_terminal(self):
        finding = findings.sample("message_passing")
        finding["findings"][0]["trace"] = "a\x1b[2Jb\x07c\x9bd\x7fe\tf\n\u00e4\u00a0"
        self.assertEqual(self.show(finding).stdout.decode(), "a?[2Jb?c?d?e\tf\n\u00e4\u00a0\n")

    def test_text_is_shown_in_the_order_that_it_has(self):
        finding = findings.sample("message_passing")
        for character in "\u061c\u200e\u200f\u2028\u202a\u202e\u2066\u2069":
            finding["findings"][0]["trace"] = finding["findings"][0]["message"] = f"a{character}b\u2027\u202f\u2065\u206a"
            self.assertTrue(self.show(finding).stdout.decode().startswith("a?b\u2027\u202f\u2065\u206a\n"), repr(character))
            finding["findings"][0]["steps"][0]["text"] = f"a{character}b"
            for form in ("html", "dot"):
                self.show(finding, f"--{form}", self.path("file"))
                with open(self.path("file"), encoding="utf-8") as file:
                    content = file.read()
                self.assertIn("a?b", content, form)
                self.assertNotIn(character, content, form)

    def test_json_is_the_finding(self):
        finding = findings.sample("quota_across_await")
        self.assertEqual(json.loads(self.show(finding, "--json").stdout), finding)


class Html(Case):
    def test_the_data_is_the_finding(self):
        for name, finding in self.inputs():
            with self.subTest(name):
                self.show(finding, "--html", self.path("page.html"))
                with open(self.path("page.html"), encoding="utf-8", newline="") as file:
                    page = file.read()
                begin = '<script type="application/json" id="finding">'
                self.assertEqual(page.count(begin), 1)
                data = page.split(begin)[1].split("</script>")[0]
                self.assertEqual(json.loads(data), finding)
                self.assertNotRegex(data, "[<>&\u2028\u2029]")
                self.assertEqual(page.lower().count("<script"), 2)
                for address in ("http://", "https://", "//cdn", "@import", "url("):
                    self.assertNotIn(address, page.split(begin)[0] + page.split("</script>", 1)[1].replace("http://www.w3.org/2000/svg", ""))

    def test_without_scripts_there_is_the_text_trace(self):
        finding = findings.sample("message_passing")
        finding["findings"][0]["trace"] = "<b>&amp;</b> \"quoted\"\n  second line\n"
        self.show(finding, "--html", self.path("page.html"))
        with open(self.path("page.html"), encoding="utf-8") as file:
            plain = file.read().split("<noscript>")[1].split("</noscript>")[0]
        self.assertIn("<pre>&lt;b&gt;&amp;amp;&lt;/b&gt; &quot;quoted&quot;\n  second line\n</pre>", plain)


class Perfetto(Case):
    def trace(self, finding):
        self.show(finding, "--perfetto", self.path("trace.json"))
        with open(self.path("trace.json"), encoding="utf-8") as file:
            return json.load(file)

    def test_a_track_for_each_column_and_a_slice_for_each_row(self):
        for name, finding in self.inputs():
            with self.subTest(name):
                events = self.trace(finding)["traceEvents"]
                parts = finding["findings"] + ([finding["fixed"]] if "fixed" in finding else [])
                names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name" and e["ph"] == "M"}
                self.assertEqual(names, {(p, t): column["name"] for p, part in enumerate(parts, 1)
                                         for t, column in enumerate(part["columns"], 1)})
                slices = [e for e in events if e["ph"] == "X"]
                wanted = [(p, row["column"] + 1, i * 1000, ("!! " if row["kind"] == "failure" else "") + row["text"])
                          for p, part in enumerate(parts, 1) for i, row in enumerate(part["steps"])]
                self.assertEqual([(e["pid"], e["tid"], e["ts"], e["name"]) for e in slices], wanted)
                self.assertTrue(all(0 < e["dur"] < 1000 for e in slices), "slices of a track would overlap")

    def test_flows_go_forward_from_slice_to_slice(self):
        for name, finding in self.inputs():
            with self.subTest(name):
                events = self.trace(finding)["traceEvents"]
                slices = {(e["pid"], e["tid"], e["ts"] // 1000): e["args"].get("step", 0) for e in events if e["ph"] == "X"}
                begins = {e["id"]: e for e in events if e["ph"] == "s"}
                ends = {e["id"]: e for e in events if e["ph"] == "f"}
                self.assertEqual(len(begins) + len(ends), sum(e["ph"] in "sf" for e in events), "an id is used twice")
                self.assertEqual(begins.keys(), ends.keys())
                shown = set()
                for number, begin in begins.items():
                    end = ends[number]
                    self.assertLess(begin["ts"], end["ts"])
                    self.assertEqual((begin["pid"], begin["name"], begin["cat"]), (end["pid"], end["name"], end["cat"]))
                    ends_in = [slices[(e["pid"], e["tid"], e["ts"] // 1000)] for e in (begin, end)]
                    self.assertEqual(end["bp"], "e")
                    shown.add((begin["pid"], begin["name"], *ends_in))
                parts = finding["findings"] + ([finding["fixed"]] if "fixed" in finding else [])
                wanted = {(p, words, row[key], row["step"]) for p, part in enumerate(parts, 1) for row in part["steps"]
                          for key, words in (("reads_from", "reads from"), ("waited_for", "wake-up")) if row[key]}
                self.assertEqual(shown, wanted)

    def test_what_leads_back_in_time_is_no_flow(self):
        finding = findings.sample("message_passing")
        finding["findings"][0]["steps"][2]["reads_from"] = 6
        events = self.trace(finding)["traceEvents"]
        self.assertEqual([e["ts"] // 1000 for e in events if e["ph"] in "sf" and e["name"] == "reads from"], [3, 5])
        self.assertEqual([e["args"].get("reads_from") for e in events if e["ph"] == "X"][2], 6)

    def test_watched_numbers_are_counters(self):
        events = self.trace(findings.sample("quota_across_await"))["traceEvents"]
        counters = [(e["ts"] // 1000, e["name"], e["args"]["value"]) for e in events if e["ph"] == "C" and e["pid"] == 1]
        self.assertEqual(counters, [(0, "remaining", 1), (0, "admitted", 0), (11, "remaining", 0), (11, "admitted", 1), (14, "admitted", 2)])

    def test_other_values_are_none(self):
        finding = findings.sample("quota_across_await")
        values = ["inf", "nan", "true", "", "1x", "-2", "1.5"]
        finding["findings"][0]["steps"][0]["changes"] = [{"name": value, "value": value} for value in values]
        counters = [e for e in self.trace(finding)["traceEvents"] if e["ph"] == "C" and e["pid"] == 1 and e["ts"] == 0]
        self.assertEqual([(e["name"], e["args"]["value"]) for e in counters], [("-2", -2), ("1.5", 1.5)])


class Graphviz(Case):
    def dot(self, finding):
        self.show(finding, "--dot", self.path("graph.dot"))
        with open(self.path("graph.dot"), encoding="utf-8") as file:
            return file.read()

    @unittest.skipUnless(shutil.which("dot"), "there is no `dot'")
    def test_dot_draws_each_step_and_relation(self):
        for name, finding in self.inputs():
            if name == "long":
                finding = findings.long_finding(60)
            with self.subTest(name):
                self.dot(finding)
                drawn = subprocess.run(["dot", "-Tjson0", self.path("graph.dot")], capture_output=True, timeout=120)
                self.assertEqual((drawn.returncode, drawn.stderr), (0, b""))
                graph = json.loads(drawn.stdout)
                nodes = [item for item in graph["objects"] if not item["name"].startswith("cluster")]
                parts = finding["findings"] + ([finding["fixed"]] if "fixed" in finding else [])
                rows = [row for part in parts for row in part["steps"]]
                self.assertEqual(len(nodes), len(rows))
                count = {}
                chained = [edge[end] for edge in graph["edges"] if not edge.get("label") for end in ("tail", "head")]
                self.assertEqual(max(map(chained.count, chained)), 2, "program order is a chain")
                for edge in graph["edges"]:
                    words = edge.get("label") or "po"
                    count[words] = count.get(words, 0) + 1
                wanted = {"rf": sum(row["reads_from"] != 0 for row in rows), "co": sum(row["overwrites"] != 0 for row in rows),
                          "wakes": sum(row["waited_for"] != 0 for row in rows), "hb": sum(len(row["happens_after"]) for row in rows),
                          "po": sum(len(part["steps"]) - len({part["columns"][row["column"]]["thread"] for row in part["steps"]}) for part in parts)}
                self.assertEqual(count, {words: number for words, number in wanted.items() if number})

    @unittest.skipUnless(shutil.which("dot"), "there is no `dot'")
    def test_texts_are_drawn_as_they_are(self):
        finding = findings.sample("message_passing")
        texts = ['a "quoted" \\ text', "\\N \\G \\l", "&lt; & <b>", "ends with \\"]
        for row, text in zip(finding["findings"][0]["steps"], texts):
            row["text"] = text
        self.dot(finding)
        import xml.etree.ElementTree as tree
        svg = subprocess.run(["dot", "-Tsvg", self.path("graph.dot")], capture_output=True, timeout=120, check=True).stdout
        drawn = {element.text for element in tree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")}
        for number, text in enumerate(texts, 1):
            self.assertIn(f"#{number} {text}".replace(" ", "\u00a0"), {text.replace(" ", "\u00a0") for text in drawn})


class Refused(Case):
    """One clear line, exit code 64, and no file."""

    def refused(self, path, *expected):
        outputs = [self.path(name) for name in ("page.html", "trace.json", "graph.dot")]
        before = sorted(os.listdir(self.folder))
        ran = weft("show", path, "--html", outputs[0], "--perfetto", outputs[1], "--dot", outputs[2])
        error = ran.stderr.decode()
        self.assertEqual((ran.returncode, ran.stdout), (USAGE, b""), error)
        self.assertRegex(error, r"\Aweft: [^\n\x00-\x1f\x7f]{1,400}\n\Z")
        for text in expected:
            self.assertIn(text, error)
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def refused_bytes(self, content, *expected):
        with open(self.path("finding.json"), "wb") as file:
            file.write(content)
        self.refused(self.path("finding.json"), *expected)

    def test_what_cannot_be_read(self):
        self.refused(self.path("none.json"), "none.json", "No such file")
        self.refused(self.folder, "Is a directory")
        self.refused(self.path("a\nb\x1b[0m.json"), "No such file")
        if os.geteuid() != 0:
            with open(self.path("secret.json"), "w") as file:
                file.write("{}")
            os.chmod(self.path("secret.json"), 0)
            self.refused(self.path("secret.json"), "Permission denied")

    def test_what_is_no_json(self):
        for content in (b"", b"{", b"hello", b"\x00", b"\xff\xfe{}", b'{"a": "\xff"}', b'{"a": 1e999}', b'{"a": "\\ud800"}', b"{} {}", b"\x1b[2J", b'["\n"]'):
            with self.subTest(content):
                self.refused_bytes(content, "no JSON")

    def test_what_is_no_finding(self):
        for content in (b"null", b"[]", b"7", b'"weft finding"', b"{}"):
            with self.subTest(content):
                self.refused_bytes(content, "no finding")
        for key, values in (("format", ("weft", "", None, ["weft finding"], 1)), ("version", (0, 2, "1", 1.0, None, True, [1], -1, 2**64))):
            for value in values:
                with self.subTest(key=key, value=value):
                    self.refused(self.save(findings.sample("message_passing") | {key: value}), f"`{key}' is not")

    def test_what_would_take_all_time_or_memory(self):
        self.refused_bytes(b"[" * 1_000_000, "nested")
        self.refused_bytes(b'{"a":' * 100_000, "nested")
        self.refused_bytes(b"{" + b",".join(b'"%d":0' % i for i in range(500_000)) + b"}", "keys")
        with open(self.path("large.json"), "wb") as file:
            file.truncate(65 << 20)
        self.refused(self.path("large.json"), "larger")
        os.mkfifo(self.path("pipe"))
        for what in ("/dev/zero", self.path("pipe")):
            self.refused(what, "no regular file")

    def test_a_file_that_ends_early(self):
        whole = json.dumps(findings.sample("quota_across_await")).encode()
        for length in range(0, len(whole), 997):
            with self.subTest(length):
                self.refused_bytes(whole[:length], "no JSON")

    def paths(self, value, path=()):
        if isinstance(value, dict):
            for key, item in value.items():
                yield path + (key,)
                yield from self.paths(item, path + (key,))
        if isinstance(value, list) and value:  # an item of each is enough
            yield path + (0,)
            yield from self.paths(value[0], path + (0,))

    def changed(self, finding, path, change):
        finding = copy.deepcopy(finding)
        place = finding
        for key in path[:-1]:
            place = place[key]
        change(place, path[-1])
        return finding

    def test_each_field_that_is_missing(self):
        finding = findings.sample("lost_increment")
        finding["findings"][0]["steps"][0]["happens_after"] = [1]
        for path in self.paths(finding):
            if isinstance(path[-1], str) and path != ("fixed",):
                with self.subTest(path):
                    self.refused(self.save(self.changed(finding, path, lambda place, key: place.pop(key))), path[-1])

    def test_each_value_of_another_type(self):
        finding = findings.sample("lost_increment")
        finding["findings"][0]["steps"][0]["happens_after"] = [1]
        for path in self.paths(finding):
            for other in (None, {}, [], [[]], "x", -1, 1.5, True, 2**63, 2**64, [None], {"a": 1}):
                kept = {str: (str,), bool: (bool,), int: (), list: (list,) if other == [] else (), dict: ()}
                original = finding
                for key in path:
                    original = original[key]
                if isinstance(other, kept[type(original)]) and path[-1] not in ("format", "kind", "findings"):
                    continue
                if path[-1] == "kind" and len(path) == 3 and isinstance(other, str) or path[-1] == "columns" and other == []:
                    continue  # any text; no columns are refused below
                with self.subTest(path=path, other=other):
                    def change(place, key):
                        place[key] = other
                    self.refused(self.save(self.changed(finding, path, change)))

    def test_references_to_nothing(self):
        finding = findings.sample("lost_increment")
        row = ("findings", 1, "steps", 4)
        for path, value in ((row + ("column",), 3), (row + ("column",), 2**53), (row + ("reads_from",), 19), (row + ("overwritten_by",), 99),
                            (row + ("overwrites",), 2**32), (row + ("waited_for",), 2**53 - 1), (row + ("happens_after",), [1, 77]),
                            (row + ("step",), 4), (row + ("step",), 0), (("findings", 1, "places", 0, "step"), 50),
                            (("findings", 1, "columns"), []), (("findings",), []), (row + ("kind",), "x"), (("fixed", "steps", 8, "reads_from"), 10)):
            with self.subTest(path=path, value=value):
                def change(place, key):
                    place[key] = value
                self.refused(self.save(self.changed(finding, path, change)), path[-1] if path[-1] != 0 else path[-2])

    def test_the_line_says_where(self):
        finding = findings.sample("lost_increment")
        finding["findings"][1]["steps"][4]["column"] = 7
        self.refused(self.save(finding), "findings[1].steps[4].column is 7, but the number of columns is 3")
        del finding["findings"][0]["places"][1]["stack"]
        self.refused(self.save(finding), "findings[0].places[1].stack is missing")


class Outputs(Case):
    def test_what_is_there_is_replaced_in_whole(self):
        finding = self.save(findings.sample("message_passing"))
        os.mkdir(self.path("folder"))
        with open(self.path("folder/page.html"), "w") as file:
            file.write("old")
        os.symlink("folder/page.html", self.path("link.html"))
        self.assertEqual(weft("show", finding, "--html", self.path("link.html")).returncode, 0)
        self.assertTrue(os.path.islink(self.path("link.html")))
        self.assertGreater(os.path.getsize(self.path("folder/page.html")), 1000)
        self.assertEqual(os.listdir(self.path("folder")), ["page.html"])
        mask = os.umask(0)
        os.umask(mask)
        self.assertEqual(os.stat(self.path("folder/page.html")).st_mode & 0o777, 0o666 & ~mask)

    def test_a_place_where_nothing_can_be_written(self):
        finding = self.save(findings.sample("message_passing"))
        for path in (self.folder, self.path("none/page.html"), self.path("finding.json"), self.path("finding.json/page.html")):
            with self.subTest(path):
                ran = weft("show", finding, "--html", path)
                self.assertEqual(ran.returncode, USAGE)
                self.assertRegex(ran.stderr.decode(), r"\Aweft: [^\n]+\n\Z")
        with open(finding, encoding="utf-8") as file:
            self.assertEqual(json.load(file), findings.sample("message_passing"))
        ran = weft("show", finding, "--html", self.path("one"), "--dot", self.path("one"))
        self.assertEqual((ran.returncode, sorted(os.listdir(self.folder))), (USAGE, ["finding.json"]))

    def test_a_full_disk(self):
        finding = self.save(findings.sample("message_passing"))

        def small_files():
            import resource
            import signal
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        with open(self.path("page.html"), "w") as file:
            file.write("old")
        ran = weft("show", finding, "--html", self.path("page.html"), preexec_fn=small_files)
        self.assertEqual(ran.returncode, OUTPUT)
        self.assertRegex(ran.stderr.decode(), r"\Aweft: cannot write `[^\n]+/page.html': File too large\n\Z")
        self.assertEqual(sorted(os.listdir(self.folder)), ["finding.json", "page.html"])
        with open(self.path("page.html")) as file:
            self.assertEqual(file.read(), "old")

    def test_what_is_no_regular_file_stays_what_it_is(self):
        """A pipe stands for it: a fault here must not cost the machine its /dev/stdout."""
        finding = self.save(findings.sample("message_passing"))
        os.mkfifo(self.path("pipe"))
        reader = os.open(self.path("pipe"), os.O_RDONLY | os.O_NONBLOCK)
        try:
            ran = weft("show", finding, "--dot", self.path("pipe"))
            self.assertEqual((ran.returncode, ran.stderr), (0, b""))
            self.assertTrue(stat.S_ISFIFO(os.stat(self.path("pipe")).st_mode))
            self.assertTrue(os.read(reader, 1 << 16).startswith(b"digraph"))
        finally:
            os.close(reader)


class Schema(Case):
    def test_samples_have_the_fields_of_the_schema(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("there is no python3-jsonschema")
        with open(os.path.join(findings.DATA, "../../../report/finding.schema.json"), encoding="utf-8") as file:
            schema = json.load(file)
        for name, finding in self.inputs():
            with self.subTest(name):
                jsonschema.validate(finding, schema)


if __name__ == "__main__":
    unittest.main()
