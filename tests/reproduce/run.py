"""A clean build elsewhere gives the same site: run.py [--jobs N] [--keep]

Takes the sources as they are now to another folder under build/, builds the wasm there from nothing
(no ccache, another time zone, other times of files), assembles the site, and compares it with
build/site and build/npm file by file. What is in build/ may have come step by step; both must be the
same bytes. Negative control: a byte that differs is noticed. Last line: "N passed, N failed".
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLACE = ROOT / 'build/elsewhere'


def copy_sources(to: pathlib.Path) -> None:
    """What git knows or would take, and ImGui, which ./dev has fetched."""
    listed = subprocess.run(['git', 'ls-files', '-z', '-co', '--exclude-standard'], cwd=ROOT,
                            capture_output=True, check=True).stdout
    for name in filter(None, listed.decode().split('\0')):
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, to / name)
    shutil.copytree(ROOT / 'build/deps/imgui', to / 'build/deps/imgui', copy_function=shutil.copyfile)


def build(tree: pathlib.Path, jobs: int) -> None:
    stated = (ROOT / 'build/wasm/generated/commit.h').read_text(encoding='utf-8')
    environment = {**os.environ, 'CCACHE_DISABLE': '1', 'TZ': 'Pacific/Auckland',
                   'KVSEATS_COMMIT': re.search(r'"(.*)"', stated).group(1)}
    for command in (['cmake', '--preset', 'wasm'],
                    ['cmake', '--build', 'build/wasm', '-j', str(jobs), '--target', 'kvseats_site',
                     '--', '--quiet'],
                    [sys.executable, 'cmake/assemble_site.py', '--wasm', 'build/wasm', '--web', 'web',
                     '--out', 'build/site', '--npm', 'build/npm']):
        result = subprocess.run(command, cwd=tree, env=environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if result.returncode != 0:
            sys.exit(f'{" ".join(command)}\n{result.stdout[-4000:]}\n0 passed, 1 failed')


def contents(folder: pathlib.Path) -> dict:
    return {path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob('*')) if path.is_file()}


def differences(first: dict, second: dict) -> list:
    """Names of files that are not the same in both, and how."""
    found = []
    for name in sorted(first.keys() | second.keys()):
        one, other = first.get(name), second.get(name)
        if one is None or other is None:
            found.append(f'{name} is only {"here" if other is None else "elsewhere"}')
        elif one != other:
            at = next((i for i, (a, b) in enumerate(zip(one, other)) if a != b),
                      min(len(one), len(other)))
            found.append(f'{name} differs at byte {at} of {len(one)}: '
                         f'{one[max(0, at - 20):at + 20]!r} here, {other[max(0, at - 20):at + 20]!r}')
    return found


def names_a_place(files: dict) -> list:
    """Files that hold a path of this machine."""
    words = [str(ROOT).encode(), str(PLACE).encode(), b'/usr/share/emscripten']
    return [f'{name} names {word.decode()}' for name, data in files.items() for word in words
            if word in data]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--jobs', type=int, default=int(os.environ.get('KVSEATS_JOBS',
                                                                       os.cpu_count() or 1)))
    parser.add_argument('--keep', action='store_true', help='the other build stays where it is')
    args = parser.parse_args()
    shutil.rmtree(PLACE, ignore_errors=True)
    tree = PLACE / 'deeper/tree'
    copy_sources(tree)
    build(tree, args.jobs)
    compared, found = 0, []
    for folder in ('build/site', 'build/npm'):
        here, there = contents(ROOT / folder), contents(tree / folder)
        compared += len(here)
        found += [f'{folder}/{line}' for line in differences(here, there) + names_a_place(here)]
    page = contents(ROOT / 'build/site')
    changed = {**page, 'index.html': page['index.html'][:-1] + b'?'}
    if len(differences(page, changed)) != 1 or names_a_place({'a': str(ROOT).encode()}) == []:
        found.append('a difference is not noticed')
    for line in found:
        print(f'  {line}')
    if not args.keep:
        shutil.rmtree(PLACE)
    print(f'{compared + 1 - min(compared, len(found))} passed, {len(found)} failed')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
