"""Breaks the arithmetic on purpose, one place at a time, and sees whether a test notices.

    tests/mutate.py [--minutes 10] [--seed 1] [--room engine] [--list]

Works on a copy of the sources under build/mutate, never on the tree itself. A mutation that still
compiles and passes every unit test has survived: a missing test, or code that does nothing. Exit 1
when more than one in five survives.
"""

import argparse
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
WORK = ROOT / 'build/mutate'
# Where numbers are made; text and layout are left to their own tests.
ROOMS = ('units', 'device', 'model', 'engine', 'plan', 'scenario')
# What to look for in code, and what to put there. Spaces around keep templates and pointers out.
CHANGES = [
    (r' \+ ', ' - '), (r' - ', ' + '), (r' \* ', ' / '), (r' / ', ' * '), (r' % ', ' / '),
    (r' < ', ' <= '), (r' > ', ' >= '), (r' <= ', ' < '), (r' >= ', ' > '), (r' == ', ' != '),
    (r' != ', ' == '), (r' && ', ' || '), (r' \|\| ', ' && '), (r' \+= ', ' -= '),
    (r'\bstd::min\b', 'std::max'), (r'\bstd::max\b', 'std::min'), (r'\b1024\b', '1000'),
    (r'(?<=[ (])1(?=[,;) ])', '2'), (r'(?<=[ (])0(?=[,;) ])', '1'), (r'\btrue\b', 'false'),
]


def places(rooms: tuple) -> list:
    """(file, start, end, new text) of every possible mutation."""
    sys.path.insert(0, str(ROOT / 'tests/arch'))
    from rules import blank
    found = []
    for room in rooms:
        for path in sorted((ROOT / 'src' / room).rglob('*.cpp')):
            code = blank(path.read_text(encoding='utf-8'))
            code = re.sub(r'^[ \t]*(#|template|static_assert|using).*$',
                          lambda m: ' ' * len(m.group(0)), code, flags=re.M)
            for pattern, new in CHANGES:
                for match in re.finditer(pattern, code):
                    found.append((path.relative_to(ROOT), match.start(), match.end(), new))
    return found


def run(*command: str, seconds: float) -> int:
    try:
        return subprocess.run(command, cwd=WORK / 'tree', stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              timeout=seconds).returncode
    except subprocess.TimeoutExpired:
        return -1


def build() -> int:
    return run('cmake', '--build', str(WORK / 'build'), '--', '--quiet', seconds=900)


def tests() -> int:
    # A mutation may loop for ever: that counts as noticed.
    return run(sys.executable, 'cmake/run_units.py', str(WORK / 'build'), seconds=120)


def prepare() -> bool:
    tree = WORK / 'tree'
    shutil.rmtree(tree, ignore_errors=True)
    tree.mkdir(parents=True)
    for name in ('src', 'tests/unit', 'tests/cases', 'tests/data', 'cmake', 'assets'):
        if (ROOT / name).exists():
            shutil.copytree(ROOT / name, tree / name)
    for name in ('CMakeLists.txt', 'tests/CMakeLists.txt'):
        shutil.copy(ROOT / name, tree / name)
    return run('cmake', '-G', 'Ninja', '-S', '.', '-B', str(WORK / 'build'), '-DKVSEATS_UI=OFF',
               '-DKVSEATS_BENCH=OFF', '-DKVSEATS_WERROR=OFF', '-DCMAKE_BUILD_TYPE=Debug',
               f'-DKVSEATS_DEPS_DIR={ROOT / "build/deps"}', seconds=300) == 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--minutes', type=float, default=10)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--room', action='append')
    parser.add_argument('--list', action='store_true', help='print every possible mutation')
    args = parser.parse_args()
    todo = places(tuple(args.room or ROOMS))
    if args.list:
        for path, start, end, new in todo:
            line = (ROOT / path).read_text(encoding='utf-8').count('\n', 0, start) + 1
            print(f'{path}:{line}:{new}')
        return 0
    if not prepare() or build() != 0 or tests() != 0:
        print('mutate: the untouched sources do not build or do not pass')
        return 1
    random.Random(args.seed).shuffle(todo)
    until, noticed, survived = time.monotonic() + args.minutes * 60, 0, []
    for path, start, end, new in todo:
        if time.monotonic() > until:
            break
        file = WORK / 'tree' / path
        text = file.read_text(encoding='utf-8')
        file.write_text(text[:start] + new + text[end:], encoding='utf-8')
        try:
            if build() != 0:
                continue  # no program, no mutation
            if tests() != 0:
                noticed += 1
            else:
                number = text.count('\n', 0, start)
                survived.append(f'{path}:{number + 1}: {text.splitlines()[number].strip()}'
                                f'   ({text[start:end].strip()} -> {new.strip()})')
                print(f'  survived  {survived[-1]}', flush=True)
        finally:
            file.write_text(text, encoding='utf-8')
    total = noticed + len(survived)
    print(f'{noticed} of {total} mutations noticed, out of {len(todo)} possible ones')
    return 1 if total and len(survived) > total / 5 else 0


if __name__ == '__main__':
    sys.exit(main())
