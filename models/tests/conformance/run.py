#!/usr/bin/env python3
"""Compares what real Node logs with what the same program logs on the models, over all executions.

  run.py --twin PROGRAM [NAME ...]            compare (all programs if none is named)
  run.py --measure RUNS [NAME ...]            only run Node, and show each log with its number of runs
  run.py --pairs --twin PROGRAM               each .mjs has a twin and each twin a .mjs
  run.py --pin --twin PROGRAM [NAME ...]      write what the models do into explored_logs.json

NAME.mjs is the program for Node; a comment "// Node before 22" in it says that newer versions behave otherwise, and then it is skipped there.
Its twin is what `PROGRAM logs NAME` explores: a JSON array of the different logs of all executions, each an array of lines; PROGRAM exits
non-zero if the exploration is no proof. If there is one log, three runs of Node must give it; if there are more, twenty runs of Node must
each give one of them. And the logs must be those of explored_logs.json, or one if the program is not there: Node shows too little to notice
that a model explores too much or too little. Only --pin writes that file: a difference is for a person to judge.

Exit code 0: no difference, 1: a difference, 77: cannot run here (the reason is printed), 2: wrong use.
"""
import argparse
import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
PINS = FOLDER / "explored_logs.json"
OLDEST_NODE = 18
RUNS_OF_ONE_LOG = 3
RUNS_OF_SEVERAL_LOGS = 20
SECONDS_OF_A_RUN = 60  # generous: a loaded machine is no difference
CANNOT_RUN = 77


class Difference(Exception):
    pass


def cannot_run(reason):
    print(f"SKIPPED: {reason}")
    sys.exit(CANNOT_RUN)


def find_node(given):
    for candidate in [given] if given else ["node", "nodejs"]:
        path = shutil.which(candidate)
        if path is None:
            continue
        if major_version(path) >= OLDEST_NODE:
            return path
        return cannot_run(f"{path} is Node {major_version(path)}; {OLDEST_NODE} or newer is needed")
    return cannot_run(f"there is no Node (version {OLDEST_NODE} or newer; Debian: apt-get install nodejs)")


def major_version(path):
    version = subprocess.run([path, "--version"], capture_output=True, text=True).stdout.strip()
    major = version.lstrip("v").split(".")[0]
    return int(major) if major.isdigit() else 0


def programs():
    return sorted(path.stem for path in FOLDER.glob("*.mjs") if path.stem != "world")


def too_new(node, name):
    """The first version that behaves otherwise than the models, if this one is not older; else None."""
    limit = re.search(r"^// Node before (\d+)", (FOLDER / f"{name}.mjs").read_text(), re.MULTILINE)
    return limit.group(1) if limit and major_version(node) >= int(limit.group(1)) else None


def log_of_node(node, name):
    """One run: its lines. A program that cannot run at all is a fault of the program, not a log."""
    run = subprocess.run([node, str(FOLDER / f"{name}.mjs")], capture_output=True, text=True, timeout=SECONDS_OF_A_RUN)
    if run.returncode != 0:
        raise Difference(f"{name}.mjs ends with exit code {run.returncode}:\n{run.stdout}{run.stderr}")
    return tuple(run.stdout.splitlines())


def logs_of_twin(twin, name):
    run = subprocess.run([twin, "logs", name], capture_output=True, text=True)
    if run.returncode != 0:
        raise Difference(f"the twin's exploration is no proof (exit code {run.returncode}):\n{run.stdout}{run.stderr}")
    logs = [tuple(log) for log in json.loads(run.stdout)]
    if not logs:
        raise Difference("the twin has no execution")
    return logs


def pins():
    return {name: {tuple(log) for log in logs} for name, logs in json.loads(PINS.read_text()).items()} if PINS.exists() else {}


def pin(twin, names):
    """Keeps the logs of programs with several; those of the others are kept as they are."""
    pinned = {name: logs for name, logs in pins().items() if name in programs()}
    for name in names:
        logs = set(logs_of_twin(twin, name))
        if pinned.get(name, set()) != logs and (name in pinned or len(logs) > 1):
            print(f"{name}: {len(pinned.get(name, [0]))} -> {len(logs)} logs")
        pinned.pop(name, None)
        if len(logs) > 1:
            pinned[name] = logs
    text = ',\n'.join(f'  {json.dumps(name)}: [\n' + ',\n'.join(f'    {json.dumps(log)}' for log in sorted(pinned[name])) + '\n  ]'
                      for name in sorted(pinned))
    PINS.write_text('{\n' + text + '\n}\n')


def check_pins(name, explored):
    pinned = pins().get(name)
    if pinned is None:
        if len(explored) != 1:
            logs = "\n  or\n".join(show(log) for log in explored)
            raise Difference(f"it is not in {PINS.name}, so it must have one log. The models give\n{logs}\n  (run.py --pin, if that is right)")
        return
    for what, logs in (("no longer explored", pinned - set(explored)), ("new", set(explored) - pinned)):
        if logs:
            raise Difference(f"{what}, as {PINS.name} has it:\n" + "\n  and\n".join(show(log) for log in sorted(logs))
                             + "\n  (run.py --pin, if that is right)")


def names_of_twins(twin):
    return subprocess.run([twin, "list"], capture_output=True, text=True, check=True).stdout.split()


def show(log):
    return "\n".join(f"    {line}" for line in log) if log else "    (no line)"


def compare(node, twin, name):
    """Returns a summary; raises Difference with both sides."""
    explored = logs_of_twin(twin, name)
    check_pins(name, explored)
    runs = RUNS_OF_ONE_LOG if len(explored) == 1 else RUNS_OF_SEVERAL_LOGS
    seen = set()
    for _ in range(runs):
        real = log_of_node(node, name)
        seen.add(real)
        if real not in explored:
            nearest = "\n  or\n".join(show(log) for log in explored[:10])
            more = f"\n  and {len(explored) - 10} more" if len(explored) > 10 else ""
            raise Difference(f"Node logs\n{show(real)}\n  which the models never do. They do\n{nearest}{more}")
    if len(explored) == 1:
        return f"one log, the same in {runs} runs"
    return f"{len(explored)} logs explored, {len(seen)} of them seen in {runs} runs"


def measure(node, names, runs):
    for name in names:
        counts = collections.Counter(log_of_node(node, name) for _ in range(runs))
        kind = "one log" if len(counts) == 1 else f"{len(counts)} logs"
        print(f"{name}: {kind}")
        for log, count in counts.most_common():
            print(f"  {count:3} x  {' | '.join(log)}")
        sys.stdout.flush()


def check_pairs(twin):
    real, modelled = set(programs()), set(names_of_twins(twin))
    for name in sorted(real - modelled):
        print(f"{name}.mjs has no twin")
    for name in sorted(set(pins()) - modelled):
        print(f"{PINS.name} has {name}, which is no twin")
    for name in sorted(modelled - real):
        print(f"the twin {name} has no .mjs")
    if real != modelled or set(pins()) - modelled:
        return 1
    print(f"{len(real)} pairs")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--twin", help="the program with the twins, weft_conformance")
    parser.add_argument("--node", help="the node to use instead of the one in PATH")
    parser.add_argument("--measure", type=int, metavar="RUNS")
    parser.add_argument("--pairs", action="store_true")
    parser.add_argument("--pin", action="store_true")
    arguments = parser.parse_args()
    if arguments.measure is None and arguments.twin is None:
        parser.error("--twin or --measure is needed")
    if arguments.pairs:
        return check_pairs(arguments.twin)
    names = arguments.names or programs()
    unknown = sorted(set(names) - set(programs()))
    if unknown:
        parser.error(f"there is no {unknown[0]}.mjs")
    if arguments.pin:
        pin(arguments.twin, names)
        return 0
    node = find_node(arguments.node)
    if arguments.measure is not None:
        measure(node, names, arguments.measure)
        return 0
    differences = 0
    compared = 0
    for name in names:
        first = too_new(node, name)
        if first:
            print(f"SKIPPED {name}: Node {first} and newer behave otherwise")
            continue
        compared += 1
        try:
            print(f"{name}: {compare(node, arguments.twin, name)}")
        except Difference as difference:
            differences += 1
            print(f"DIFFERENT {name}: {difference}")
        except subprocess.TimeoutExpired:
            differences += 1
            print(f"DIFFERENT {name}: Node did not end within {SECONDS_OF_A_RUN} s")
    if compared == 0:
        return CANNOT_RUN
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
