"""What of a program uses what, exactly: read off the object file that the linker made of all code
(LTO), where every use of a function's or datum's address is a relocation, and off the linker's map,
which says what of that is in the program and where each datum lies in memory.
"""

import bisect
import collections
import re

from wasm_binary import CODE, DATA, FUNCTION, IMPORT, Reader, read_imports, read_sections

# Relocations that carry an addend; those of types (6) name no symbol.
WITH_ADDEND = {3, 4, 5, 8, 9, 11, 14, 15, 16, 17, 21, 22, 23, 24, 25}
TYPE_INDEX, ADDRESS_TAKEN = 6, {1, 2, 12, 18, 19}
SYMBOL_DATA, SYMBOL_SECTION = 1, 3
UNDEFINED, NAMED = 0x10, 0x40
# Lines of the map that say what of the object went where: address, offset in the file, size, name.
DATA_LINE = re.compile(r'^ *([0-9a-f]+) +[0-9a-f]+ +([0-9a-f]+) +lto\.tmp:\((\.[^)]*)\)$', re.M)
FUNCTION_LINE = re.compile(r'^ *(-) +[0-9a-f]+ +([0-9a-f]+) +lto\.tmp:\(([^.)][^)]*)\)$', re.M)


class Uses:
    """Nodes are ('function', name), ('data', name of its section in the object) and, for what is not
    in the object, ('outside', name)."""

    def __init__(self, object_file: bytes, link_map: str):
        self.edges = collections.defaultdict(set)
        self.taken = collections.defaultdict(set)  # of those, whose address is taken
        self.nodes = set()     # of what is in the module
        self.places = {}       # name of a datum -> (address, size)
        self.starters = set()  # run when the module starts
        custom, relocations = {}, []
        sections = read_sections(object_file)
        for kind, payload in sections:
            if kind == 0:
                reader = Reader(payload)
                name = reader.name()
                if name.startswith('reloc.'):
                    relocations.append((name, reader))
                custom[name] = reader
        by_kind = dict(sections)
        imported = sum(kind == FUNCTION for *_, kind, _ in read_imports(by_kind[IMPORT]))
        self._read_linking(custom['linking'], imported)
        spans = {'reloc.CODE': ('function', self._functions(by_kind[CODE])),
                 'reloc.DATA': ('data', self._data(by_kind[DATA]))}
        for name, reader in relocations:
            if name in spans:
                self._read_relocations(reader, *spans[name])
        self._read_map(link_map)

    def _read_linking(self, reader: Reader, imported: int) -> None:
        parts = {}
        reader.number()  # version
        while reader.at < len(reader.data):
            kind, size = reader.byte(), reader.number()
            parts[kind] = Reader(reader.take(size))
        part = parts[5]  # WASM_SEGMENT_INFO
        self.data_names = [(part.name(), part.number(), part.number())[0]
                           for _ in range(part.number())]
        if len(set(self.data_names)) != len(self.data_names):
            raise ValueError('two data of one name in the object')
        part, self.function_names = parts[8], {}  # WASM_SYMBOL_TABLE
        self.symbols = [self._read_symbol(part, imported) for _ in range(part.number())]
        part = parts.get(6, Reader(b'\0'))  # WASM_INIT_FUNCS
        self.starters = {self.symbols[(part.number(), part.number())[1]]
                         for _ in range(part.number())}

    def _read_symbol(self, reader: Reader, imported: int):
        """The node of a symbol; None for what is neither code nor data or has no name."""
        kind, flags = reader.byte(), reader.number()
        if kind == SYMBOL_DATA:
            name = reader.name()
            if flags & UNDEFINED:
                return ('outside', name)
            segment = reader.number()
            reader.number(), reader.number()
            return ('data', self.data_names[segment])
        index = reader.number()
        if kind == SYMBOL_SECTION or (flags & UNDEFINED and not flags & NAMED):
            return None
        name = reader.name()
        if kind != FUNCTION or flags & UNDEFINED:
            return ('outside', name)
        self.function_names.setdefault(index - imported, name)
        return ('function', self.function_names[index - imported])

    def _functions(self, payload: bytes) -> list:
        reader, spans = Reader(payload), []
        for index in range(reader.number()):
            size = reader.number()
            spans.append((reader.at, self.function_names.get(index, f'function {index}')))
            reader.take(size)
        return spans

    def _data(self, payload: bytes) -> list:
        reader, spans = Reader(payload), []
        for index in range(reader.number()):
            reader.take(2), reader.number(signed=True), reader.byte()
            size = reader.number()
            spans.append((reader.at, self.data_names[index]))
            reader.take(size)
        return spans

    def _read_relocations(self, reader: Reader, kind: str, spans: list) -> None:
        starts = [start for start, _ in spans]
        reader.number()  # which section
        for _ in range(reader.number()):
            what, offset, index = reader.byte(), reader.number(), reader.number()
            if what in WITH_ADDEND:
                reader.number(signed=True)
            target = None if what == TYPE_INDEX else self.symbols[index]
            if not target:
                continue
            node = (kind, spans[bisect.bisect_right(starts, offset) - 1][1])
            self.edges[node].add(target)
            if what in ADDRESS_TAKEN:
                self.taken[node].add(target)

    def _read_map(self, link_map: str) -> None:
        """What the linker kept, and where."""
        for kind, pattern in (('function', FUNCTION_LINE), ('data', DATA_LINE)):
            for place, size, name in pattern.findall(link_map):
                if (kind, name) in self.nodes:
                    raise ValueError(f'two {kind} of the name {name} in the map')
                self.nodes.add((kind, name))
                if kind == 'data':
                    self.places[name] = int(place, 16), int(size, 16)

    def reached(self, entries: set, closed: set) -> set:
        """What can be run or read without going through `closed`. Whatever nobody in the object uses
        may be used from outside of it (libraries that are not in it): it counts as reached, unless
        it is one of `entries`, which are not asked."""
        used = {to for one in self.nodes for to in self.edges.get(one, ()) if to != one}
        todo = [*(self.nodes - used - entries), *self.starters]
        seen = set()
        while todo:
            node = todo.pop()
            if node in seen or node in closed:
                continue
            seen.add(node)
            todo.extend(self.edges.get(node, ()))
        return seen

    def named_at_start(self) -> set:
        """Data that code names which runs while the module starts: in functions that initialisers
        call, however deep. `closed` does not hold there: a table of engines asks each for its name.
        What such data only point at (the words of an engine's options) is not among them."""
        functions, todo = set(), [node for node in self.starters if node[0] == 'function']
        while todo:
            node = todo.pop()
            if node not in functions:
                functions.add(node)
                called = self.edges.get(node, set()) - self.taken.get(node, set())
                todo.extend(to for to in called if to[0] == 'function')
        return {to for node in functions for to in self.edges.get(node, ()) if to[0] == 'data'}

    def addresses(self, seen: set) -> set:
        """Functions of the object whose address what is in `seen` takes."""
        return {to for node in seen for to in self.taken.get(node, ()) if to[0] == 'function'}

    def alike(self, seen: set) -> set:
        """Functions outside of `seen` that use nothing but what is in it or alike: an optimizer may
        have found that one of these and one of those are the same, and kept either name."""
        found = {node for node in self.nodes - seen if node[0] == 'function'}
        while True:
            other = {node for node in found
                     if any(to not in seen and to not in found for to in self.edges.get(node, ()))}
            if not other:
                return found
            found -= other

