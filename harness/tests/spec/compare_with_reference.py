#!/usr/bin/env python3
"""Compares Weft's exhaustive explorer with the executable specification, explore_reference.py, on random programs.

Each program is drawn once, as a list of instructions. The specification interprets it as generators; the executable
explore_programs gets it as text. Both must find the same execution graphs and the same deadlocks, in both models, none twice, and
Weft must not run into more blocked executions.

    compare_with_reference.py EXPLORE_PROGRAMS [--programs 300] [--seed 1]
"""
import argparse
import random
import subprocess
import sys

import explore_reference as reference

ORDERS = {'relaxed': 'rlx', 'acquire': 'acq', 'release': 'rel', 'acq_rel': 'ar', 'seq_cst': 'sc'}
TAKES_OPERAND = {'write', 'add', 'compare_exchange', 'choose', 'send'}
TAKES_ORDER = {'read', 'write', 'add', 'compare_exchange', 'fence', 'await', 'await_take'}
TAKES_OBJECT = TAKES_ORDER - {'fence'} | {'lock', 'unlock', 'send', 'receive'}


def draw_thread(rng, me, length):
    """Instructions (action, object, operand, order) of thread `me`, which alone receives from channel x (0) or y (1)."""
    menu = ('read read read write write write add add compare_exchange fence choose await await_take '
            'lock lock lock send send receive receive').split()
    code, held = [], []
    for _ in range(length):
        action, obj, operand = rng.choice(menu), rng.choice('xy'), rng.randint(1, 2)
        order = rng.choice(list(ORDERS))
        if action in ('read', 'await'):
            order = rng.choice(['relaxed', 'acquire', 'seq_cst'])
        elif action == 'write':
            order = rng.choice(['relaxed', 'release', 'seq_cst'])
        elif action == 'fence':
            order = rng.choice(['acquire', 'release', 'acq_rel', 'seq_cst'])
        elif action == 'choose':
            operand = 2
        elif action == 'receive' and obj != 'xy-'[min(me, 2)]:
            action = 'send'
        elif action == 'lock' and obj in held:
            action = 'unlock'
            held.remove(obj)
        elif action == 'lock':
            held.append(obj)
        code.append((action, obj, operand, order))
    return code + [('unlock', obj, 0, '') for obj in held if rng.random() < 0.9]


def draw_program(rng):
    return [draw_thread(rng, t, rng.randint(1, 4)) for t in range(rng.randint(2, 3))]


def as_text(program):
    lines = ['thread'] + [f'  create {t + 1}' for t in range(len(program))]
    for thread in program:
        lines.append('thread')
        for action, obj, operand, order in thread:
            words = [action]
            if action in TAKES_OBJECT:
                words.append(obj)
            if action in TAKES_OPERAND:
                words.append(str(operand))
            if action in TAKES_ORDER:
                words.append(order)
            if action == 'compare_exchange':
                words.append(order)  # the specification's read has one order, whether it fails or not
            lines.append('  ' + ' '.join(words))
    return '\n'.join(lines) + '\n'


def as_generators(program):
    """What the specification explores: one generator function a thread."""
    def generator(thread):
        def run():
            last = 0
            for action, obj, operand, order in thread:
                mo = ORDERS.get(order)
                if action == 'read':
                    last = yield reference.R(obj, mo)
                elif action == 'write':
                    yield reference.W(obj, operand + last, mo)
                elif action == 'add':
                    last = yield reference.FADD(obj, operand, mo)
                elif action == 'compare_exchange':
                    last = yield reference.CAS(obj, operand - 1, operand + 3, mo)
                elif action == 'fence':
                    yield reference.F(mo)
                elif action == 'choose':
                    last = yield reference.CHOOSE(operand)
                elif action == 'await':
                    last = yield reference.R(obj, mo)
                    if last == 0:
                        yield reference.BLOCK
                elif action == 'await_take':
                    last = yield reference.U(obj, lambda old: old - 1 if old else None, mo)
                    if last == 0:
                        yield reference.BLOCK
                elif action == 'lock':
                    yield reference.LOCK('m' + obj)
                elif action == 'unlock':
                    yield reference.UNLOCK('m' + obj)
                elif action == 'send':
                    yield reference.SEND('c' + obj, operand + last)
                elif action == 'receive':
                    last = yield reference.RECV('c' + obj)
        return run
    return [generator(thread) for thread in program]


def key_as_text(key):
    """A graph's key as explore_programs prints it."""
    def name(e):
        return 'init' if e[0] == 'init' else f'{e[0]}.{e[1]}'
    sources, orders, events = key
    words = [name(e) + ('' if choice is None else f'={choice}') for e, choice in sorted(events, key=lambda x: x[0])]
    reads = sorted((name(r), name(w)) for r, w in sources)
    chains = sorted((l, ','.join(name(w) for w in ws[1:])) for l, ws in orders)
    return ''.join(w + ' ' for w in words) + '| ' + ''.join(f'{r}<{w} ' for r, w in reads) + '|' + ''.join(
        f' {l}:{ws}' for l, ws in chains)


def specified(program, model):
    found, stats = reference.trust(as_generators(program), model)
    full, dead = reference.brute(as_generators(program), model)
    if len(found) != len(set(found)) or set(found) != full or set(stats['deadlocks']) != dead:
        raise AssertionError('the specification disagrees with its own brute force')
    return sorted(map(key_as_text, found)), stats['blocked'], sorted(map(key_as_text, dead))


def explored(executable, programs):
    """Per program and model: executions, blocked, distinct deadlocks."""
    text = ''.join('program\n' + as_text(p) for p in programs)
    output = subprocess.run([executable], input=text, text=True, capture_output=True, check=True).stdout
    results = []
    for line in output.splitlines():
        word, rest = line.split(' ', 1)
        if word == 'result':
            results.append(([], int(rest.split()[4]), set()))
        elif word == 'execution':
            results[-1][0].append(rest)
        else:
            results[-1][2].add(rest)
    return [(sorted(executions), blocked, sorted(dead)) for executions, blocked, dead in results]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument('executable')
    arguments.add_argument('--programs', type=int, default=300)
    arguments.add_argument('--seed', type=int, default=1)
    options = arguments.parse_args()
    print(f'seeds {options.seed} to {options.seed + options.programs - 1}')
    programs = [draw_program(random.Random(options.seed + n)) for n in range(options.programs)]
    results = explored(options.executable, programs)
    if len(results) != 2 * len(programs):
        print(f'{len(results)} results for {len(programs)} programs in two models')
        return 1
    wrong, totals = 0, [0, 0, 0]
    for n, program in enumerate(programs):
        for model, got in zip(('sc', 'rc11'), results[2 * n:2 * n + 2]):
            want = specified(program, model)
            totals = [totals[0] + len(want[0]), totals[1] + want[1], totals[2] + len(want[2])]
            if got[0] == want[0] and got[1] <= want[1] and got[2] == want[2]:
                continue
            wrong += 1
            print(f'seed {options.seed + n}, {model}: executions {len(got[0])} for {len(want[0])}, blocked {got[1]} for at '
                  f'most {want[1]}, deadlocks {len(got[2])} for {len(want[2])}')
            for what, mine, theirs in (('execution', got[0], want[0]), ('deadlock', got[2], want[2])):
                print(''.join(f'  only explored:  {what} {k}\n' for k in sorted(set(mine) - set(theirs))[:3]), end='')
                print(''.join(f'  only specified: {what} {k}\n' for k in sorted(set(theirs) - set(mine))[:3]), end='')
            print(as_text(program))
    print(f'{len(programs)} programs in two models: {totals[0]} executions, {totals[1]} blocked, {totals[2]} deadlocks '
          f'specified; {wrong} disagreements')
    return wrong != 0


if __name__ == '__main__':
    sys.exit(main())
