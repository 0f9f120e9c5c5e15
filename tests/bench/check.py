"""Runs the benchmarks and holds them against budget.txt:
check.py PROGRAM [--wasm NODE_PROGRAM] [BENCHMARK OPTION...]

Budgets are medians of CPU time in nanoseconds. A budget without a benchmark is reported.
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('program')
    parser.add_argument('--wasm')
    args, options = parser.parse_known_args()
    budget = budgets()
    medians = native(args.program, options) | (wasm(args.wasm) if args.wasm else {})
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
    print(f'{passed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
