"""Removes lines from the fixes of scenarios (fix_mutants.py), and looks whether their variants still end as they should.

All removals of a scenario are compiled at once, each behind a condition (conditions.py), and linked into a program `weft` of their
own in BUILD_FOLDER/mutations: one compilation for each scenario, not for each line. With none in force, the variants must end as expected.
"""
import fcntl
import os
import re
import subprocess
import tempfile
from pathlib import Path

from conditions import NONE, VARIABLE, is_in_force, source_with_conditions
from fix_mutants import FIXES, Kept, Removal
from known import Known
from not_checked import NotChecked

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SCENARIOS = ROOT / 'scenarios'
EXPLORE_SECONDS = 60
AS_EXPECTED, INTERNAL, MISUSED = 0, 7, 64  # exit codes of `weft explore`; from MISUSED on it says that nothing was explored


def name_of(fix, removal):
    return f'fix.{fix.scenario}.{fix.variants[0]}.{removal.name}'


def removals():
    """(fix, beginning of the function or None, removal)"""
    for fix in FIXES:
        for function, entries in fix.functions.items():
            yield from ((fix, function, e) for e in entries if isinstance(e, Removal))
        yield from ((fix, None, line) for line in fix.lines)


def source_of(fix):
    return ROOT / (fix.file or f'scenarios/{fix.scenario}.cpp')


def extent(text, function):
    """Where the function begins and ends."""
    if text.count(function) != 1:
        raise NotChecked(f'`{function}` begins {text.count(function)} functions: adapt fix_mutants.py')
    begin = text.index(function)
    at, depth = text.index('{', begin), 0
    while True:
        depth += {'{': 1, '}': -1}.get(text[at], 0)
        at += 1
        if depth == 0:
            return begin, at


def place_of(text, function, piece):
    begin, end = extent(text, function) if function else (0, len(text))
    found = text.count(piece, begin, end)
    if found != 1:
        raise NotChecked(f'`{piece}` occurs {found} times in `{function or "the file"}`: adapt fix_mutants.py')
    return text.index(piece, begin, end)


# --- is every line of every fix dealt with? ---

def lines_that_count(text, begin, end):
    """Where the statements of a function begin that stand on lines of their own."""
    at, first, continues = begin, True, False
    for line in text[begin:end].splitlines(keepends=True):
        code = line.split('//')[0].strip()
        is_signature = first and end - begin > len(line)
        if code.strip('{}();, ') and not continues and not is_signature:
            yield at, at + len(line)
        if code:
            continues = code[-1] not in ';{})'
            first = False
        at += len(line)


def lines_left_out():
    """Lines of fixes that are neither removed nor kept for a reason, and fixed variants without a fix."""
    problems = []
    for fix in FIXES:
        text = source_of(fix).read_text()
        for function, entries in fix.functions.items():
            begin, end = extent(text, function)
            places = [place_of(text, function, e.text) for e in entries]
            problems += [f'{source_of(fix).name}: {text[first:last].strip()}' for first, last in lines_that_count(text, begin, end)
                         if not any(first <= place < last for place in places)]
    for source in sorted(SCENARIOS.glob('*.cpp')):
        fixed = re.findall(r'\.fixed\(\s*"(\w+)"', source.read_text())
        known = {v for fix in FIXES if fix.scenario == source.stem for v in fix.variants}
        problems += [f'{source.name}: nothing is removed from {v}' for v in fixed if v not in known]
        problems += [f'{source.name} has no fixed variant {v}' for v in known if v not in fixed]
    names = [name_of(fix, removal) for fix, _, removal in removals()]
    problems += [f'two removals are called {name}' for name in sorted(set(names)) if names.count(name) > 1]
    return problems


def check_lines(_build, _link):
    problems = lines_left_out()
    if problems:
        raise NotChecked('not in fix_mutants.py:\n  ' + '\n  '.join(problems))
    return 'every line of every fix'


# --- are the removals noticed? ---

def numbers_of(scenario):
    """The removals of a scenario by name."""
    names = [name_of(fix, removal) for fix, _, removal in removals() if fix.scenario == scenario]
    return {name: i + 1 for i, name in enumerate(names)}


def mutated_texts(scenario):
    """The files of the scenario with all their removals."""
    return {source: mutated_text(scenario, source) for source in {source_of(fix) for fix in FIXES if fix.scenario == scenario}}


def mutated_text(scenario, source):
    text = source.read_text()
    numbers = numbers_of(scenario)
    edits = []
    for fix, function, removal in removals():
        if fix.scenario != scenario or source_of(fix) != source:
            continue
        number = numbers[name_of(fix, removal)]
        place = place_of(text, function, removal.text)
        condition = is_in_force(number)
        if removal.by:
            edits.append((place, place + len(removal.text), removal.by.replace('REMOVED', condition)))
        else:
            edits.append((place, place, f'if (!{condition}) '))
    edits.sort()
    for (_, end, _), (begin, _, _) in zip(edits, edits[1:]):
        if begin < end:
            raise NotChecked(f'two removals replace the same text: {text[begin:end]}')
    for begin, end, new in reversed(edits):
        text = text[:begin] + new + text[end:]
    return source_with_conditions(text)


def program_of(build, scenario, link):
    """`weft` with the removals of this scenario; made where it is missing or old."""
    folder = build / 'mutations'
    folder.mkdir(exist_ok=True)
    program = folder / scenario
    needs = [build / 'weft', *HERE.glob('*.py')]
    with open(folder / f'{scenario}.lock', 'w') as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not program.exists() or program.stat().st_mtime < max(n.stat().st_mtime for n in needs):
            with tempfile.TemporaryDirectory(dir=folder) as scratch:
                os.replace(link(build, mutated_texts(scenario), Path(scratch)), program)
    return program


def explore(program, variant, number):
    """None if it ends as expected, else how it ends."""
    try:
        run = subprocess.run([program, 'explore', '--quiet', variant], capture_output=True, text=True, errors='replace',
                             timeout=EXPLORE_SECONDS, env={**os.environ, VARIABLE: str(number)})
    except subprocess.TimeoutExpired:
        return f'no end within {EXPLORE_SECONDS} s'
    if run.returncode == AS_EXPECTED:
        return None
    if run.returncode == INTERNAL or run.returncode >= MISUSED:
        raise NotChecked(f'weft explore {variant} ends with exit code {run.returncode}: {run.stdout}{run.stderr}')
    row = next((line.split() for line in run.stdout.splitlines() if line.startswith(variant + ' ')), ['', 'crash'])
    return f'{variant.split("/")[1]}: {row[1]}'


def check(build, link, fix, removal):
    program = program_of(build, fix.scenario, link)
    number = numbers_of(fix.scenario)[name_of(fix, removal)]
    for variant in fix.variants:
        holds = Known(build, program, f'{variant} ends as expected')
        if holds.was_kept():
            continue
        without_it = explore(program, f'{fix.scenario}/{variant}', NONE)
        if without_it is not None:
            raise NotChecked(f'with nothing removed, {without_it}')
        holds.keep()
    outcomes = (explore(program, f'{fix.scenario}/{variant}', number) for variant in fix.variants)
    return next((outcome for outcome in outcomes if outcome is not None), None)


def compiled_together():
    """By name of a removal: what is the same for all that are compiled at once."""
    return {name_of(fix, removal): fix.scenario for fix, _, removal in removals()}


def tests():
    """By name; each takes the build folder and a function that links `weft` with changed files."""
    result = {'fix.lines': check_lines}
    for fix, _, removal in removals():
        result[name_of(fix, removal)] = lambda build, link, f=fix, r=removal: check(build, link, f, r)
    return result
