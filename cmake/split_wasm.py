"""Cuts a wasm module into what is needed first and the rest, which is fetched later:
split_wasm.py --tools FOLDER --later EXPORT[,EXPORT...] [--uncalled REGEX] IN FIRST REST

The exports named by --later, and every function that only they reach, go to REST; all else stays in
FIRST. Both are one program: REST works on the memory and the tables of FIRST, so nothing is in both,
no handle is made twice, and an export is called the same way wherever it lies. Whoever loads them
gives FIRST any function for its imports from `later`, and REST the exports of FIRST as `first`.
Calling a later export before REST is there calls such a function.

What reaches what is read off the module itself. A function whose address is taken counts as reached
by FIRST, since nobody can tell who calls it, unless its name begins with what --uncalled matches:
the program answers for it that FIRST calls none of those before REST is there. IN needs the names of its functions
(--profiling-funcs); FIRST and REST have none.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

CALL = re.compile(r'^  "(.*)" -> "(.*)"; // call$')
NODE = re.compile(r'^  "(.*)" \[style="filled(, rounded)?"(?:, fillcolor="(\w+)")?\];$')
EXPORT = re.compile(r'^ \(export "(.*)" \(func \$(.*)\)\)$')


def run(*command) -> str:
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if result.returncode:
        sys.exit(f'split_wasm: {command[0]} failed\n{result.stderr}')
    return result.stdout


def call_graph(text: str):
    """Of Binaryen's call graph: all functions with a body, those in a table, who calls whom."""
    bodies, tabled, calls = set(), set(), {}
    for line in text.splitlines():
        if call := CALL.match(line):
            calls.setdefault(call[1], set()).add(call[2])
        elif node := NODE.match(line):
            if node[2]:
                tabled.add(node[1])
            elif node[3] == 'white':
                bodies.add(node[1])
    return bodies, tabled, calls


def reached(roots: set, calls: dict) -> set:
    seen, todo = set(), list(roots)
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo.extend(calls.get(name, ()))
    return seen


def later_functions(tools: pathlib.Path, module: str, later: set, uncalled) -> list:
    bodies, tabled, calls = call_graph(run(tools / 'wasm-opt', module, '--print-call-graph'))
    exports = dict(match.groups() for line in run(tools / 'wasm-dis', module).splitlines()
                   if (match := EXPORT.match(line)))
    if missing := later - exports.keys():
        sys.exit(f'split_wasm: {module} does not export {", ".join(sorted(missing))}')
    tabled = {name for name in tabled if not (uncalled and re.match(uncalled, name))}
    roots = {function for name, function in exports.items() if name not in later}
    return sorted(bodies - reached(roots | tabled, calls))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--tools', type=pathlib.Path, required=True, help="Binaryen's programs")
    parser.add_argument('--later', required=True)
    parser.add_argument('--uncalled')
    parser.add_argument('module')
    parser.add_argument('first')
    parser.add_argument('rest')
    args = parser.parse_args()
    moved = later_functions(args.tools, args.module, set(args.later.split(',')), args.uncalled)
    with tempfile.TemporaryDirectory() as folder:
        names, halves = pathlib.Path(folder) / 'names', {}
        names.write_text('\n'.join(moved))
        for half in ('first', 'rest'):
            halves[half] = pathlib.Path(folder) / half
        run(args.tools / 'wasm-split', '--enable-mutable-globals', args.module,
            f'--split-funcs=@{names}', '-o1', halves['first'], '-o2', halves['rest'],
            '--import-namespace=first', '--placeholder-namespace=later')
        for half, path in halves.items():
            run(args.tools / 'wasm-opt', '--enable-mutable-globals', '-Oz', '--converge', path,
                '-o', getattr(args, half))
    print(f'{args.module}: {len(moved)} functions are fetched later')


if __name__ == '__main__':
    main()
