"""clang-tidy and cppcheck over src/: run.py [--build build/native] [--jobs N] [--fresh] [FILE...]

What they check is in .clang-tidy and suppressions.txt. A file in which clang-tidy found nothing is
looked at again when it, a header that it includes, its command, the checks or clang-tidy changed
(BUILD/lint has the marks); `--fresh` looks at all. Prints findings and, last, "N passed, N failed"
in files.
"""

import argparse
import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def sources(build: pathlib.Path) -> dict:
    """What the tree is built from, without generated and third-party files: file -> command."""
    commands = json.loads((build / 'compile_commands.json').read_text(encoding='utf-8'))
    files = {pathlib.Path(c['directory'], c['file']).resolve(): c['command'] for c in commands}
    return {f: files[f] for f in sorted(files) if (ROOT / 'src') in f.parents}


@functools.lru_cache(maxsize=None)
def place(build: pathlib.Path, name: str) -> pathlib.Path:
    return (build / name).resolve()


def headers(build: pathlib.Path) -> dict:
    """file -> all files that the compiler read for it, as ninja noted them."""
    listed = subprocess.run(['ninja', '-C', str(build), '-t', 'deps'], capture_output=True, text=True,
                            stdin=subprocess.DEVNULL, check=True).stdout
    found = {}
    for block in listed.split('\n\n'):
        read = [place(build, line.strip()) for line in block.splitlines()[1:]]
        if read:
            found[read[0]] = read
    return found


@functools.lru_cache(maxsize=None)
def content(file: pathlib.Path) -> bytes:
    return hashlib.sha256(file.read_bytes()).digest() if file.exists() else b''


def mark(file: pathlib.Path, command: str, read: list, tool: str) -> str:
    """What a finding of clang-tidy in this file depends on, as one word."""
    whole = hashlib.sha256(f'{tool}\n{command}\n'.encode() + content(ROOT / '.clang-tidy'))
    for each in [file, *sorted(read)]:
        whole.update(str(each).encode() + content(each))
    return whole.hexdigest()


def tidy(build: pathlib.Path, file: pathlib.Path) -> list:
    """The findings in a file and in the headers that it includes."""
    result = subprocess.run(
        ['clang-tidy', '-p', str(build), '--quiet', '--extra-arg=-Wno-unknown-warning-option',
         str(file)], capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=ROOT)
    found = re.findall(r'^(?!\d+ warnings).*(?:warning|error): .*$', result.stdout, flags=re.M)
    if result.returncode != 0 and not found:
        found = [f'{file}: clang-tidy ended with {result.returncode}: {result.stderr[-500:]}']
    return [line.replace(f'{ROOT}/', '') for line in found]


def tidy_all(build: pathlib.Path, jobs: int, wanted: list, fresh: bool) -> tuple:
    """Over the files that changed since nothing was found in them: (passed, failed)."""
    commands, read = sources(build), headers(build)
    tool = subprocess.run(['clang-tidy', '--version'], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, check=True).stdout
    marks = build / 'lint'
    marks.mkdir(exist_ok=True)

    def one(file: pathlib.Path) -> list:
        noted = marks / '.'.join(file.relative_to(ROOT / 'src').parts)
        now = mark(file, commands[file], read.get(file, []), tool)
        if not fresh and file in read and noted.exists() and noted.read_text() == now:
            return []
        found = tidy(build, file)
        if not found:
            noted.write_text(now)
        return found

    passed = failed = 0
    told = set()  # a header's findings come with every file
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for found in pool.map(one, wanted or commands):
            passed, failed = passed + (not found), failed + bool(found)
            for line in sorted(set(found) - told):
                print(f'  {line}', flush=True)
            told |= set(found)
    return passed, failed


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
    parser.add_argument('--fresh', action='store_true')
    parser.add_argument('files', nargs='*', type=pathlib.Path)
    args = parser.parse_args()
    passed, failed = 0, 0
    if args.only != 'cppcheck':
        passed, failed = tidy_all(args.build.resolve(), args.jobs, [f.resolve() for f in args.files],
                                  args.fresh)
    if args.only != 'clang-tidy':
        found = cppcheck(args.jobs)
        passed, failed = passed + (not found), failed + len(found)
        for line in found:
            print(f'  cppcheck: {line}')
    print(f'{passed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
