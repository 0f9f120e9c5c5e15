"""Holds the assembled site against tests/size_budget.txt: size_check.py [SITE] [BUDGET]

Each line has a target and a ceiling. Above the target is said; above the ceiling fails, so that what
is over its target can only shrink. A budget's files are names in the site without their hash. `@page` stands for what a browser reads
before the first wasm: the style sheets and scripts of ours that index.html names, and what those
import at once (not what is imported when it is needed).
"""

import pathlib
import re
import sys

import brotli

ROOT = pathlib.Path(__file__).resolve().parents[1]
AS_IS = {'.woff2', '.png'}
BUILT = re.compile(r'^(small|files|canvas)\.')
LATER = re.compile(r'<link rel="later"[^>]*>')  # fetched after the first answer
NAMED = re.compile(r'(?:src|href)=["\']\./([^"\'?#]+\.(?:js|css))["\']|'
                   r'(?:\bfrom|\bimport)\s*["\']\./([^"\'?#]+\.js)["\']|'
                   r'@import\s+(?:url\()?["\']\./([^"\'?#]+\.css)["\']')


def transferred(path: pathlib.Path) -> int:
    data = path.read_bytes()
    if path.suffix in AS_IS:
        return len(data)
    ready = path.with_name(path.name + '.br')
    return ready.stat().st_size if ready.exists() else len(brotli.compress(data, quality=11))


def find(site: pathlib.Path, name: str) -> pathlib.Path | None:
    """The file of that name, or of that name with a hash before the suffix."""
    if (site / name).exists():
        return site / name
    stem, suffix = name.rsplit('.', 1)
    found = [p for p in site.glob(f'{stem}.*.{suffix}')
             if re.fullmatch(rf'{re.escape(stem)}\.[0-9a-f]{{10}}\.{suffix}', p.name)]
    return found[0] if found else None


def page_files(site: pathlib.Path) -> list:
    """What index.html needs at once, besides itself and the built modules."""
    seen, todo = [], [site / 'index.html']
    while todo:
        path = todo.pop()
        if not path.exists():
            continue
        for groups in NAMED.findall(LATER.sub('', path.read_text(encoding='utf-8'))):
            target = site / next(filter(None, groups))
            if target.exists() and target not in seen and not BUILT.match(target.name):
                seen.append(target)
                todo.append(target)
    return seen


def main() -> int:
    site = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / 'build/site'
    budget = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else ROOT / 'tests/size_budget.txt'
    passed = failed = 0
    for line in budget.read_text().splitlines():
        line = line.split('#')[0].split()
        if not line:
            continue
        name, target, limit, wanted = line[0], float(line[1]) * 1024, float(line[2]) * 1024, line[3:]
        files, missing = [], []
        for item in wanted:
            if item == '@page':
                files += page_files(site)
                continue
            path = find(site, item)
            (files if path else missing).append(path or item)
        sizes = {path.name: transferred(path) for path in files}
        total = sum(sizes.values())
        good = total <= limit and not missing
        passed, failed = passed + good, failed + (not good)
        over = max(0.0, total - target) / 1024
        print(f'  {name}: {total / 1024:.1f} KB, target {target / 1024:.0f}'
              + (f', over it by {over:.1f}' if over else '')
              + ('' if total <= limit else f', TOO LARGE: ceiling {limit / 1024:.0f}')
              + (f', MISSING {" ".join(missing)}' if missing else ''))
        for file, size in sorted(sizes.items(), key=lambda item: -item[1]):
            print(f'      {size / 1024:7.1f}  {file}')
    print(f'{passed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
