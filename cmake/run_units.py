"""Runs every unit-test program of a build tree: run_units.py BUILD_TREE [--jobs N]

Native programs are run as they are, those of Emscripten under Node. Prints one line a program, the
whole output of a program that fails, and last "N passed, N failed" in single tests.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys


def programs(build: pathlib.Path) -> list:
    folder = build / 'tests'
    scripts = sorted(folder.glob('kvseats_test_*.js'))
    if scripts:
        # --no-experimental-fetch: Emscripten 3.1.6 would fetch() a file path.
        return [(p.stem, ['node', '--no-experimental-fetch', str(p)]) for p in scripts]
    return [(p.name, [str(p)]) for p in sorted(folder.glob('kvseats_test_*'))
            if p.is_file() and os.access(p, os.X_OK)]


def run(command: list) -> tuple:
    try:
        result = subprocess.run([*command, '--gtest_color=no'], capture_output=True, text=True,
                                errors='replace', stdin=subprocess.DEVNULL, timeout=900)
        output, status = result.stdout + result.stderr, result.returncode
    except subprocess.TimeoutExpired as error:
        output, status = f'no end after {error.timeout} s\n', -1
    passed = sum(int(n) for n in re.findall(r'\[  PASSED  \] (\d+) tests?\.', output))
    ran = sum(int(n) for n in re.findall(r'\[=+\] (\d+) tests? from .* ran\.', output))
    failed = ran - passed
    skipped = re.search(r'\[  SKIPPED \] (\d+) tests?', output)
    if skipped:
        failed -= int(skipped.group(1))
    if status != 0 or ran == 0:
        failed = max(failed, 1)  # a crash, or a program that ran nothing
    return passed, max(failed, 0), output, status


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('build', type=pathlib.Path)
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    args = parser.parse_args()
    todo = programs(args.build)
    if not todo:
        print(f'no unit tests in {args.build}')
        return 1
    total, broken = 0, 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for (name, _), (passed, failed, output, status) in zip(
                todo, pool.map(run, [command for _, command in todo])):
            total, broken = total + passed, broken + failed
            print(f'  {name}: {passed} passed' + (f' and {failed} FAILED (exit {status})' if failed
                                                 else ''), flush=True)
            if failed:
                print(output)
    print(f'{total} passed, {broken} failed')
    return 1 if broken else 0


if __name__ == '__main__':
    sys.exit(main())
