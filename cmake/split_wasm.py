"""Cuts a wasm module into parts that are fetched one after the other:
split_wasm.py --tools FOLDER --object FILE --map FILE IN FIRST --part FILE ENTRIES CLOSED …

FIRST gets all that no part asks for. A part has the exports that match ENTRIES (a regular
expression), and every function and datum that only they, and entries of later parts, need. All parts
are one program: they work on the memory and the tables of FIRST, so nothing is in two of them, no
handle is made twice, and an export is called the same way wherever it lies. Whoever loads them gives
FIRST any function for its imports from `later`, and every part, in order, the exports of FIRST as
`first`, those of the parts before it as `part1` …, and what comes from outside; parts may be left
out from the end. Calling an export before its part is there calls one
of those functions.

What needs what is read off the linker's object file (wasm_uses.py). A function whose address is
taken may be called by whoever can read that address, unless its name in the object matches CLOSED of
a part that is not there yet: the program answers for it that none of those is called before. `-`
closes nothing. IN must have the names of that file
(--profiling-funcs, no demangling); what comes out has none.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import wasm_binary as wasm
from order_wasm import ordered
from wasm_uses import Uses

CALL = re.compile(r'^  "(.*)" -> "(.*)"; // call$')
NODE = re.compile(r'^  "(.*)" \[style="filled(, rounded)?"(?:, fillcolor="(\w+)")?\];$')
LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
NEAR = 8  # bytes between two data that cost less than a segment of their own


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


class Cutter:
    """Cuts parts off, the last one first."""

    def __init__(self, tools: pathlib.Path, folder: pathlib.Path, uses: Uses, parts: list):
        self.tools, self.folder, self.uses, self.parts = tools, folder, uses, parts
        self.lent = []  # of each part: what later ones take from it, exported name -> function

    def tool(self, name: str, *options) -> str:
        return run(self.tools / name, '--enable-mutable-globals', *options)

    def needed(self, later: list) -> set:
        """What is needed while the parts of `later` are not there."""
        functions = {node for node in self.uses.nodes if node[0] == 'function'}
        return self.uses.reached(
            {node for node in functions if any(re.fullmatch(part[1], node[1]) for part in later)},
            {node for node in functions
             if any(part[2] != '-' and re.match(part[2], node[1]) for part in later)})

    def moved(self, module: pathlib.Path, entries: set, needed: set) -> set:
        """What is reached neither from `entries` nor by an address that `needed` knows."""
        bodies, tabled, calls = call_graph(self.tool('wasm-opt', module, '--print-call-graph'))
        movable = self.uses.nodes - needed
        # The module was optimized after the object: two functions may have been found to be one, and
        # it bears either name.
        if any(name not in tabled for kind, name in self.uses.addresses(needed)):
            movable -= self.uses.alike(needed)
        movable = {name for kind, name in movable if kind == 'function'}
        roots = {function for name, function in functions_of(module).items() if name in entries}
        return bodies - reached(roots | (tabled - movable), calls)

    def cut(self, module: pathlib.Path, index: int, kept: set, needed: set):
        """The module cut in two, as files."""
        later = self.parts[index:]
        entries = {name for name in kept if not any(re.fullmatch(part[1], name) for part in later)}
        moved = self.moved(module, entries, needed)
        # What a later part takes it is given by this one itself.
        lent = {name: function for name, function in functions_of(module).items()
                if name not in kept and function in moved}
        self.lent.insert(0, lent)
        source, names = self.folder / 'source', self.folder / 'names'
        source.write_bytes(without_exports(module.read_bytes(), lent.keys()))
        names.write_text('\n'.join(sorted(moved)))
        first, rest = self.folder / f'first{index}', self.folder / f'rest{index}'
        self.tool('wasm-split', '-g', source, f'--split-funcs=@{names}', '-o1', first, '-o2', rest,
                  '--import-namespace=first', '--placeholder-namespace=later',
                  f'--export-prefix=from{index}.')
        print(f'{pathlib.Path(self.parts[index][0]).name}: {len(moved)} functions')
        return first, rest


def functions_of(module: pathlib.Path) -> dict:
    """Exported name -> the function's own name."""
    sections = wasm.read_sections(module.read_bytes())
    names = wasm.read_function_names(sections)
    return {name: names[index]
            for name, kind, index in wasm.read_exports(wasm.section(sections, wasm.EXPORT))
            if kind == wasm.FUNCTION}


def without_exports(module: bytes, names: set) -> bytes:
    sections = wasm.read_sections(module)
    exports = wasm.read_exports(wasm.section(sections, wasm.EXPORT))
    return wasm.write_sections(wasm.with_section(
        sections, wasm.EXPORT, wasm.write_exports([one for one in exports if one[0] not in names])))


def short_names():
    """a, b, … aa, ab, …: as many as are wanted."""
    yield from LETTERS
    for start in short_names():
        yield from (start + letter for letter in LETTERS)


def link_names(modules: list, kept: set, lent: list) -> list:
    """Short names for what the parts take from each other. What FIRST only hands on from outside,
    they import from there themselves."""
    fresh = (name for name in short_names() if name not in kept)
    places, linked = {}, []  # name given by wasm-split -> (module, name)
    for at, sections in enumerate(modules):
        outside = [item for item in wasm.read_imports(wasm.section(sections, wasm.IMPORT))
                   if item[2] == wasm.FUNCTION]
        exports = []
        for name, kind, index in wasm.read_exports(wasm.section(sections, wasm.EXPORT)):
            if kind == wasm.FUNCTION and index < len(outside) and name not in kept:
                places[name] = outside[index][:2]
                continue
            places[name] = ('first', name if name in kept else next(fresh))
            exports.append((places[name][1], kind, index))
        if at:
            indexes = {name: index for index, name in wasm.read_function_names(sections).items()}
            for name, function in lent[at - 1].items():
                places[name] = (f'part{at}', next(fresh))
                exports.append((places[name][1], wasm.FUNCTION, indexes[function]))
        linked.append(wasm.with_section(sections, wasm.EXPORT, wasm.write_exports(exports)))
    for at, sections in enumerate(linked[1:], 1):
        imports = [(*(places[name] if module == 'first' else (module, name)), kind,
                    unbounded(rest) if kind == wasm.TABLE else rest)
                   for module, name, kind, rest
                   in wasm.read_imports(wasm.section(sections, wasm.IMPORT))]
        linked[at] = wasm.with_section(sections, wasm.IMPORT, wasm.write_imports(imports))
    return linked


def unbounded(table: bytes) -> bytes:
    """A table's type without its most: later cuts make the table larger."""
    reader = wasm.Reader(table)
    kind, _, least = reader.byte(), reader.byte(), reader.number()
    return bytes([kind, 0]) + wasm.number(least)


def deal_data(modules: list, owned: list, places: list) -> list:
    """Takes the data of each part ((address, size) each, in `owned`) out of the first module.
    `places`: of all data, so that what fills up between two is known."""
    segments = [(address, bytearray(data)) for address, data in
                wasm.read_data(wasm.section(modules[0], wasm.DATA))]
    somebody = {at for start, size in places for at in range(start, start + size)}
    dealt = []
    for module, mine in zip(modules[1:], owned):
        taken = []
        for start, size in sorted(mine):
            for address, data in segments:
                low, high = max(start, address), min(start + size, address + len(data))
                piece = bytes(data[low - address:high - address]) if low < high else b''
                if not any(piece):
                    continue
                data[low - address:high - address] = bytes(high - low)
                between = range(taken[-1][0] + len(taken[-1][1]), low) if taken else ()
                if taken and len(between) < NEAR and somebody.isdisjoint(between):
                    at, before = taken.pop()
                    low, piece = at, before + bytes(len(between)) + piece
                taken.append((low, piece))
        dealt.append(wasm.with_section(module, wasm.DATA, wasm.write_data(taken)))
    # Runs of zeros are left out when the module is optimized.
    return [wasm.with_section(modules[0], wasm.DATA, wasm.write_data(segments)), *dealt]


def split(cutter: Cutter, module: pathlib.Path) -> list:
    """The parts of the module, the first one first, as lists of sections."""
    kept = set(functions_of(module))
    for _, entries, _ in cutter.parts:
        if not any(re.fullmatch(entries, name) for name in kept):
            sys.exit(f'split_wasm: {module} exports nothing like {entries}')
    cuts, owned, data = [], [], set(cutter.uses.places)
    at_start = cutter.uses.named_at_start()
    for index in reversed(range(len(cutter.parts))):
        needed = cutter.needed(cutter.parts[index:])
        module, rest = cutter.cut(module, index, kept, needed)
        here = {name for name in data if ('data', name) in needed | at_start}
        owned.insert(0, [cutter.uses.places[name] for name in data - here])
        cuts.insert(0, rest)
        data = here
    modules = [wasm.read_sections(path.read_bytes()) for path in (module, *cuts)]
    return deal_data(link_names(modules, kept | {'memory'}, cutter.lent), owned,
                     list(cutter.uses.places.values()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--tools', type=pathlib.Path, required=True, help="Binaryen's programs")
    parser.add_argument('--object', type=pathlib.Path, required=True, help="the linker's object file")
    parser.add_argument('--map', type=pathlib.Path, required=True, help="the linker's map")
    parser.add_argument('--optimize', required=True, help="wasm-opt's options, in one word")
    parser.add_argument('--part', nargs=3, action='append', required=True,
                        metavar=('FILE', 'ENTRIES', 'CLOSED'))
    parser.add_argument('module', type=pathlib.Path)
    parser.add_argument('first', type=pathlib.Path)
    args = parser.parse_args()
    uses = Uses(args.object.read_bytes(), args.map.read_text())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        cutter = Cutter(args.tools, folder, uses, args.part)
        files = [args.first, *(pathlib.Path(part[0]) for part in args.part)]
        for sections, file in zip(split(cutter, args.module), files):
            linked = folder / 'linked'
            linked.write_bytes(wasm.write_sections(sections))
            cutter.tool('wasm-opt', *args.optimize.split(), linked, '-o', file)
            file.write_bytes(ordered(file.read_bytes()))


if __name__ == '__main__':
    main()
