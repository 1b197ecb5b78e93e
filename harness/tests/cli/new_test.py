#!/usr/bin/env python3
"""`weft new` writes a scenario that compiles without warnings, fails as broken and passes as fixed. Usage: new_test.py BUILD_FOLDER"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'readme'))
from add_a_scenario_test import compiled, link  # noqa: E402


def refused(weft, name, word, folder):
    run = subprocess.run([weft, 'new', name], cwd=folder, capture_output=True, text=True)
    if run.returncode != 64 or len(run.stderr.splitlines()) != 1 or word not in run.stderr:
        sys.exit(f'FAILED: weft new {name!r}: exit code {run.returncode}, {run.stderr}')


def main():
    build = Path(sys.argv[1]).resolve()
    weft = build / 'weft'
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        for name, word in (('', 'cannot name'), ('Big', 'cannot name'), ('a/b', 'cannot name'), ('../up', 'cannot name'),
                           ('lost_increment', 'already')):
            refused(weft, name, word, scratch)
        subprocess.run([weft, 'new', 'shop'], cwd=scratch, check=True)
        refused(weft, 'shop', 'exists already', scratch)
        (scratch / 'scenarios').mkdir()
        subprocess.run([weft, 'new', 'shop'], cwd=scratch, check=True)
        source = scratch / 'scenarios' / 'shop.cpp'
        if source.read_text() != (scratch / 'shop.cpp').read_text():
            sys.exit('FAILED: two files of one name differ')
        link(build, 'weft', compiled(build, source, scratch), scratch / 'weft')
        run = subprocess.run([scratch / 'weft', 'explore', 'shop', '--json'], cwd=scratch, capture_output=True, text=True)
        results = {r['variant']: r['verdict'] for r in json.loads(run.stdout)['results']}
        if run.returncode != 0 or results != {'looks_then_sells': 'bug', 'takes_at_once': 'proved'}:
            sys.exit(f'FAILED: exit code {run.returncode}, {results}\n{run.stdout[:2000]}')
        print(results)


if __name__ == '__main__':
    main()
