"""What reports look like, for every kind of finding: text and JSON, compared with the files in expected/.

  golden_test.py PROGRAM            compares; a difference is shown as a diff, and the exit code is 1
  golden_test.py PROGRAM --write    writes the files anew: look at the difference before it is committed

The reports of programs that g++ and clang have built must be the same; the cases leave out what is not (README.md, "Limits").

What a program reports does not depend on where it lies: it is moved, and must report the same.

Every finding is also replayed from its token, in a process of its own, and must show the same again.
"""
import argparse
import difflib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

EXPECTED = pathlib.Path(__file__).parent / 'expected'


def run(program, *arguments):
    environment = dict(os.environ, LC_ALL='C', TZ='UTC')
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=300, env=environment)


def variants(program):
    return [f"{variant['scenario']}/{variant['variant']}"
            for variant in json.loads(run(program, 'list', 'golden', '--json').stdout)['variants']]


def without_code_addresses(token):
    """Places that spin, and where the function of a racing local variable returns to: another build has others."""
    steps, colon, learned = token[3:].partition(':')[2].partition(':')
    learned = re.sub(r'(?<![^,])([sw])[0-9a-f]+', r'\1ADDRESS', learned)
    learned = re.sub(r'(p@\w+\.\w+\.\w+\.\w+)\.\w+', r'\1.ADDRESS', learned)
    return token[:12] + steps + colon + learned


def without_what_differs(text):
    """Times; code addresses in tokens; folders of sources."""
    text = re.sub(r'"(seconds|executions_per_second)": [0-9.e+-]+', r'"\1": 0', text)
    text = re.sub(r'"file": "[^"]*/', '"file": "', text)
    text = re.sub(r'0x[0-9a-f]{9,}', 'ADDRESS', text)
    return re.sub(r'w1:[0-9a-f]{8}:[^\s",]*(,[^\s",]+)*', lambda token: without_code_addresses(token.group(0)), text)


def report_text(program, name):
    text = run(program, 'explore', '--keep', 'none', name).stdout
    return without_what_differs(text.split('\n\n', 1)[1] if '\n\n' in text else '')


def report_json(program, name):
    result = json.loads(run(program, 'explore', '--keep', 'none', name, '--json').stdout)['results'][0]
    for finding in result['findings']:
        del finding['trace']  # is in the text
    return without_what_differs(json.dumps(result, indent=1)) + '\n'


def switches_fault(finding):
    """What MIN says must be what can be counted in the rows."""
    rows = [step for step in finding['steps'] if step['step']]
    switches = sum(a['column'] != b['column'] for a, b in zip(rows, rows[1:]))
    has_tasks = any(column['task'] for column in finding['columns'])
    return '' if has_tasks or switches == finding['switches'] else f"{switches} switches in the rows, MIN says {finding['switches']}"


def replay_fault(program, name):
    """What is wrong with this variant's findings and their replays, or nothing."""
    for finding in json.loads(run(program, 'explore', '--keep', 'none', name, '--json').stdout)['results'][0]['findings']:
        if finding['kind'] == 'nondeterminism':
            continue  # is there to say that this cannot work
        if fault := switches_fault(finding):
            return fault
        replayed = run(program, 'replay', name, finding['schedule'], '--json')
        if replayed.stdout == '':
            return f"{finding['schedule']}: {replayed.stderr}"
        result = json.loads(replayed.stdout)
        same = [f for f in result['findings'] if f['kind'] == finding['kind'] and f['message'] == finding['message']]
        if result['status'] != 'done' or not same:
            return f"{finding['schedule']}: {finding['kind']} `{finding['message']}', replayed: {replayed.stdout[:1000]}"
        if same[0]['steps'] != finding['steps']:
            return f"{finding['schedule']}: other steps when replayed"
    return ''


def moved_fault(program):
    """What is different when the program runs from another folder, by another name; or nothing."""
    with tempfile.TemporaryDirectory() as folder:
        moved = shutil.copy(program, pathlib.Path(folder) / 'moved')
        if report_text(moved, 'golden/data_race') != report_text(program, 'golden/data_race'):
            return report_text(moved, 'golden/data_race')
    return ''


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('program')
    arguments.add_argument('--write', action='store_true')
    arguments = arguments.parse_args()
    faults = 0
    names = variants(arguments.program)
    files = set()
    for name in names:
        for ending, content in (('txt', report_text(arguments.program, name)), ('json', report_json(arguments.program, name))):
            path = EXPECTED / f"{name.split('/')[1]}.{ending}"
            files.add(path)
            if arguments.write:
                path.parent.mkdir(exist_ok=True)
                path.write_text(content)
                continue
            expected = path.read_text() if path.exists() else ''
            if content == expected:
                continue
            faults += 1
            sys.stdout.writelines(difflib.unified_diff(expected.splitlines(True), content.splitlines(True),
                                                       f'expected/{path.name}', 'this program'))
        if fault := replay_fault(arguments.program, name):
            faults += 1
            print(f'{name}: {fault}')
    if fault := moved_fault(arguments.program):
        faults += 1
        print(f'moved, the program reports:\n{fault}')
    for path in sorted(set(EXPECTED.iterdir()) - files):
        faults += 1
        print(f'expected/{path.name} belongs to no variant')
    print(f'{len(names)} variants, {faults} faults')
    return 1 if faults or not names else 0


if __name__ == '__main__':
    sys.exit(main())
