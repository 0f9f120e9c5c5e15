"""Runs the benchmarks and holds them against budget.txt: check.py PROGRAM [BENCHMARK OPTION...]

Budgets are medians of CPU time in nanoseconds. A budget without a benchmark is reported.
"""

import json
import pathlib
import subprocess
import sys
import tempfile


def main() -> int:
    program, *options = sys.argv[1:]
    budget = {}
    for line in pathlib.Path(__file__).with_name('budget.txt').read_text().splitlines():
        line = line.split('#')[0].split()
        if line:
            budget[line[0]] = float(line[1])
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / 'out.json'
        subprocess.run([program, '--benchmark_repetitions=5', '--benchmark_min_time=0.1',
                        '--benchmark_enable_random_interleaving=true',
                        '--benchmark_report_aggregates_only=true', f'--benchmark_out={out}',
                        '--benchmark_out_format=json', *options], check=True,
                       stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
        results = json.loads(out.read_text())['benchmarks']
    scale = {'ns': 1, 'us': 1e3, 'ms': 1e6, 's': 1e9}
    medians = {r['run_name']: r['cpu_time'] * scale[r['time_unit']] for r in results
               if r.get('aggregate_name') == 'median'}
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
