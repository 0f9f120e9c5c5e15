"""What the site is made of, beside what it says about that: run.py [--wasm build/wasm] [--site build/site]

Works of others are found in what the compiler read for the objects that are linked into the site's
modules (as ninja noted it), and in the fonts. Each of them is a row of assets/CREDITS.md and a part of
licenses.txt with the words of its licence; neither holds what is not in the site; the page links to
licenses.txt. A file from outside that belongs to no known work is a failure: whoever adds a work adds
it to WORKS. Last line: "N passed, N failed".
"""

import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# name in CREDITS.md: (files it is known by, part of licenses.txt, words of its licence)
WORKS = {
    'Dear ImGui': (r'/imgui/', 'Dear ImGui', 'Permission is hereby granted, free of charge'),
    'stb_truetype, stb_rectpack, stb_textedit': (r'/imgui/imstb_', 'Dear ImGui', 'Omar Cornut'),
    'tl::expected': (r'/tl/expected\.hpp$', 'expected', 'CC0-1.0'),
    'Emscripten': (r'/(emscripten|lib/clang)/', 'Emscripten', 'Apache License v2.0 with LLVM'),
    'Inter': (r'/inter-\w+\.otf$', 'Inter', 'License: OFL-1.1'),
}
OWN_PARTS = {'KV Seats': 'MIT License'}


def linked_files(wasm: pathlib.Path) -> set:
    """What the compiler read for the site's modules, from outside of this repository."""
    listed = subprocess.run(['ninja', '-C', str(wasm), '-t', 'deps'], capture_output=True, text=True,
                            stdin=subprocess.DEVNULL, check=True).stdout
    found = set()
    for block in listed.split('\n\n'):
        lines = block.splitlines()
        if not lines or lines[0].startswith(('tests/', 'CMakeFiles/kvseats_gtest')):
            continue
        found.update(line.strip() for line in lines[1:])
    paths = {(wasm / name).resolve() for name in found}
    ours = [ROOT / folder for folder in ('src', 'cmake', 'web')] + [wasm.resolve()]
    return {str(path) for path in paths if not any(folder in path.parents for folder in ours)}


def parts(text: str) -> dict:
    """licenses.txt: name -> text."""
    pieces = re.split(r'^==== (.+) ====$', text, flags=re.M)
    return dict(zip(pieces[1::2], pieces[2::2]))


def credits(text: str) -> dict:
    """CREDITS.md: work -> where it is shipped."""
    rows = [[cell.strip() for cell in line.strip('|').split('|')] for line in text.splitlines()
            if line.startswith('|')]
    return {re.sub(r'\[([^\]]*)\]\([^)]*\)', r'\1', row[0]): row[-1] for row in rows[2:]}


def faults(files: set, fonts: list, credited: dict, licensed: dict, page: str) -> list:
    """What does not agree, as sentences."""
    found = []
    everything = files | {f'/{name}' for name in fonts}
    for file in sorted(everything):
        if not any(re.search(pattern, file) for pattern, _, _ in WORKS.values()):
            found.append(f'{file} belongs to no work that is known here')
    for work, (pattern, part, words) in WORKS.items():
        shipped = any(re.search(pattern, file) for file in everything)
        row = next((row for row in credited if row.startswith(work)), None)
        if shipped and (row is None or 'not shipped' in credited[row]):
            found.append(f'{work} is in the site and not in CREDITS.md')
        if shipped and words.lower() not in licensed.get(part, '').lower():
            found.append(f'{work} is in the site; licenses.txt has no "{words}" under "{part}"')
        if row and not shipped:
            found.append(f'{work} is in CREDITS.md and not in the site')
    for row, where in credited.items():
        if 'not shipped' not in where and not any(row.startswith(work) for work in WORKS):
            found.append(f'{row} is in CREDITS.md and not in the site')
    for part in licensed:
        if part not in OWN_PARTS and part not in {named for _, named, _ in WORKS.values()}:
            found.append(f'{part} is in licenses.txt and not in the site')
    for part, words in OWN_PARTS.items():
        if words not in licensed.get(part, ''):
            found.append(f'licenses.txt has no "{words}" under "{part}"')
    if not re.search(r'href="?\./licenses\.txt', page):
        found.append('the page does not link to licenses.txt')
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--wasm', type=pathlib.Path, default=ROOT / 'build/wasm')
    parser.add_argument('--site', type=pathlib.Path, default=ROOT / 'build/site')
    args = parser.parse_args()
    files = linked_files(args.wasm)
    fonts = [re.sub(r'\.[0-9a-f]{10}\.', '.', path.name) for path in args.site.glob('*.otf')]
    credited = credits((ROOT / 'assets/CREDITS.md').read_text(encoding='utf-8'))
    licensed = parts((args.site / 'licenses.txt').read_text(encoding='utf-8'))
    page = (args.site / 'index.html').read_text(encoding='utf-8')
    found = faults(files, fonts, credited, licensed, page)
    for line in found:
        print(f'  {line}')
    print(f'  {len(files)} files of others in the modules, {len(fonts)} fonts')

    # Negative controls: something is taken away or added, and is noticed.
    def without(table: dict, key: str) -> dict:
        return {name: value for name, value in table.items() if not name.startswith(key)}

    controls = {
        'a work that is not credited': (files, fonts, without(credited, 'Dear ImGui'), licensed, page),
        'a licence that is not there': (files, fonts, credited, without(licensed, 'Inter'), page),
        'a work that nobody knows': (files | {'/usr/include/zlib.h'}, fonts, credited, licensed, page),
        'a licence of nothing': (files, fonts, credited, {**licensed, 'zlib': 'zlib'}, page),
        'a page without the link': (files, fonts, credited, licensed, ''),
    }
    missed = [name for name, case in controls.items() if len(faults(*case)) <= len(found)]
    for name in missed:
        print(f'  not noticed: {name}')
    bad = len(found) + len(missed)
    print(f'{len(WORKS) + len(controls) - min(bad, len(WORKS))} passed, {bad} failed')
    return 1 if bad else 0


if __name__ == '__main__':
    sys.exit(main())
