"""Where a source can be broken on purpose, and the source with switches for all of it.

Works on text, as the tree is formatted by clang-format: operators between values have spaces around
them, those of types and templates have not.
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'arch'))
from rules import blank  # noqa: E402

ARITHMETIC = {'+': ('Plus', '-'), '-': ('Minus', '+'), '*': ('Times', '/'), '/': ('Over', '*'),
              '%': ('Rest', '/')}
COMPARISON = {'<': ('Less', '<='), '>': ('More', '>='), '<=': ('AtMost', '<'),
              '>=': ('AtLeast', '>'), '==': ('Same', '!='), '!=': ('Other', '==')}
ASSIGNMENT = {'+=': ('AddTo', '-='), '-=': ('TakeFrom', '+=')}

OPERATOR = re.compile(r'(?<= )(\+=|-=|<=|>=|==|!=|[-+*/%<>])(?=[ \n])')
LOGIC = re.compile(r'(?<= )(&&|\|\|)(?=[ \n])')
ENDS = re.compile(r'\bstd::(min|max)(?=[(<])')
NUMBER = re.compile(r'(?<=[ (])(\d[\d\']*|\d+\.\d+)(?=[,;)\n ])')
TRUTH = re.compile(r'(?<=[ (])(true|false)(?=[,;)\n ])')
# Where the compiler works out everything, or where no value may stand.
SKIPPED = re.compile(
    r'^[ \t]*(?:#.*|template\b.*|using\b.*|requires\b.*|case\b.*)$'
    r'|\bstatic_assert\([^;]*;|\bif constexpr \(.*$'
    r'|^[ \t]*(?:(?:static|inline) )*(?:constexpr|constinit) [^;(){}]*(?:=|\{)[^;]*;', re.M)


@dataclass
class Mutant:
    number: int
    path: str
    line: int
    old: str
    new: str
    code: str  # the line, trimmed

    def key(self) -> str:
        """The same for as long as the line is: what survivors.txt names."""
        return f'{self.path}: {self.code}   ({self.old} -> {self.new})'


def _left_end(code: str, at: int, op: str) -> int:
    """Where the left operand of a logical operator begins."""
    depth, i = 0, at - 1
    while i >= 0:
        c = code[i]
        if c in ')]}':
            depth += 1
        elif c in '([{':
            if depth == 0:
                return i + 1
            depth -= 1
        elif depth == 0:
            if c in ';,?' or (c == ':' and code[i - 1] != ':' and code[i + 1] != ':'):
                return i + 1
            if c == '=' and code[i - 1] in ' +-' and code[i + 1] in ' \n':
                return i + 1
            if op == '&&' and code[i - 1:i + 1] == '||':
                return i + 1
            if code[max(0, i - 5):i + 1] == 'return':
                return i + 1
        i -= 1
    return 0


def _right_end(code: str, at: int, op: str) -> int:
    """Where its right operand ends."""
    depth, i = 0, at
    while i < len(code):
        c = code[i]
        if c in '([{':
            depth += 1
        elif c in ')]}':
            if depth == 0:
                return i
            depth -= 1
        elif depth == 0:
            if c in ';,?' or (c == ':' and code[i - 1] != ':' and code[i + 1] != ':'):
                return i
            if code[i:i + 2] == '||' or (code[i:i + 2] == '&&'):
                if code[i:i + 2] == op or op == '&&':
                    return i
        i += 1
    return len(code)


def switched(text: str, path: str, first: int, dropped: set, constants: bool = True) -> tuple:
    """The text with switches, and its mutants, numbered from `first`. `dropped` are numbers that
    the compiler refused: they keep their number and get no switch."""
    code = blank(text)
    code = SKIPPED.sub(lambda m: re.sub(r'[^\n]', ' ', m.group(0)), code)
    edits, mutants, number = [], [], first

    def mutant(start: int, old: str, new: str) -> None:
        begin = text.rfind('\n', 0, start) + 1
        end = text.find('\n', start)
        mutants.append(Mutant(number, path, text.count('\n', 0, start) + 1, old, new,
                              text[begin:end].strip()))

    for match in OPERATOR.finditer(code):
        op, at = match.group(1), match.end()
        for table in (ARITHMETIC, ASSIGNMENT, COMPARISON):
            if op not in table:
                continue
            name, other = table[op]
            used = 1 if table is COMPARISON else 2
            if number not in dropped:
                mutant(match.start(), op, other)
                if used == 2:
                    number += 1
                    mutant(match.start(), op, 'left out')
                    number -= 1
                edits.append((at, 1, f' kvm::{name}<{number}>{{}} {op}'))
            number += used
    for match in LOGIC.finditer(code):
        op = match.group(1)
        if number not in dropped:
            left = _left_end(code, match.start(), op)
            right = _right_end(code, match.end(), op)
            while code[left] in ' \n':
                left += 1
            while code[right - 1] in ' \n':
                right -= 1
            flip = f'kvm::flip<{number}>()'
            mutant(match.start(), op, '||' if op == '&&' else '&&')
            # Of several that begin at one place the last one is the outermost.
            edits.append((left, -match.start(), f'({flip} != (({flip} != bool('))
            edits.append((match.start(), 0, f')) '))
            edits.append((match.end(), 0, f' ({flip} != bool('))
            edits.append((right, -1, ')))) '))
        number += 1
    for match in ENDS.finditer(code):
        if number not in dropped:
            mutant(match.start(), match.group(1), 'max' if match.group(1) == 'min' else 'min')
            edits.append((match.start(), match.end() - match.start(),
                          f'kvm::Ends<{number}>::{match.group(1)}', 'replace'))
        number += 1
    for pattern, call, what in ((NUMBER, 'number', 'more'), (TRUTH, 'truth', 'not')):
        for match in pattern.finditer(code) if constants else ():
            if number not in dropped:
                old = match.group(1)
                mutant(match.start(), old, f'one {what}' if what == 'more' else f'not {old}')
                edits.append((match.start(), match.end() - match.start(),
                              f'kvm::{call}<{number}>({old})', 'replace'))
            number += 1
    return _applied(text, edits), mutants, number


def _applied(text: str, edits: list) -> str:
    """Insertions `(at, order, text)` and replacements `(at, length, text, 'replace')`. At one place:
    ends of inner operands first, then by order."""
    out, last = [], 0
    for edit in sorted(edits, key=lambda e: (e[0], len(e) == 4, e[1] if len(e) == 3 else 0)):
        at = edit[0]
        out.append(text[last:at])
        out.append(edit[2])
        last = at + (edit[1] if len(edit) == 4 else 0)
    out.append(text[last:])
    return ''.join(out)
