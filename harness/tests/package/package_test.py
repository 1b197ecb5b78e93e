#!/usr/bin/env python3
"""Weft as other projects use it. Usage: package_test.py --build BUILD_FOLDER --generator NAME --compilers CC CXX TEST

    install       installs the build to a folder, and moves what is installed to another place
    find_package  builds consumer/ with find_package(weft CONFIG) from there and runs its tests
    subdirectory  does the same with FetchContent, from the sources
    pkg_config    builds makefile/ with make and pkg-config
    relocated     runs `weft check`, `weft show` and `weft new`, from the moved tree and from one that is moved once more

Needs a build that is up to date. Everything is written to BUILD_FOLDER/package-tests.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
VARIANTS = ['counter.plain', 'counter.atomic', 'balance.look_then_await', 'balance.at_once']
RACE = """
#include <thread>
#include <weft/weft.hpp>
int counter;
int main() {
  weft::name(counter, "counter");
  std::thread other([] { ++counter; });
  ++counter;
  other.join();
}
"""


def fail(reason):
    sys.exit(f'FAILED: {reason}')


def run(command, expected=0, **options):
    """What `command` writes; its exit code must be the expected one."""
    print('$', ' '.join(str(c) for c in command), flush=True)
    done = subprocess.run([str(c) for c in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    print(done.stdout, flush=True)
    if done.returncode != expected:
        fail(f'`{command[0]}` ends with exit code {done.returncode}, not {expected}')
    return done.stdout


def emptied(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def version():
    text = (ROOT / 'harness/include/weft/version.hpp').read_text()
    return '.'.join(re.search(rf'^#define WEFT_VERSION_{part} (\d+)$', text, re.MULTILINE).group(1) for part in ['MAJOR', 'MINOR', 'PATCH'])


class Package:
    def __init__(self, arguments):
        self.build = arguments.build.resolve()
        self.generator = arguments.generator
        self.cc, self.cxx = arguments.compilers
        self.scratch = self.build / 'package-tests'
        self.first = self.scratch / 'installed'
        self.moved = self.scratch / 'moved' / 'elsewhere'

    def install(self):
        emptied(self.scratch / 'moved')
        emptied(self.first)
        run(['cmake', '--install', self.build, '--prefix', self.first])
        self.check_public_headers()
        self.check_no_place_is_named()
        self.first.rename(self.moved)

    def check_public_headers(self):
        """All of them, the models with their sources, and nothing of the inside."""
        installed = {p.name for p in (self.first / 'include/weft').iterdir()}
        if installed != {p.name for p in (ROOT / 'harness/include/weft').iterdir()}:
            fail(f'the headers are {sorted(installed)}')
        models = {p.name for p in (self.first / 'share/weft/models').iterdir()}
        if models != {p.name for p in (ROOT / 'models').iterdir() if p.suffix in ['.hpp', '.cpp']}:
            fail(f'the models are {sorted(models)}')

    def check_no_place_is_named(self):
        """Text names neither where it is installed nor where it was built. (Objects do, in their debug information.)"""
        for path in self.first.rglob('*'):
            if path.suffix in ['.cmake', '.pc', '.hpp', '.h', '.cpp']:
                for place in [self.first, self.build, ROOT]:
                    if str(place) in path.read_text():
                        fail(f'{path} names {place}')

    def consume(self, name, generator, *options):
        """Configures, builds and tests the project in consumer/."""
        folder = emptied(self.scratch / name)
        output = run(['cmake', '-S', HERE / 'consumer', '-B', folder, '-G', generator, f'-DCMAKE_C_COMPILER={self.cc}',
                      f'-DCMAKE_CXX_COMPILER={self.cxx}', '-DCMAKE_CXX_FLAGS=-DCONSUMER', *options])
        if 'Settings: ' not in output or 'LEAKED' in output:
            fail('the settings were not compared, or have changed')
        if 'CMake Warning' in output:
            fail('configuring warns')
        run(['cmake', '--build', folder, '-j', '2'])
        self.check_flags(folder)
        self.check_tests(folder)

    def check_flags(self, folder):
        """How the project's own code was compiled."""
        entries = json.loads((folder / 'compile_commands.json').read_text())
        command = next(e['command'] for e in entries if e['file'].endswith('/plain.cpp'))
        flags = command.split()[1:command.split().index('-o')]
        flags = [f for f in flags if not f.startswith('/')]  # behind a launcher, the compiler is an argument
        if flags != ['-DCONSUMER', '-fvisibility=hidden', '-std=gnu++11']:
            fail(f'the project\'s own code is compiled with {flags}')

    def check_tests(self, folder):
        """The project has the tests of its scenarios and its own, none of Weft's, and they pass."""
        listed = json.loads(subprocess.run(['ctest', '--test-dir', folder, '--show-only=json-v1'], text=True, check=True,
                                           capture_output=True).stdout)
        names = sorted(test['name'] for test in listed['tests'])
        expected = sorted(['plain', 'unit'] + [f'{link}.{v}' for link in ['explore', 'stress', 'fuzz'] for v in VARIANTS])
        if names != expected:
            fail(f'the tests are {names}, not {expected}')
        output = run(['ctest', '--test-dir', folder, '--output-on-failure'])
        if re.search(r'(explore\.|unit|plain).*(Skipped|Not Run)', output) or '100% tests passed' not in output:
            fail('a test was not run')

    def find_package(self):
        self.consume('find_package', self.generator, '-DWEFT_FROM=package', f'-DCMAKE_PREFIX_PATH={self.moved}')

    def subdirectory(self):
        # The other generator: Debian's default, and Weft itself is built with Ninja.
        self.consume('subdirectory', 'Unix Makefiles', f'-DWEFT_FROM={ROOT}')

    def pkg_config(self):
        folder = self.scratch / 'pkg_config'
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(HERE / 'makefile', folder)
        environment = os.environ | {'PKG_CONFIG_PATH': str(next(self.moved.rglob('weft.pc')).parent)}
        asked = run(['pkg-config', '--modversion', 'weft'], env=environment)
        if asked.strip() != version():
            fail(f'pkg-config says that this is version {asked}')
        run(['make', f'CXX={self.cxx}'], cwd=folder, env=environment)
        output = run(['./counter'], cwd=folder)
        if output.splitlines() != [f'weft {version()}', 'broken: bug', 'fixed: proved']:
            fail('that is not what the program finds')

    def relocated(self):
        """The program finds its parts wherever the tree is; once more, under a name with a space."""
        if self.first.exists():
            fail(f'{self.first} is still there')
        again = self.scratch / 'moved' / 'once more'
        shutil.rmtree(again, ignore_errors=True)
        folder = emptied(self.scratch / 'relocated')
        (folder / 'race.cpp').write_text(RACE)
        self.check_race(self.moved, folder)
        shutil.copytree(self.moved, again)
        self.check_race(again, folder)
        shutil.rmtree(next(again.rglob('engine.o')).parent)
        output = run([again / 'bin/weft', 'check', 'race.cpp'], expected=64, cwd=folder)
        if 'is missing' not in output or output.count('\n') != 1:
            fail('without its parts, the program does not say in one line that they are missing')

    def check_race(self, prefix, folder):
        weft = prefix / 'bin/weft'
        said = run([weft, '--version']).strip()
        if said != f'weft {version()}':
            fail(f'the program says that it is `{said}`')
        output = run([weft, 'check', '--json', '--compiler', self.cxx, 'race.cpp'], expected=1, cwd=folder)
        kinds = {(f['kind'], 'counter' in f['message']) for f in json.loads(output)['findings']}
        if ('data race', True) not in kinds:
            fail(f'`weft check` finds {kinds}')
        page = folder / 'page.html'
        page.unlink(missing_ok=True)
        run([weft, 'show', ROOT / 'harness/tests/page/data/lost_increment.json', '--html', page])
        if '</html>' not in page.read_text():
            fail('`weft show` writes no page')
        (folder / 'shop.cpp').unlink(missing_ok=True)
        run([weft, 'new', 'shop'], cwd=folder)
        if 'WEFT_SCENARIO(shop)' not in (folder / 'shop.cpp').read_text():
            fail('`weft new` writes no scenario')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--build', type=Path, required=True)
    parser.add_argument('--generator', required=True)
    parser.add_argument('--compilers', nargs=2, required=True)
    parser.add_argument('test', choices=['install', 'find_package', 'subdirectory', 'pkg_config', 'relocated'])
    arguments = parser.parse_args()
    getattr(Package(arguments), arguments.test)()


if __name__ == '__main__':
    main()
