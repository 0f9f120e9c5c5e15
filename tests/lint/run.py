"""clang-tidy and cppcheck over src/: run.py [--build build/native] [--jobs N] [FILE...]

What they check is in .clang-tidy and suppressions.txt. Prints their findings and, last,
"N passed, N failed" in files.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def sources(build: pathlib.Path) -> list:
    """What the tree is built from, without generated and third-party files."""
    commands = json.loads((build / 'compile_commands.json').read_text(encoding='utf-8'))
    files = {pathlib.Path(c['directory'], c['file']).resolve() for c in commands}
    return sorted(f for f in files if (ROOT / 'src') in f.parents)


def tidy(build: pathlib.Path, file: pathlib.Path) -> list:
    """The findings in a file and in the headers that it includes."""
    result = subprocess.run(
        ['clang-tidy', '-p', str(build), '--quiet', '--extra-arg=-Wno-unknown-warning-option',
         str(file)], capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=ROOT)
    found = re.findall(r'^(?!\d+ warnings).*(?:warning|error): .*$', result.stdout, flags=re.M)
    if result.returncode != 0 and not found:
        found = [f'{file}: clang-tidy ended with {result.returncode}: {result.stderr[-500:]}']
    return [line.replace(f'{ROOT}/', '') for line in found]


def cppcheck(jobs: int) -> list:
    """Over all of src/ at once."""
    result = subprocess.run(
        ['cppcheck', '--enable=warning,performance,portability', '--std=c++20', '--language=c++',
         '--inline-suppr', '--quiet', '--error-exitcode=1', '-j', str(jobs), '-I', 'src',
         '--suppressions-list=tests/lint/suppressions.txt', '--template={file}:{line}: {id}: '
         '{message}', 'src'], capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=ROOT)
    return [line for line in result.stderr.splitlines() if re.match(r'[\w/.]+:\d+: ', line)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--build', type=pathlib.Path, default=ROOT / 'build/native')
    parser.add_argument('--jobs', type=int, default=int(os.environ.get('KVSEATS_JOBS',
                                                                       os.cpu_count() or 1)))
    parser.add_argument('--only', choices=('clang-tidy', 'cppcheck'))
    parser.add_argument('files', nargs='*', type=pathlib.Path)
    args = parser.parse_args()
    findings, passed, failed = set(), 0, 0
    if args.only != 'cppcheck':
        files = [f.resolve() for f in args.files] or sources(args.build)
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for found in pool.map(lambda file: tidy(args.build, file), files):
                new = set(found) - findings  # a header's findings come with every file
                findings |= new
                passed, failed = passed + (not found), failed + bool(found)
                for line in sorted(new):
                    print(f'  {line}', flush=True)
    if args.only != 'clang-tidy':
        found = cppcheck(args.jobs)
        passed, failed = passed + (not found), failed + len(found)
        for line in found:
            print(f'  cppcheck: {line}')
    print(f'{passed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
