"""Findings that the tests of `weft show` put to it: the samples in data/, a long one, and one whose texts are markup."""
import copy
import json
import os
import random
import re

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
SAMPLES = sorted(name[: -len(".json")] for name in os.listdir(DATA) if name.endswith(".json"))


def sample(name):
    with open(os.path.join(DATA, name + ".json"), encoding="utf-8") as file:
        return json.load(file)


def step(number, column, text, **fields):
    row = {
        "step": number, "kind": "operation", "column": column, "thread": "", "text": text, "place": "ring.hpp:7",
        "file": "include/ring.hpp", "line": 7, "source": "slots[tail & mask] = value;", "changes": [], "object": "",
        "reads": False, "writes": False, "reads_from": 0, "overwritten_by": 0, "overwrites": 0, "happens_after": [],
        "waited_for": 0, "marked": False, "switched": "",
    }
    row.update(fields)
    return row


def long_finding(count):
    """`count` steps of six threads on four objects, and the failure."""
    chance = random.Random(1)
    names = ["main", "producer 1", "producer 2", "consumer 1", "consumer 2", "logger"]
    last = {}
    rows = []
    column = 0
    for number in range(1, count + 1):
        switched = ""
        if chance.random() < 0.3:
            after = chance.randrange(len(names))
            if after != column:
                switched = chance.choice(["preempted", "blocked on m, which producer 1 holds", "ended", ""])
            column = after
        where = chance.choice(["head", "tail", "slots[3]", "count"])
        if chance.random() < 0.4:
            rows.append(step(number, column, f"store {where} = {number} (release)", object=where, writes=True,
                             overwrites=last.get(where, 0), switched=switched,
                             changes=[{"name": where, "value": str(number)}] if where == "count" else []))
            last[where] = number
        else:
            rows.append(step(number, column, f"load {where} -> {last.get(where, 0)} (acquire)", object=where,
                             reads=True, reads_from=last.get(where, 0), switched=switched,
                             happens_after=[last[where]] if where in last else []))
    rows[-3]["marked"] = True
    rows.append(step(0, column, "invariant", kind="failure", marked=True))
    finding = copy.deepcopy(sample("message_passing"))
    finding["findings"][0].update(
        columns=[{"name": name, "thread": i, "task": False} for i, name in enumerate(names)], steps=rows, places=[],
        switches=sum(a["column"] != b["column"] for a, b in zip(rows, rows[1:])))
    return finding


MARKUP = ['<script>window.broken = 1</script>', '</script><script>window.broken = 2</script>', '<!--<script>',
          '"><img src=x onerror="window.broken = 3">', "' onmouseover='window.broken = 4", "&amp; &lt;b&gt; &", "]]>",
          "a\u2028b\u2029c", "\u0001\u0007\u001b[31mred", "\\", "\\\"", "${window.broken = 5}", "</pre></noscript><b>", "@DATA@ @SCRIPT@",
          "\U0001f9e8 \u6f22\u5b57", "%s{}%n", "left\u202ethgir"]


def shown(text):
    """The text as a page shows it."""
    return re.sub("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]", "?", text)


def with_texts(value, texts, keep=("kind", "format")):
    """The same finding with every text replaced by one that means something to HTML, JavaScript, JSON or a terminal."""
    if isinstance(value, dict):
        return {key: item if key in keep else with_texts(item, texts, keep) for key, item in value.items()}
    if isinstance(value, list):
        return [with_texts(item, texts, keep) for item in value]
    return next(texts) if isinstance(value, str) else value


def markup_finding():
    def texts():
        while True:
            yield from MARKUP
    finding = with_texts(sample("lost_increment"), texts())
    for one in finding["findings"]:
        one["trace"] = "\n".join(MARKUP)
        one["kind"] = "</title></style></script><script>window.broken = 6</script>"
    return finding
