#!/usr/bin/env python3
"""Checks that the tests notice deliberate faults of the engine (mutants.py) and of the models (model_mutants.py), and scenarios the lines
that their fixes lack (fix_mutants.py).

    run.py --build BUILD_FOLDER [NAME...]      all mutants, or the named ones
    run.py --list

Compiles the mutated file with the command of the build, links the test program again with that object in the place of the original, and
runs the named tests: first without a fault, which must pass, then with it, which must fail. The mutants of a file are compiled at once, each
behind a condition (together.py), if they can be; the others one by one. All this without debug information, which takes most of the time to
link, where the tests do not read it. Objects, programs, and which of their tests have passed are kept in BUILD_FOLDER/mutations. The sources
and the rest of the build are not touched. Needs a build with Ninja that is up to date.

Exits with 0 if every mutant was caught, 1 if one was not, 2 if one could not be checked (it no longer fits, does not compile, or its
tests fail without it).
"""
import argparse
import fcntl
import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import conditions
import fixes
import together
from known import Known
from model_mutants import MODEL_MUTANTS
from mutants import MUTANTS
from not_checked import NotChecked

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
TEST_SECONDS = 120
ENVIRONMENT = {'WEFT_RANDOM_PROGRAMS': '300'}  # per test; faults show within these


def source_of(mutant):
    return ROOT / mutant.folder / mutant.file


def check_that_it_fits(mutant):
    found = source_of(mutant).read_text().count(mutant.old)
    if found != 1:
        raise NotChecked(f'its old text occurs {found} times in {mutant.file}: adapt {mutant.listed_in}')


def mutated_text(mutant):
    return source_of(mutant).read_text().replace(mutant.old, mutant.new)


def of_one_source(mutant):
    """The mutants that are compiled at once with this one, if they can be."""
    text = source_of(mutant).read_text()
    return [m for m in MUTANTS + MODEL_MUTANTS
            if source_of(m) == source_of(mutant) and not m.reads_debug_information and text.count(m.old) == 1]


def compile_mutant(build, source, text, scratch):
    """Compiles `text` in the place of `source`; returns the object file that it replaces and its own."""
    entries = json.loads((build / 'compile_commands.json').read_text())
    entry = next((e for e in entries if Path(e['file']).resolve() == source), None)
    if entry is None:
        raise NotChecked(f'the build does not compile {source}')
    command = shlex.split(entry['command'])
    original = command[command.index('-o') + 1]
    mutated_source, mutated_object = scratch / source.name, scratch / f'{source.name}.o'
    mutated_source.write_text(text)
    command[command.index('-o') + 1] = str(mutated_object)
    command[command.index('-c') + 1] = str(mutated_source)
    if subprocess.run(command + ['-w', '-g0'], cwd=entry['directory']).returncode != 0:
        raise NotChecked('it does not compile')
    return original, mutated_object


def without_debug(build, original):
    """A copy of an object of the build without debug information."""
    copy = build / 'mutations' / 'objects' / original.relative_to(build)
    if not copy.exists() or copy.stat().st_mtime_ns < original.stat().st_mtime_ns:
        copy.parent.mkdir(parents=True, exist_ok=True)
        mine = copy.with_suffix(f'.{os.getpid()}')
        if subprocess.run(['objcopy', '--strip-debug', original, mine]).returncode != 0:
            raise NotChecked(f'objcopy cannot copy {original}')
        os.replace(mine, copy)
    return copy


def link(build, output, mutated_objects, folder, strip=True):
    """Runs the build's own commands that merge the engine's objects and link the program `output`, with the mutated objects in the places
    of the original ones. Returns the program, in `folder`."""
    def place(word):
        return Path(os.path.normpath(os.path.join(build, word)))

    def part(word):
        """What is linked in its place."""
        at = place(word)
        if at in replaced:
            return str(replaced[at])
        return str(without_debug(build, at)) if strip and at.suffix == '.o' and build in at.parents else word

    program = Path(output).name
    listed = subprocess.run(['ninja', '-t', 'commands', program], cwd=build, capture_output=True, text=True, check=True)
    commands = [shlex.split(c) for line in listed.stdout.splitlines() for c in line.split(' && ')
                if 'LinkEngine.cmake' in c or f' -o {output} ' in c]
    replaced = {place(original): mutated for original, mutated in mutated_objects.items()}
    unused = set(replaced)
    executable = folder / program
    for words in commands:
        if any(w.startswith('-DOUTPUT=') for w in words):
            at = next(i for i, w in enumerate(words) if w.startswith('-DOBJECTS='))
            objects = words[at].removeprefix('-DOBJECTS=').split(',')
            if not any(place(o) in replaced for o in objects):
                continue
            unused -= {place(o) for o in objects}
            words[at] = '-DOBJECTS=' + ','.join(part(o) for o in objects)
            at = next(i for i, w in enumerate(words) if w.startswith('-DOUTPUT='))
            merged = words[at].removeprefix('-DOUTPUT=')
            replaced[place(merged)] = folder / Path(merged).name
            words[at] = f'-DOUTPUT={replaced[place(merged)]}'
        else:
            unused -= {place(w) for w in words}
            words = [w if i and words[i - 1] == '-o' else part(w) for i, w in enumerate(words)]
            words[words.index('-o') + 1] = str(executable)
        if subprocess.run(words, cwd=build).returncode != 0:
            raise NotChecked('it does not link')
    if unused:
        raise NotChecked(f'{program} does not link {", ".join(map(str, unused))}')
    if not executable.exists():
        raise NotChecked(f'the build has no command that links {program}')
    return executable


def unmutated_program(build, output):
    """The program without debug information; made where it is missing or old."""
    folder = build / 'mutations' / 'programs'
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / Path(output).name
    with open(folder / f'{program.name}.lock', 'w') as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if is_older(program, [build / output]):
            with tempfile.TemporaryDirectory(dir=folder) as scratch:
                os.replace(link(build, output, {}, Path(scratch)), program)
    return program


def is_older(file, others):
    return not file.exists() or file.stat().st_mtime_ns < max(other.stat().st_mtime_ns for other in others)


def object_with_faults(build, mutant, text):
    """The original object of the mutant's file, and one with all faults that `text` has."""
    source = source_of(mutant)
    folder = build / 'mutations' / 'together'
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / f'{mutant.folder}-{mutant.file.replace("/", "-")}.o'
    original_of = kept.with_suffix('.original')
    with open(kept.with_suffix('.lock'), 'w') as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if is_older(kept, [build / mutant.program_path, source, *HERE.glob('*.py')]):
            with tempfile.TemporaryDirectory(dir=folder) as scratch:
                original, compiled = compile_mutant(build, source, conditions.source_with_conditions(text), Path(scratch))
                original_of.write_text(original)
                os.replace(compiled, kept)
    return original_of.read_text(), kept


def program_with_faults(build, mutant, text):
    """The test program with all faults of the mutant's file, each behind its condition; made where it is missing or old."""
    original, compiled = object_with_faults(build, mutant, text)
    program = compiled.with_name(f'{compiled.stem}-{mutant.program}')
    with open(program.with_suffix('.lock'), 'w') as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if is_older(program, [compiled, build / mutant.program_path]):
            with tempfile.TemporaryDirectory(dir=program.parent) as scratch:
                os.replace(link(build, mutant.program_path, {original: compiled}, Path(scratch)), program)
    return program


def require_that_tests_pass(build, program, tests):
    """Without a fault."""
    passed = Known(build, program, tests)
    if not passed.was_kept():
        outcome = run_tests(program, tests)
        if outcome != 'passed':
            raise NotChecked(f'its tests fail without it: {outcome}')
        passed.keep()


def run_tests(executable, tests, fault=conditions.NONE):
    """'passed', or how the tests failed."""
    try:
        result = subprocess.run([executable, f'--gtest_filter={tests}', '--gtest_brief=1', '--gtest_fail_fast'],
                                capture_output=True, text=True, errors='replace', timeout=TEST_SECONDS,
                                env={**os.environ, **ENVIRONMENT, conditions.VARIABLE: str(fault)})
    except subprocess.TimeoutExpired:
        return f'no end within {TEST_SECONDS} s'
    if ' 0 tests ran' in result.stdout or 'Running 0 tests' in result.stdout or '[==========] 0 tests' in result.stdout:
        raise NotChecked(f'no test matches {tests}')
    if result.returncode == 0:
        return 'passed'
    failed = [line for line in result.stdout.splitlines() if line.startswith('[  FAILED  ]')]
    return failed[0].split(',')[0].removeprefix('[  FAILED  ] ') if failed else f'crash, exit code {result.returncode}'


def check(build, mutant):
    """How the mutant was caught; None if it was not."""
    check_that_it_fits(mutant)
    companions = of_one_source(mutant)
    text, numbers = together.put_together(source_of(mutant).read_text(), [(m.old, m.new) for m in companions])
    number = companions.index(mutant) + 1 if mutant in companions else conditions.NONE
    if number not in numbers:
        return check_alone(build, mutant)
    program = program_with_faults(build, mutant, text)
    require_that_tests_pass(build, program, mutant.tests)
    return failure(run_tests(program, mutant.tests, number))


def check_alone(build, mutant):
    with tempfile.TemporaryDirectory(prefix='weft-mutant-') as folder:
        scratch = Path(folder)
        original, mutated_object = compile_mutant(build, source_of(mutant), mutated_text(mutant), scratch)
        strip = not mutant.reads_debug_information
        executable = link(build, mutant.program_path, {original: mutated_object}, scratch, strip)
        unmutated = unmutated_program(build, mutant.program_path) if strip else build / mutant.program_path
        require_that_tests_pass(build, unmutated, mutant.tests)
        return failure(run_tests(executable, mutant.tests))


def failure(outcome):
    return outcome if outcome != 'passed' else None


def link_scenario(build, texts, scratch):
    """`weft` with these texts in the places of a scenario and of what it stands on."""
    return link(build, 'weft', dict(compile_mutant(build, source, text, scratch) for source, text in texts.items()), scratch)


def in_order(names):
    """What is compiled at once comes apart: tests that run side by side would wait for the same compilation."""
    compiled_of = {m.name: source_of(m) for m in MUTANTS + MODEL_MUTANTS} | fixes.compiled_together()
    rank = {}
    for name in names:
        before = [n for n in rank if compiled_of.get(n) == compiled_of.get(name)]
        rank[name] = len(before)
    return sorted(names, key=rank.get)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('names', nargs='*')
    arguments.add_argument('--build', type=Path)
    arguments.add_argument('--list', action='store_true')
    options = arguments.parse_args()
    known = {m.name: lambda build, m=m: check(build, m) for m in MUTANTS + MODEL_MUTANTS}
    known |= {name: lambda build, test=test: test(build, link_scenario) for name, test in fixes.tests().items()}
    if options.list:
        print('\n'.join(in_order(known)))
        return 0
    unknown = [n for n in options.names if n not in known]
    if unknown or options.build is None:
        arguments.error(f'no mutant is called {unknown[0]}; see --list' if unknown else '--build is missing')
    if not (options.build / 'compile_commands.json').is_file():
        arguments.error(f'{options.build} is no build folder of Weft: it has no compile_commands.json')
    missed, unchecked = 0, 0
    for name in options.names or known:
        try:
            outcome = known[name](options.build.resolve())
            missed += outcome is None
            print(f'{"NOT CAUGHT" if outcome is None else "caught":11} {name:60} {outcome or ""}', flush=True)
        except NotChecked as reason:
            unchecked += 1
            print(f'not checked {name:60} {reason}', flush=True)
    return 2 if unchecked else int(missed != 0)


if __name__ == '__main__':
    sys.exit(main())
