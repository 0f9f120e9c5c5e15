"""build/npm: the calculator and the element as a package, ready for `npm pack` or `npm publish`."""

import json
import pathlib
import re

ENTRIES = ('kvseats.js', 'define.js', 'kv-seats-element.js')
README = """# kvseats

How long can one conversation with a language model be, and how many can run at once?
The calculator behind the page KV Seats, without the page.

```js
import { load } from 'kvseats';
const kv = await load();
kv.evaluate('model=llama-3.1-8b&gpu=h100-sxm').concurrency.requests;
```

`import 'kvseats/define';` registers the element `<kv-seats>`.
Types and the shape of every answer are in `kvseats.d.ts`.
Nothing is fetched but the package's own files.
"""


def version_of(root: pathlib.Path) -> str:
    return re.search(r'project\([^)]*VERSION\s+([\d.]+)',
                     (root / 'CMakeLists.txt').read_text(encoding='utf-8'))[1]


def npm_folder(site, root: pathlib.Path) -> dict:
    """Name -> bytes: what the entries refer to, out of a Site in which nothing is made yet."""
    for name in ENTRIES:
        site.final_name(name)
    files = dict(site.done)
    for name in ('kvseats.d.ts', 'licenses.txt'):
        files[name] = site.sources[name]
    package = {
        'name': 'kvseats', 'version': version_of(root), 'type': 'module', 'license': 'MIT',
        'description': 'KV cache arithmetic of language models: context against concurrency',
        'keywords': ['llm', 'kv-cache', 'vllm', 'llama.cpp', 'gpu-memory'],
        'types': './kvseats.d.ts', 'main': './kvseats.js',
        'exports': {'.': {'types': './kvseats.d.ts', 'default': './kvseats.js'},
                    './define': './define.js', './element': './kv-seats-element.js',
                    './package.json': './package.json'},
        'sideEffects': ['./define*.js'], 'engines': {'node': '>=18'},
    }
    files['package.json'] = (json.dumps(package, indent=2) + '\n').encode()
    files['README.md'] = README.encode()
    return files
