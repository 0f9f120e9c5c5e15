"""Breaks the arithmetic on purpose, one place at a time, and sees whether a test notices.

    tests/mutate.py [--sample 400 | --all] [--seed 1] [--room engine] [--program engine] [--minutes N]
                    [--patience SECONDS] [--wrong] [--list] [--only NUMBER]

A copy of the sources under build/mutate gets a switch at every place (mutate/places.py), is built
once, and runs with one switch on: the tests that come by the place, quick ones first, until one
notices. A mutant that nobody notices has survived: a missing test, or code that
does nothing; those with a reason are in mutate/survivors.txt. Wrong formulas of others
(mutate/wrong.py) come first, and each must be noticed.

Exit 1 when fewer than nine in ten are noticed, when one survives without a reason, or when a wrong
formula passes.
"""

import argparse
import concurrent.futures as futures
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
WORK = ROOT / 'build/mutate'
TREE = WORK / 'tree'
FOLDER = ROOT / 'tests/mutate'
sys.path.insert(0, str(FOLDER))
import places  # noqa: E402
import wrong  # noqa: E402

# Where numbers are made; text and layout are left to their own tests.
ROOMS = ('units', 'model', 'engine', 'traffic', 'plan')
PROGRAMS = ('units', 'model', 'engine', 'traffic', 'plan', 'device', 'catalogue', 'import', 'logs',
            'cases', 'scenario', 'cli', 'capi')
JOBS = int(os.environ.get('KVSEATS_JOBS', os.cpu_count()))
WAITED = 1000  # the exit code of what neither ended nor did anything


# ---- the copy with switches ---------------------------------------------------------------------

def write(path: pathlib.Path, text: str) -> None:
    """Only when it says something new, so that only what changed is built."""
    if path.exists() and path.read_text(encoding='utf-8') == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding='utf-8')


def mirror(name: str, but: set) -> None:
    source = ROOT / name
    for path in [source] if source.is_file() else source.rglob('*'):
        target = TREE / path.relative_to(ROOT)
        if path.is_dir() or target in but:
            continue
        if target.exists() and target.read_bytes() == path.read_bytes():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)


def run(*command: str, seconds: float, cwd=TREE, env=None) -> subprocess.CompletedProcess:
    try:
        return subprocess.run(command, cwd=cwd, stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds,
                              errors='replace', env={**os.environ, **(env or {})})
    except subprocess.TimeoutExpired as error:
        return subprocess.CompletedProcess(command, WAITED, str(error.stdout or ''))


def write_tree(rooms: tuple, dropped: set) -> list:
    """Writes the sources with switches; gives all mutants. Wrong formulas have the first numbers."""
    formulas = dict(enumerate(wrong.FORMULAS, 1))
    files = {str(p.relative_to(ROOT)) for room in rooms for p in (ROOT / 'src' / room).rglob('*')
             if p.suffix in ('.cpp', '.h')}
    mutants, number = [], len(formulas) + 1
    for name in sorted(files | {f.path for f in formulas.values()}):
        text = (ROOT / name).read_text(encoding='utf-8')
        for own, formula in formulas.items():
            if formula.path != name:
                continue
            if text.count(formula.right) != 1:
                sys.exit(f'mutate: {name} no longer says "{formula.right}": see mutate/wrong.py')
            text = text.replace(formula.right, formula.wrong.replace('$ON', f'kvm::on<{own}>()'))
        if name in files:
            # Of headers only the operators: their numbers are defaults, which most callers set.
            text, found, number = places.switched(text, name, number, dropped,
                                                  constants=name.endswith('.cpp'))
            mutants += found
        write(TREE / name, text)
    for name in ('src', 'tests', 'cmake', 'assets', 'shaders', 'CMakeLists.txt', 'ACCURACY.md'):
        mirror(name, {TREE / file for file in files | {f.path for f in formulas.values()}})
    return mutants


def configure() -> bool:
    switches = FOLDER / 'switches'
    result = run('cmake', '-G', 'Ninja', '-S', '.', '-B', str(WORK / 'build'), '-DKVSEATS_UI=OFF',
                 '-DKVSEATS_BENCH=OFF', '-DKVSEATS_WERROR=OFF', '-DCMAKE_BUILD_TYPE=None',
                 f'-DCMAKE_CXX_FLAGS=-std=c++20 -O1 -w -Wno-narrowing -include {switches}.h',
                 f'-DKVSEATS_SWITCHES={switches}.cpp',
                 f'-DKVSEATS_DEPS_DIR={ROOT / "build/deps"}', seconds=600)
    if result.returncode != 0:
        print(result.stdout)
    return result.returncode == 0


def refused(output: str, mutants: list) -> set:
    """Numbers of the mutants that a compiler's complaints are about: by the switch that it names,
    else all on that line."""
    bad, context = set(), []
    for line in output.splitlines():
        context = [] if line.startswith('FAILED') else [*context[-12:], line]
        place = re.search(r'(?:^|/)(src/[\w/.]+):(\d+):\d+: error', line)
        inner = re.search(r'switches\.h:\d+:\d+: error', line)
        if inner:
            named = re.findall(r'\bId = (\d+)', ' '.join(context))
            bad |= {int(n) for n in named[-1:]}
            for spot in context[::-1]:
                place = re.search(r'(?:^|/)(src/[\w/.]+):(\d+):\d+:\s+required', spot)
                if place:
                    break
        if place:
            at = (place.group(1), int(place.group(2)))
            bad |= {m.number for m in mutants if m.path == at[0] and abs(m.line - at[1]) <= 1}
    return bad


def build(rooms: tuple, programs: tuple) -> list | None:
    """All that compiles. Places that the types forbid are dropped in a few rounds."""
    dropped = set()
    targets = [f'kvseats_test_{name}' for name in programs]
    for attempt in range(12):
        mutants = write_tree(rooms, dropped)
        if not (WORK / 'build/build.ninja').exists() and not configure():
            return None
        result = run('cmake', '--build', str(WORK / 'build'), '-j', str(JOBS), '--target', *targets,
                     '--', '-k', '0', seconds=7200)
        (WORK / f'build.{attempt}.log').write_text(result.stdout, encoding='utf-8')
        if result.returncode == 0:
            return mutants
        more = refused(result.stdout, mutants) - dropped
        print(f'  {len(more)} places that the compiler refuses', flush=True)
        if not more:
            print(result.stdout[-3000:])
            return None
        dropped |= more
    return None


# ---- tests --------------------------------------------------------------------------------------

def test_program(name: str) -> str:
    return str(WORK / f'build/tests/kvseats_test_{name}')


def listed(program: str) -> list:
    found, suite = [], ''
    for line in run(test_program(program), '--gtest_list_tests', seconds=60).stdout.splitlines():
        if not line.startswith(' '):
            suite = line.split()[0]
        else:
            found.append(suite + line.split()[0])
    return found


def watched(program: str, test: str) -> tuple | None:
    """The test, its milliseconds, the mutants it comes by and those that exist. By itself, so that
    what a program keeps from one test to the next counts for both."""
    marks = WORK / f'reached.{program}.{test.replace("/", "-")}'
    result = run(test_program(program), f'--gtest_filter={test}', seconds=1800,
                 env={'KVSEATS_REACHED': str(marks)})
    if result.returncode != 0:
        print(f'mutate: with every switch off {program} fails\n{result.stdout[-3000:]}')
        return None
    time_ms, reached, usable = (list(map(int, line.split()[1:])) for line in
                                marks.read_text(encoding='utf-8').splitlines())
    marks.unlink()
    return test, time_ms[0], reached, usable


class Suite:
    """Which tests come by which mutant, and how long each takes."""

    def __init__(self, programs: tuple, patience: float = 5) -> None:
        self.programs = programs
        self.patience = patience * 1000
        self.tests, self.usable = {}, set()  # by mutant: (milliseconds, program, test)

    def measure(self) -> bool:
        return all([self.learn(name) for name in self.programs])

    def learn(self, program: str) -> bool:
        """What comes by what; kept beside the program for as long as that stays as it is."""
        kept = WORK / f'reached.{program}.json'
        built = pathlib.Path(test_program(program)).stat().st_mtime_ns
        known = json.loads(kept.read_text(encoding='utf-8')) if kept.exists() else {}
        if known.get('built') != built:
            with futures.ThreadPoolExecutor(JOBS) as pool:
                runs = list(pool.map(lambda test: watched(program, test), listed(program)))
            if None in runs:
                return False
            known = {'built': built, 'runs': runs}
            kept.write_text(json.dumps(known), encoding='utf-8')
        for test, time_ms, reached, usable in known['runs']:
            self.usable |= set(usable)
            for number in reached:
                self.tests.setdefault(number, []).append((time_ms, program, test))
        return True

    def waves(self, number: int):
        """What comes by it, quick tests first: those of an eighth of a second together, of a second,
        of `patience`. What would take longer is left out: a mutant that only such tests notice has
        survived. Yields (program, tests, milliseconds)."""
        sums, wave = (125, 1000, self.patience), ({}, {}, {})
        spent = 0
        for time_ms, program, test in sorted(self.tests.get(number, ())):
            spent += time_ms + 1
            level = sum(spent > most for most in sums)
            if level < len(wave):
                wave[level].setdefault(program, []).append((time_ms, test))
        for programs in wave:
            for program, tests in sorted(programs.items(), key=lambda p: sum(t for t, _ in p[1])):
                yield program, [name for _, name in tests], sum(t for t, _ in tests)

    def notices(self, number: int) -> str:
        """How: 'failed', or 'endless' for what runs more than ten times as long as it should (a
        loop that a counter no longer ends); '' for not at all."""
        for program, tests, time_ms in self.waves(number):
            # Processor time, not that of the clock: a busy machine kills nothing.
            limit = 3 + time_ms // 100
            result = run('prlimit', f'--cpu={limit}', '--as=4000000000', '--core=0',
                         test_program(program), '--gtest_fail_fast',
                         '--gtest_brief=1', '--gtest_filter=' + ':'.join(tests),
                         env={'KVSEATS_MUTANT': str(number)}, seconds=60 * limit)
            if result.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
                return 'endless'
            if result.returncode not in (0, WAITED):
                return 'failed'
        return ''


def reasons() -> dict:
    """Of mutants that may survive: a line with the mutant, below it why, indented."""
    path, found, key = FOLDER / 'survivors.txt', {}, None
    for line in path.read_text(encoding='utf-8').splitlines() if path.exists() else ():
        if line.startswith('#') or not line.strip():
            continue
        if line.startswith(' '):
            found[key] = line.strip()
        else:
            key = line.strip()
    return found


def tried(suite: Suite, numbers: list, minutes: float = 600):
    """How each is noticed, in their order, until the time is over."""
    until = time.monotonic() + minutes * 60
    with futures.ThreadPoolExecutor(JOBS) as pool:
        for how in pool.map(lambda n: suite.notices(n) if time.monotonic() < until else None,
                            numbers):
            if how is None:
                return
            yield how


def try_formulas(suite: Suite) -> int:
    missed = 0
    for formula, how in zip(wrong.FORMULAS, tried(suite, range(1, len(wrong.FORMULAS) + 1))):
        missed += not how
        print(f'  {"noticed " if how else "SURVIVED"}  {formula.name}', flush=True)
    return missed


def room_of(mutant) -> str:
    return mutant.path.split('/')[1]


def try_mutants(suite: Suite, chosen: list, minutes: float) -> int:
    known, survived, excused = reasons(), [], 0
    noticed = {room: 0 for room in ROOMS}
    endless, total = 0, {room: 0 for room in ROOMS}
    for mutant, how in zip(chosen, tried(suite, [m.number for m in chosen], minutes)):
        total[room_of(mutant)] += 1
        noticed[room_of(mutant)] += bool(how)
        endless += how == 'endless'
        if how:
            continue
        survived.append(mutant)
        excused += mutant.key() in known
        run_by = 'no test comes by it' if mutant.number not in suite.tests else \
            known.get(mutant.key(), 'no reason given')
        print(f'  survived  {mutant.path}:{mutant.line}: {mutant.code}   '
              f'({mutant.old} -> {mutant.new})  [{mutant.number}: {run_by}]', flush=True)
    for room in ROOMS:
        print(f'  {room:8} {noticed[room]:5} of {total[room]:5} noticed')
    share = sum(noticed.values()) / max(sum(total.values()), 1)
    print(f'  {sum(noticed.values())} of {sum(total.values())} mutants noticed ({share:.1%}), '
          f'{endless} of them because the test no longer ended; of {len(survived)} survivors '
          f'{excused} have a reason')
    return (share < 0.9) + (excused < len(survived))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--sample', type=int, default=400)
    parser.add_argument('--all', action='store_true')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--room', action='append', choices=ROOMS, help='of the sample, only these')
    parser.add_argument('--program', action='append', choices=PROGRAMS,
                        help='only these test programs: quicker to build, and fewer notice')
    parser.add_argument('--minutes', type=float, default=600)
    parser.add_argument('--patience', type=float, default=5,
                        help='most seconds of tests for one mutant')
    parser.add_argument('--wrong', action='store_true', help='only the wrong formulas of others')
    parser.add_argument('--list', action='store_true', help='print every possible mutation')
    parser.add_argument('--only', type=int, action='append', help='these mutants, by number')
    args = parser.parse_args()
    # Numbers are those of all rooms, so that a mutant keeps its own.
    programs = tuple(args.program or PROGRAMS)
    mutants = build(ROOMS, programs)
    suite = Suite(programs, args.patience)
    if mutants is None or not suite.measure():
        return 1
    usable = [m for m in mutants if m.number in suite.usable]
    print(f'  {len(usable)} mutants in {len({(m.path, m.line) for m in usable})} lines')
    if args.list:
        for mutant in usable:
            print(f'{mutant.number}\t{mutant.key()}')
        return 0
    bad = try_formulas(suite) if not args.only else 0
    if not args.wrong:
        # Each has its place by what it says: a change elsewhere moves no other into the sample.
        usable.sort(key=lambda m: random.Random(f'{args.seed} {m.key()}').random())
        chosen = usable if args.all or args.only else usable[:args.sample]
        rooms = args.room or ROOMS
        chosen = [m for m in chosen if room_of(m) in rooms and m.number in (args.only or [m.number])]
        bad += try_mutants(suite, chosen, args.minutes)
    print(f'{0 if bad else 1} passed, {bad} failed')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
