"""The functions of a wasm module in an order that compresses well.

Binaryen puts the functions that are called most first, so that their numbers are short. Brotli finds
what is alike sooner when it is near, which saves more: 1 % of the page's module. Large functions
follow the one they share most runs of instructions with; small ones go by their signature. What is
large is tried: the smallest result is taken.
"""

import collections

import brotli

import wasm_binary as wasm

FUNCTIONS, START, ELEMENTS = 3, 8, 9
# Bytes a function must have to be like another, and bytes of a run that two may share.
TRIED = ((0, 4), (40, 4), (60, 4), (60, 5), (100, 4))
COMMON = 200  # functions: a run that more of them have says nothing

ONE = {*range(0x02, 0x05), 0x0c, 0x0d, *range(0x20, 0x27), *range(0x3f, 0x43), 0xd0}
TWO = {0x11, *range(0x28, 0x3f)}
CALL, REFERENCE, BRANCHES, SELECT, FLOAT, DOUBLE, MORE = 0x10, 0xd2, 0x0e, 0x1c, 0x43, 0x44, 0xfc
ALONE = {0x00, 0x01, 0x05, 0x0b, 0x0f, 0x1a, 0x1b, *range(0x45, 0xc5), 0xd1}
# After MORE: conversions, memory.init, data.drop, memory.copy, memory.fill and the tables'.
NUMBERS = {**dict.fromkeys(range(8), 0), 8: 2, 9: 1, 10: 2, 11: 1, 12: 2, 13: 1, 14: 2, 15: 1, 16: 1, 17: 1}


def skip(reader: wasm.Reader, operation: int) -> None:
    """Past what follows an instruction. https://webassembly.github.io/spec/core/binary/instructions.html"""
    if operation in ONE or operation in TWO:
        count = 1 + (operation in TWO)
    elif operation == BRANCHES:
        count = reader.number() + 1
    elif operation == SELECT:
        count = reader.number()
    elif operation in (FLOAT, DOUBLE):
        count = reader.take(4 if operation == FLOAT else 8) and 0
    elif operation == MORE:
        count = NUMBERS[reader.number()]
    elif operation in ALONE:
        count = 0
    else:
        raise ValueError(f'unknown instruction {operation:#x}')
    for _ in range(count):
        reader.number()


def pieces(body: bytes) -> list:
    """The body cut at the numbers of functions: bytes, number, bytes, number … bytes."""
    reader, cuts, last = wasm.Reader(body), [], 0
    for _ in range(reader.number()):  # the locals: how many, of which type
        reader.number(), reader.byte()
    while reader.at < len(body):
        operation = reader.byte()
        if operation not in (CALL, REFERENCE):
            skip(reader, operation)
            continue
        cuts.append(body[last:reader.at])
        cuts.append(reader.number())
        last = reader.at
    return [*cuts, body[last:]]


def runs(function: list, length: int) -> set:
    code = b''.join(function[::2])
    return {code[at:at + length] for at in range(len(code) - length)}


def chained(functions: dict, length: int) -> list:
    """The largest first, then always the one that is most like the last. Whole weights: sets have no
    order, and sums of fractions would depend on it."""
    of = {name: runs(function, length) for name, function in functions.items()}
    count = collections.Counter(run for found in of.values() for run in found)
    having = collections.defaultdict(list)
    for name in of:
        of[name] = {run for run in of[name] if 1 < count[run] <= COMMON}
        for run in of[name]:
            having[run].append(name)
    left, order = dict.fromkeys(functions), []
    size = {name: sum(map(len, function[::2])) for name, function in functions.items()}
    last = max(left, key=size.get, default=None)
    while last is not None:
        order.append(last)
        del left[last]
        shared = collections.Counter()
        for run in of[last]:
            for name in having[run]:
                if name in left:
                    shared[name] += 1_000_000 // count[run]
        last = max(shared, key=lambda name: (shared[name] / (len(of[name]) + len(of[last])), -name),
                   default=next(iter(left), None))
    return order


class Module:
    def __init__(self, sections: list):
        self.sections = sections
        imports = wasm.read_imports(wasm.section(sections, wasm.IMPORT))
        self.imported = sum(kind == wasm.FUNCTION for _, _, kind, _ in imports)
        reader = wasm.Reader(wasm.section(sections, FUNCTIONS))
        self.types = [reader.number() for _ in range(reader.number())]
        reader = wasm.Reader(wasm.section(sections, wasm.CODE))
        self.bodies = [pieces(reader.take(reader.number())) for _ in range(reader.number())]

    def order(self, least: int, length: int) -> list:
        large, small = {}, []
        for index, body in enumerate(self.bodies):
            size = sum(map(len, body[::2]))
            if size < least:
                small.append((self.types[index], size, index))
            else:
                large[index] = body
        return chained(large, length) + [index for _, _, index in sorted(small)]

    def renumbered(self, order: list) -> list:
        """The sections with the functions in that order."""
        place = {index: at for at, index in enumerate(order)}

        def new(index: int) -> int:
            return index if index < self.imported else self.imported + place[index - self.imported]

        def body(index: int) -> bytes:
            code = b''.join(part if at % 2 == 0 else wasm.number(new(part))
                            for at, part in enumerate(self.bodies[index]))
            return wasm.number(len(code)) + code

        count = wasm.number(len(order))
        changed = {
            FUNCTIONS: lambda _: count + b''.join(wasm.number(self.types[at]) for at in order),
            wasm.CODE: lambda _: count + b''.join(map(body, order)),
            wasm.EXPORT: lambda data: wasm.write_exports(
                [(name, kind, new(index) if kind == wasm.FUNCTION else index)
                 for name, kind, index in wasm.read_exports(data)]),
            START: lambda data: wasm.number(new(wasm.Reader(data).number())),
            ELEMENTS: lambda data: elements(data, new),
        }
        return [(kind, changed[kind](data) if kind in changed else data)
                for kind, data in self.sections]


def elements(data: bytes, new) -> bytes:
    """The segments of the first table, with new numbers."""
    reader, out = wasm.Reader(data), bytearray()
    count = reader.number()
    out += wasm.number(count)
    for _ in range(count):
        if reader.number() != 0:
            raise ValueError('a segment of elements that is not of the first table')
        start = reader.at
        while (operation := reader.byte()) != 0x0b:  # where in the table: up to `end`
            skip(reader, operation)
        out += wasm.number(0) + data[start:reader.at]
        functions = [reader.number() for _ in range(reader.number())]
        out += wasm.number(len(functions)) + b''.join(wasm.number(new(index)) for index in functions)
    return bytes(out)


def ordered(module: bytes) -> bytes:
    """The same program; names of functions must have been taken out."""
    read = Module(wasm.read_sections(module))
    tried = [wasm.write_sections(read.renumbered(read.order(*way))) for way in TRIED]
    return min(tried, key=lambda one: len(brotli.compress(one)))
