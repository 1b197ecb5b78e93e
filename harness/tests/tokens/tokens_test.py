"""Do tokens replay: in a second process, and in another build?

  tokens_test.py PROGRAM SCENARIO...            explores the scenarios, replays every finding from its token in a process of its own, and
                                                then replays the tokens in expected/, which another build has made
  tokens_test.py PROGRAM SCENARIO... --write    writes expected/ anew, with this program's tokens

The same finding must show: its kind and its message. A scenario that is new, or does other operations than before, needs new tokens.
They are made by g++ builds; tests of clang builds replay them. Without SCENARIO all are taken.

What is found with the kind `nondeterminism' has no token that could replay: it says that the program does not repeat itself.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

EXPECTED = pathlib.Path(__file__).parent / 'expected'


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def without_addresses(message):
    return re.sub(r'0x[0-9a-f]{9,}', 'ADDRESS', message)


def findings_of(program, scenarios):
    """By scenario."""
    found = {}
    for result in json.loads(run(program, 'explore', '--keep', 'none', '--json', *scenarios).stdout)['results']:
        found.setdefault(result['scenario'], []).extend(
            {'variant': result['variant'], 'kind': finding['kind'], 'message': without_addresses(finding['message']),
             'token': finding['schedule']}
            for finding in result['findings'] if finding['kind'] != 'nondeterminism')
    return {scenario: findings for scenario, findings in found.items() if findings}


def fault_of_replay(program, scenario, finding):
    replayed = run(program, 'replay', f"{scenario}/{finding['variant']}", finding['token'], '--json')
    if replayed.stdout == '':
        return replayed.stderr
    result = json.loads(replayed.stdout)
    shown = [(f['kind'], without_addresses(f['message'])) for f in result['findings']]
    if result['status'] == 'done' and (finding['kind'], finding['message']) in shown:
        return ''
    return f"{result['status']} {result['problem']}, shows {shown}"


def file_of(scenario):
    return EXPECTED / f'{scenario}.jsonl'


def stored(scenario):
    path = file_of(scenario)
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def write(found):
    EXPECTED.mkdir(exist_ok=True)
    for scenario, findings in found.items():
        file_of(scenario).write_text(''.join(json.dumps(finding) + '\n' for finding in findings))


def names(scenario, findings):
    return {f"{scenario}/{f['variant']}: {f['kind']} `{f['message']}'" for f in findings}


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument('program')
    arguments.add_argument('scenario', nargs='*')
    arguments.add_argument('--write', action='store_true')
    arguments = arguments.parse_args()
    found = findings_of(arguments.program, arguments.scenario)
    faults = []
    replays = 0
    if arguments.write:
        write(found)
    for scenario, findings in found.items():
        for origin, tokens in (('this build', findings), ('expected/', stored(scenario))):
            for finding in tokens:
                replays += 1
                if fault := fault_of_replay(arguments.program, scenario, finding):
                    faults.append(f"{scenario}/{finding['variant']} {finding['token']} of {origin}: {finding['kind']} "
                                  f"`{finding['message']}', replayed: {fault}")
        for name in sorted(names(scenario, findings) ^ names(scenario, stored(scenario))):
            faults.append(f'{name}: only one of {file_of(scenario).name} and this program has it; --write makes the file anew')
    print(*faults, sep='\n', end='\n' if faults else '')
    print(f'{replays} replays, {len(faults)} faults')
    return 1 if faults or not replays else 0


if __name__ == '__main__':
    sys.exit(main())
