"""Joins data files into one catalogue: build_catalogue.py OUT FILE...

The result is one JSON object with a key per file (its name without suffix), without spaces and in
the order of the names, so that the same data give the same bytes.
"""

import json
import pathlib
import sys


def main() -> int:
    out, *files = sys.argv[1:]
    parts = {}
    for path in sorted((pathlib.Path(f) for f in files), key=lambda p: p.name):
        try:
            parts[path.stem] = json.loads(path.read_text(encoding='utf-8'))
        except ValueError as error:
            print(f'{path}: {error}', file=sys.stderr)
            return 1
    text = json.dumps(parts, ensure_ascii=False, separators=(',', ':'))
    pathlib.Path(out).write_text(text + '\n', encoding='utf-8')
    return 0


if __name__ == '__main__':
    sys.exit(main())
