"""Runs the benchmarks and holds them against budget.txt and ratios.txt:
check.py PROGRAM [--wasm NODE_PROGRAM] [--js NODE_PROGRAM] [BENCHMARK OPTION...]

Budgets are medians of CPU time in nanoseconds. A budget without a benchmark is reported. Ratios
are of two times of this run: of the core to a reference, of ten times as much to as much.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile


def budgets() -> dict[str, float]:
    lines = pathlib.Path(__file__).with_name('budget.txt').read_text().splitlines()
    words = (line.split('#')[0].split() for line in lines)
    return {line[0]: float(line[1]) for line in words if line}


def native(program: str, options: list[str]) -> dict[str, float]:
    """The medians of Google Benchmark, in nanoseconds."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / 'out.json'
        subprocess.run([program, '--benchmark_repetitions=5', '--benchmark_min_time=0.1',
                        '--benchmark_enable_random_interleaving=true',
                        '--benchmark_report_aggregates_only=true', f'--benchmark_out={out}',
                        '--benchmark_out_format=json', *options], check=True,
                       stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        results = json.loads(out.read_text())['benchmarks']
    scale = {'ns': 1, 'us': 1e3, 'ms': 1e6, 's': 1e9}
    return {r['run_name']: r['cpu_time'] * scale[r['time_unit']] for r in results
            if r.get('aggregate_name') == 'median'}


def wasm(program: str) -> dict[str, float]:
    """Lines `name nanoseconds`, from Node.js (why without fetch: tests/CMakeLists.txt)."""
    out = subprocess.run(['node', '--no-experimental-fetch', program], check=True, text=True,
                         stdout=subprocess.PIPE, stdin=subprocess.DEVNULL).stdout
    return {name: float(time) for name, time in map(str.split, out.splitlines())}


def ratios(medians: dict[str, float]) -> tuple[int, int]:
    """Prints the table; how many are within their limit, and how many are not."""
    passed = failed = 0
    for line in pathlib.Path(__file__).with_name('ratios.txt').read_text().splitlines():
        if not line or line.startswith('#'):
            continue
        above, below, limit, what = line.split(None, 3)
        if above not in medians or below not in medians:
            print(f'  {what:56} not measured')
            continue
        ratio, most = medians[above] / medians[below], float(limit)
        passed, failed = passed + (ratio <= most), failed + (ratio > most)
        print(f'  {what:56} {ratio:8.2f} times, of {most:g}' + ('' if ratio <= most else
                                                               '  TOO MUCH'))
    return passed, failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('program')
    parser.add_argument('--wasm')
    parser.add_argument('--js')
    args, options = parser.parse_known_args()
    budget = budgets()
    medians = native(args.program, options) | (wasm(args.wasm) if args.wasm else {})
    medians |= wasm(args.js) if args.js else {}
    passed = failed = 0
    for name, time in medians.items():
        limit = budget.get(name)
        verdict = ''
        if limit is not None:
            passed, failed = passed + (time <= limit), failed + (time > limit)
            verdict = f'of {limit:12,.0f}' + ('' if time <= limit else '  TOO SLOW')
        print(f'  {name:40} {time:12,.0f} ns {verdict}')
    for name in budget.keys() - medians.keys():
        print(f'  {name:40} not measured')
    within, beyond = ratios(medians)
    passed, failed = passed + within, failed + beyond
    print(f'{passed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
