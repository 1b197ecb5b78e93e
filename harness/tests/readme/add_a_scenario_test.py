#!/usr/bin/env python3
"""README.md, "Add a scenario": is that file a scenario, and do those commands work? Usage: add_a_scenario_test.py BUILD_FOLDER

Takes the file and the commands out of README.md. What the first command does, the build, is done for that one file only and in a scratch
folder: it is compiled as the build compiles scenarios, and the programs are linked as the build links them, with one object more. The other
commands are run as they stand. Needs a build with Ninja that is up to date.
"""
import json
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
MOST_LINES = 80
COMMAND_SECONDS = 120
CANNOT_RUN = 77


def fail(reason):
    sys.exit(f'FAILED: {reason}')


def section():
    text = (ROOT / 'README.md').read_text()
    found = re.search(r'^## Add a scenario\n(.*?)(?=^## )', text, re.MULTILINE | re.DOTALL)
    if not found:
        fail('README.md has no section "Add a scenario"')
    blocks = re.findall(r'^```(\w*)\n(.*?)^```', found.group(1), re.MULTILINE | re.DOTALL)
    files = [body for language, body in blocks if language == 'cpp']
    commands = [body for language, body in blocks if language == '']
    if len(files) != 1 or len(commands) != 1:
        fail(f'the section has {len(files)} files and {len(commands)} blocks of commands, not one of each')
    name = re.search(r'`scenarios/(\w+\.cpp)`', found.group(1))
    if not name:
        fail('the section does not say what the file is called')
    return name.group(1), files[0], commands[0].splitlines()


def compiled(build, source, scratch):
    """The object file of `source`, compiled with the command that the build has for a scenario."""
    entries = json.loads((build / 'compile_commands.json').read_text())
    entry = next(e for e in entries if Path(e['file']).parent == ROOT / 'scenarios')
    command = shlex.split(entry['command'])
    result = scratch / (source.stem + '.o')
    command[command.index('-o') + 1] = str(result)
    command[command.index('-c') + 1] = str(source)
    if subprocess.run(command + ['-Werror'], cwd=entry['directory']).returncode != 0:
        fail('the file does not compile without warnings')
    return result


def link(build, program, added, output):
    """Links the build's `program` with one object more."""
    listed = subprocess.run(['ninja', '-t', 'commands', program], cwd=build, capture_output=True, text=True, check=True)
    commands = [shlex.split(c) for c in listed.stdout.splitlines()[-1].split(' && ')]
    command = next((c for c in commands if '-o' in c and Path(c[c.index('-o') + 1]).name == program), None)
    if command is None:
        fail(f'the build has no command that links {program}')
    at = command.index('-o')
    command[at:at + 2] = [str(added), '-o', str(output)]
    subprocess.run(command, cwd=build, check=True)


def make_build(build, scratch, file_name, text):
    """What building with the new file would give, as far as the commands need it."""
    source = scratch / 'scenarios' / file_name
    source.parent.mkdir()
    source.write_text(text)
    new_build = scratch / 'build'
    new_build.mkdir()
    added = compiled(build, source, scratch)
    for program in ['weft', 'weft-stress', 'weft-fuzz']:
        link(build, program, added, new_build / program)
    fuzz = new_build / 'fuzz'
    subprocess.run([new_build / 'weft-fuzz', f'--link-targets={fuzz}'], check=True)
    tests = new_build / 'CTestTestfile.cmake'
    subprocess.run([new_build / 'weft', 'list', '--ctest', tests, '--program', new_build / 'weft', '--corpus',
                    scratch / 'scenarios' / 'corpus'], check=True)


def run(command, scratch):
    """What `command` writes; its exit code must be 0, or say that it cannot run here."""
    done = subprocess.run(command, shell=True, cwd=scratch, capture_output=True, text=True, timeout=COMMAND_SECONDS)
    output = done.stdout + done.stderr
    print(f'$ {command}\n{output}', flush=True)
    if done.returncode == CANNOT_RUN:
        return None
    if done.returncode != 0:
        fail(f'`{command}` ends with exit code {done.returncode}')
    return output


def check_exploration(scratch, scenario, text):
    """The broken variants show what they expect, by kind and text; the fixed ones are proved."""
    output = run(f'build/weft explore --json "{scenario}/*"', scratch)
    variants = {v['variant']: v for v in json.loads(output)['results']}
    broken = re.findall(r'\.broken\(\s*"(\w+)".*?weft::finds::(\w+)\(\s*"([^"]+)"', text, re.DOTALL)
    fixed = re.findall(r'\.fixed\(\s*"(\w+)"', text)
    if not broken or not fixed or set(variants) != {b[0] for b in broken} | set(fixed):
        fail(f'the variants are {sorted(variants)}')
    for name, kind, message in broken:
        found = [(f['kind'], f['message']) for f in variants[name]['findings']]
        if variants[name]['verdict'] != 'bug' or not any(k == kind.replace('_', ' ') and message in m for k, m in found):
            fail(f'{name} shows {found}')
    for name in fixed:
        if variants[name]['verdict'] != 'proved':
            fail(f'{name} is {variants[name]["verdict"]}')


def main():
    build = Path(sys.argv[1]).resolve()
    file_name, text, commands = section()
    lines = len(text.splitlines())
    if lines > MOST_LINES:
        fail(f'{file_name} has {lines} lines, and a scenario of its size should need no more than {MOST_LINES}')
    scenario = re.search(r'WEFT_SCENARIO\((\w+)\)', text).group(1)
    if not commands[0].startswith('cmake --build build '):
        fail('the first command is not the one that builds')
    for word in ['weft explore', 'weft stress', 'weft fuzz', 'ctest']:
        if not any(word in command for command in commands):
            fail(f'there is no command with `{word}`')
    with tempfile.TemporaryDirectory(prefix='weft-readme-') as folder:
        scratch = Path(folder)
        make_build(build, scratch, file_name, text)
        check_exploration(scratch, scenario, text)
        for command in commands[1:]:
            output = run(command, scratch)
            if output is not None and scenario not in output:
                fail(f'`{command}` says nothing of {scenario}')
            if command.startswith('ctest') and not re.search(r'100% tests passed.* out of [1-9]', output):
                fail('ctest finds no test of the scenario')
    print(f'{file_name}: {lines} lines, {len(commands)} commands')


if __name__ == '__main__':
    main()
