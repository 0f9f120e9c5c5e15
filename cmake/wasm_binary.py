"""Enough of WebAssembly's binary format to read a linker's object file and to change imports, exports
and data of a module. https://webassembly.github.io/spec/core/binary/ and, for objects,
https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md
"""

IMPORT, EXPORT, CODE, DATA = 2, 7, 10, 11
FUNCTION, TABLE, MEMORY, GLOBAL = 0, 1, 2, 3
MAGIC = b'\0asm\1\0\0\0'


class Reader:
    def __init__(self, data: bytes, at: int = 0):
        self.data, self.at = data, at

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self, signed: bool = False) -> int:
        """LEB128."""
        result = shift = 0
        while True:
            byte = self.byte()
            result |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return result - (1 << shift) if signed and byte & 64 else result

    def take(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size:self.at]

    def name(self) -> str:
        return self.take(self.number()).decode('utf-8')


def number(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def signed(value: int) -> bytes:
    out = bytearray()
    while not -64 <= value < 64:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value & 127])


def text(value: str) -> bytes:
    return number(len(value.encode())) + value.encode()


def read_sections(module: bytes) -> list:
    """(number, payload) of each section; custom ones (0) begin with their name."""
    reader, sections = Reader(module, len(MAGIC)), []
    while reader.at < len(module):
        kind = reader.byte()
        sections.append((kind, reader.take(reader.number())))
    return sections


def write_sections(sections: list) -> bytes:
    return MAGIC + b''.join(bytes([kind]) + number(len(data)) + data for kind, data in sections)


def section(sections: list, wanted: int) -> bytes:
    return next((data for kind, data in sections if kind == wanted), b'\0')


def with_section(sections: list, wanted: int, data: bytes) -> list:
    """With that section replaced, or put where the format wants it."""
    rest = [item for item in sections if item[0] != wanted]
    at = next((i for i, (kind, _) in enumerate(rest) if kind > wanted or (i and kind == 0)), len(rest))
    return [*rest[:at], (wanted, data), *rest[at:]]


def read_imports(payload: bytes) -> list:
    """(module, name, kind, the description's bytes)"""
    reader, imports = Reader(payload), []
    for _ in range(reader.number()):
        module, name, kind = reader.name(), reader.name(), reader.byte()
        start = reader.at
        if kind == FUNCTION:
            reader.number()
        elif kind == GLOBAL:
            reader.take(2)
        else:
            if kind == TABLE:
                reader.byte()
            has_most = reader.byte() & 1
            for _ in range(1 + has_most):
                reader.number()
        imports.append((module, name, kind, payload[start:reader.at]))
    return imports


def write_imports(imports: list) -> bytes:
    return number(len(imports)) + b''.join(
        text(module) + text(name) + bytes([kind]) + rest for module, name, kind, rest in imports)


def read_exports(payload: bytes) -> list:
    """(name, kind, index)"""
    reader = Reader(payload)
    return [(reader.name(), reader.byte(), reader.number()) for _ in range(reader.number())]


def write_exports(exports: list) -> bytes:
    return number(len(exports)) + b''.join(
        text(name) + bytes([kind]) + number(index) for name, kind, index in exports)


def read_data(payload: bytes) -> list:
    """(address, bytes) of each segment that is put into memory at the start."""
    reader, segments = Reader(payload), []
    for _ in range(reader.number()):
        if reader.byte() != 0 or reader.byte() != 0x41:  # active, i32.const
            raise ValueError('a kind of data segment that is not read here')
        address = reader.number(signed=True)
        reader.byte()  # end
        segments.append((address, reader.take(reader.number())))
    return segments


def write_data(segments: list) -> bytes:
    return number(len(segments)) + b''.join(
        b'\0\x41' + signed(address) + b'\x0b' + number(len(data)) + data
        for address, data in segments)


def read_function_names(sections: list) -> dict:
    """Index -> name, of the custom section `name`."""
    for kind, payload in sections:
        reader = Reader(payload)
        if kind or reader.name() != 'name':
            continue
        while reader.at < len(payload):
            part, size = reader.byte(), reader.number()
            if part == 1:
                return {reader.number(): reader.name() for _ in range(reader.number())}
            reader.take(size)
    return {}
