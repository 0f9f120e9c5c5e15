"""The rules of the source tree, as functions from texts to findings. arch_test.py runs them.

Each rule takes what it needs as plain values, so that the tests can feed it bad examples, and gives
a list of strings "place: what is wrong". Names of rooms and arrows come from src/rooms.txt.
"""

import re
from dataclasses import dataclass, field

# ---- rooms.txt ----------------------------------------------------------------------------------


@dataclass
class Rooms:
    """direct: arrows as written; allowed: all that a room may include, itself too; pure: rooms above
    the line."""
    direct: dict = field(default_factory=dict)
    denied: dict = field(default_factory=dict)
    allowed: dict = field(default_factory=dict)
    pure: set = field(default_factory=set)
    findings: list = field(default_factory=list)


def parse_rooms(text: str) -> Rooms:
    rooms, above = Rooms(), True
    for number, line in enumerate(text.splitlines(), 1):
        line = line.split('#')[0].strip()
        if not line:
            continue
        if set(line) == {'-'}:
            above = False
            continue
        match = re.fullmatch(r'(\w+):((?: +!?\w+)*)', line)
        if not match:
            rooms.findings.append(f'rooms.txt:{number}: not "room: room room": {line}')
            continue
        name, targets = match.group(1), match.group(2).split()
        rooms.direct[name] = [t for t in targets if not t.startswith('!')]
        rooms.denied[name] = {t[1:] for t in targets if t.startswith('!')}
        if above:
            rooms.pure.add(name)
    for name, targets in rooms.direct.items():
        for target in targets:
            if target not in rooms.direct:
                rooms.findings.append(f'rooms.txt: {name} names {target}, which is no room')
            elif name in rooms.pure and target not in rooms.pure:
                rooms.findings.append(f'rooms.txt: {name} is above the purity line, {target} below')
    rooms.findings += cycles(rooms.direct, 'rooms.txt')
    for name in rooms.direct:
        rooms.allowed[name] = (reachable(rooms.direct, name) | {name}) - rooms.denied[name]
    return rooms


def reachable(arrows: dict, start: str) -> set:
    seen, todo = set(), list(arrows.get(start, []))
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += arrows.get(name, [])
    return seen


def cycles(arrows: dict, place: str) -> list:
    return [f'{place}: {name} reaches itself' for name in sorted(arrows)
            if name in reachable(arrows, name)]


# ---- includes -----------------------------------------------------------------------------------

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)

# Above the purity line only these; what is not named here does I/O, reads a clock, depends on the
# locale or on the machine, or throws.
PURE_HEADERS = set('''algorithm array bit cassert cctype climits cmath compare concepts cstddef cstdint
    cstdlib cstring deque functional initializer_list iterator limits list map memory new numeric
    optional queue set span stack string string_view tuple type_traits utility variant vector version
    charconv cinttypes tl/expected.hpp'''.split())
JSON_ROOMS = {'import', 'catalogue', 'scenario', 'units'}
# Nowhere: 29 KB of the page each, or not in both standard libraries.
BANNED_HEADERS = set('iostream sstream regex thread random format ranges expected iomanip '
                     'future'.split())
# Header prefixes and the rooms (or folders of rooms) they belong to.
OUTSIDE = [
    (re.compile(r'^(imgui|imconfig)'), ('gfx', 'plot', 'ui', 'host')),
    (re.compile(r'^(SDL|SDL2/)'), ('host/desktop',)),
    (re.compile(r'^(GL|GLES\d|GLES\d?/|OpenGL)/'), ('gfx', 'host')),
    (re.compile(r'^emscripten'), ('host/web', 'capi')),
    (re.compile(r'^nlohmann/'), tuple(JSON_ROOMS) + ('capi', 'cli')),
]


def room_of(path: str) -> str:
    """'src/units/text.h' -> 'units'"""
    return path.split('/')[1] if path.count('/') >= 2 else ''


def in_folder(path: str, folders: tuple) -> bool:
    return any(path.startswith(f'src/{folder}/') for folder in folders)


def check_includes(path: str, text: str, rooms: Rooms) -> list:
    room, findings = room_of(path), []
    if room not in rooms.direct:
        return [f'{path}: {room or "src"} is no room of rooms.txt']
    for match in INCLUDE.finditer(text):
        header = match.group(2)
        place = f'{path}:{text.count(chr(10), 0, match.start()) + 1}'
        target = header.split('/')[0]
        if match.group(1) == '"' and target in rooms.direct and '/' in header:
            if target not in rooms.allowed[room]:
                findings.append(f'{place}: {room} may not use {target}')
            continue
        if header.startswith('embedded/'):
            if room in rooms.pure:
                findings.append(f'{place}: {room} is pure, embedded files are handed to it')
            continue
        findings += check_foreign(place, path, header, room, rooms)
    return findings


def check_foreign(place: str, path: str, header: str, room: str, rooms: Rooms) -> list:
    if header in BANNED_HEADERS:
        return [f'{place}: <{header}> is used nowhere']
    for pattern, folders in OUTSIDE:
        if pattern.match(header):
            return [] if in_folder(path, folders) else [f'{place}: <{header}> belongs to {folders}']
    if room in rooms.pure and header not in PURE_HEADERS:
        return [f'{place}: <{header}> is not for rooms above the purity line']
    return []


def include_cycles(texts: dict) -> list:
    """Files including each other in a circle. texts: path -> text, paths beginning with src/."""
    arrows = {path: [f'src/{m.group(2)}' for m in INCLUDE.finditer(text)
                     if m.group(1) == '"' and f'src/{m.group(2)}' in texts]
              for path, text in texts.items()}
    return cycles(arrows, 'includes')


def check_cmake(cmake: str, rooms: Rooms) -> list:
    """The library graph may not allow more than rooms.txt."""
    findings, seen = [], set()
    for name, rest in re.findall(r'kvseats_room\((\w+)([^)]*)\)', cmake):
        seen.add(name)
        depends = re.search(r'DEPENDS((?: +\w+)*)', rest.split('EXTERNAL')[0])
        for target in depends.group(1).split() if depends else []:
            if target not in rooms.allowed.get(name, ()):
                findings.append(f'CMakeLists.txt: {name} links {target} against rooms.txt')
    findings += [f'CMakeLists.txt: no kvseats_room({name})' for name in rooms.direct if name not in seen]
    return findings


# ---- words --------------------------------------------------------------------------------------

def blank(text: str, strings: bool = True) -> str:
    """Comments (and the insides of strings) as spaces, lines kept."""
    def spaces(match: re.Match) -> str:
        token = match.group(0)
        if token.startswith('/'):
            return re.sub(r'[^\n]', ' ', token)
        if strings:
            return token[0] + re.sub(r'[^\n]', ' ', token[1:-1]) + token[-1]
        return token
    return re.sub(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|'
                  r"(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'", spaces, text, flags=re.S)


def words(table: list) -> list:
    return [(re.compile(pattern), why) for pattern, why in table]


EVERYWHERE = words([
    (r'\b(throw|try|catch)\b(?!\s*=)', 'no exceptions'),
    (r'\b(dynamic_cast|typeid)\b', 'no RTTI'),
    (r'\bstd::(cout|cerr|cin|endl)\b', 'no iostream'),
    (r'\bstd::regex\b', 'no std::regex'),
    (r'^\s*using\s+namespace\s+std\b', 'no using namespace std'),
])
LIBM = ('exp|exp2|expm1|log|log2|log10|log1p|pow|erf|erfc|lgamma|tgamma|sin|cos|tan|asin|acos|atan|'
        'atan2|sinh|cosh|tanh|cbrt|hypot|fma|remainder')
PURE = words([
    (r'\bfloat\b', 'double or integers, never float'),
    (r'\blong\s+double\b', 'never long double: wasm has another'),
    (r'\b\w+_distribution\b', 'distributions differ between libraries'),
    (r'\bstd::(random_)?shuffle\b', 'shuffle differs between libraries'),
    (r'\bunordered_\w+', 'the order of hash maps is not specified'),
    # Whole values have no distinguishable ties; with a comparator they may have.
    (r'\bstd::sort\b(?!\([^,]+,[^,]+\);)', 'unstable on ties: std::stable_sort'),
    (r'\bstd::(partial_sort|nth_element)\b', 'unstable on ties: std::stable_sort'),
    (rf'(\bstd::|(?<![\w:])::)({LIBM})[fl]?\s*\(', 'libm differs between native and wasm: units/math.h'),
    (r'\b(strtod|strtof|strtold|atof|stod|stof|stold|setlocale|localeconv)\b', 'depends on the locale'),
    (r'\b(s?n?printf|fopen|fread|fwrite|puts|getenv|system|time|clock|rand|srand)\s*\(', 'I/O, a clock or chance'),
    (r'\bstd::(thread|mutex|atomic|async|chrono|locale|filesystem)\b', 'no threads, clocks, files, locales'),
    (r'^\s+static\s+(?!constexpr\b|const\b|inline\b|_|assert)[\w:<>, *&]+\w\s*(=|;|\{)', 'no mutable static'),
    (r'^(?:inline\s+|static\s+)+(?!constexpr\b|const\b|namespace\b)[\w:<>]+ \w+\s*(=[^=]|;)', 'no mutable globals'),
    (r'\bthread_local\b', 'no globals'),
])
# Arithmetic never looks at product names.
NAMELESS = {'units', 'device', 'model', 'traffic', 'plan', 'chart'}
PRODUCT = re.compile(r'"[^"\n]*\b(llama|deepseek|qwen|mistral|mixtral|gemma|gpt-oss|phi|glm|kimi)\w*[^"\n]*"', re.I)


def check_words(path: str, text: str, rooms: Rooms) -> list:
    room, findings = room_of(path), []
    code = blank(text)
    # Our own exp, log and pow may be called by their names inside units.
    table = EVERYWHERE + (PURE if room in rooms.pure else [])
    for number, line in enumerate(code.splitlines(), 1):
        for pattern, why in table:
            if pattern.search(line):
                findings.append(f'{path}:{number}: {why}: {line.strip()}')
    if room in NAMELESS:
        for number, line in enumerate(blank(text, strings=False).splitlines(), 1):
            if PRODUCT.search(line):
                findings.append(f'{path}:{number}: arithmetic knows no product names: {line.strip()}')
    return findings


# ---- sizes --------------------------------------------------------------------------------------

MAX_FILE, MAX_FUNCTION = 400, 80
BLOCK_HEAD = re.compile(r'\b(namespace|class|struct|union|enum|extern)\b')
CONTROL = re.compile(r'^\W*(if|for|while|switch|do|else|return|case)\b')


def functions(text: str) -> list:
    """(first line, lines, head) of every function body outside other functions."""
    code = re.sub(r'^[ \t]*#.*$', '', blank(text), flags=re.M)
    found, stack, head_start = [], [], 0
    for position, char in enumerate(code):
        if char == '{':
            head = code[head_start:position].strip()
            inside = any(kind == 'function' for kind, _, _ in stack)
            kind = 'other'
            if not inside and head.endswith(('=', ',', '(')) or head == '':
                kind = 'other'
            elif not inside and '(' in head and not CONTROL.match(head) and not (
                    BLOCK_HEAD.match(head) and ')' not in head):
                kind = 'function'
            first = code.count('\n', 0, position - len(code[head_start:position].lstrip()) + 0) + 1
            stack.append((kind, first, ' '.join(head.split())))
            head_start = position + 1
        elif char == '}':
            if stack:
                kind, first, head = stack.pop()
                if kind == 'function':
                    found.append((first, code.count('\n', 0, position) + 2 - first, head))
            head_start = position + 1
        elif char == ';':
            head_start = position + 1
    return found


def check_sizes(path: str, text: str) -> list:
    findings, lines = [], text.count('\n')
    if lines > MAX_FILE:
        findings.append(f'{path}: {lines} lines, more than {MAX_FILE}')
    for first, length, head in functions(text):
        if length > MAX_FUNCTION:
            findings.append(f'{path}:{first}: {length} lines, more than {MAX_FUNCTION}: {head[:60]}')
    return findings


# ---- hygiene of every tracked file --------------------------------------------------------------

# Written in pieces, so that this file does not name them.
HOSTS = ['deb.' + 'debian.org', 'security.' + 'debian.org', 'snapshot.' + 'debian.org',
         'registry.' + 'npmjs.org', 'files.python' + 'hosted.org', 'deb.' + 'nodesource.com']
MACHINE = re.compile(r'(?<![\w.~$}/-])/(' + 'wo' + r'rk|t' + r'mp|ro' + r'ot|ho' + r'me)/[\w.]')
CONFLICT = re.compile(r'^(<<<<<<< |>>>>>>> )', re.M)


def check_hygiene(path: str, text: str) -> list:
    findings = [f'{path}: names the package registry {host}' for host in HOSTS if host in text]
    for number, line in enumerate(text.splitlines(), 1):
        if MACHINE.search(line):
            findings.append(f'{path}:{number}: names a path of one machine: {line.strip()[:80]}')
    if CONFLICT.search(text):
        findings.append(f'{path}: holds a merge conflict')
    return findings
