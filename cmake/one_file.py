"""kvseats.html: the whole page as one file that opens by double-click, without any server.

Modules and fetched files do not load from file://, so the scripts are one classic script
(cmake/bundle.mjs), and what it fetches elsewhere stands in it as data: addresses. The policy names
the hashes of script and style.
"""

import base64
import html
import pathlib
import re

TYPES = {'.wasm': 'application/wasm', '.txt': 'text/plain;charset=utf-8', '.otf': 'font/otf',
         '.svg': 'image/svg+xml'}
POLICY = ("default-src 'none'; script-src '@hash:script@' 'wasm-unsafe-eval'; "
          "style-src '@hash:style@'; img-src data:; font-src data:; connect-src data: {hub}; "
          "base-uri 'none'; form-action 'none'")
# What loads by address elsewhere and stands in the file here.
CANVAS = ("import('@asset:canvas.js@')", 'Promise.resolve({ default: kvseatsCanvas })')
STYLE = ("styled('./form.css')", "styled('')")


def as_address(name: str, data: bytes) -> str:
    kind = TYPES[pathlib.PurePosixPath(name).suffix]
    return f'data:{kind};base64,' + base64.b64encode(data).decode()


def with_assets(text: str, sources: dict) -> str:
    return re.sub(r'@asset:([\w.-]+)@', lambda found: as_address(found[1], sources[found[1]]), text)


def script_of(sources: dict, bundle) -> str:
    """Page, element and canvas; every asset in its place."""
    changed = dict(sources)
    for name, (old, new) in {'kv-seats-element.js': CANVAS, 'app.js': STYLE}.items():
        text = sources[name].decode('utf-8')
        if old not in text:
            raise ValueError(f'{name} no longer holds {old}')
        changed[name] = text.replace(old, new).encode()
    text = sources['canvas.classic.js'].decode('utf-8') + '\n' + bundle('app.js', changed)
    return re.sub(r'"@asset-name:[\w.-]+@"', '""', with_assets(text, sources))


def one_file(sources: dict, bundle, hub: str) -> bytes:
    page = sources['index.html'].decode('utf-8')
    style = b'\n'.join(sources[f'{name}.css'] for name in ('fonts', 'style', 'form')).decode('utf-8')
    style = with_assets(style, sources)
    page = re.sub(r'<link rel="(?:modulepreload|preload|later|last)"[^>]*>\n?', '', page)
    page = re.sub(r'<noscript><link [^>]*></noscript>\n?', '', page)
    page = re.sub(r'(?<=Content-Security-Policy" content=")[^"]*',
                  lambda _: POLICY.format(hub=hub).replace(' ;', ';'), page)
    page = page.replace('./icon.svg', as_address('icon.svg', sources['icon.svg']))
    page = page.replace('<link rel="stylesheet" href="./style.css">', f'<style>{style}</style>')
    script = script_of(sources, bundle).replace('</script', '<\\/script')
    page = page.replace('<script type="module" src="./app.js"></script>', '')
    page = page.replace('</body>', f'<script>{script}</script>\n</body>')
    licences = html.escape(sources['licenses.txt'].decode('utf-8'))
    page = re.sub(r'<p><a href="\./lesson\.html">.*?</p>', '', page)  # a page of its own
    return page.replace('<a href="./licenses.txt">Licences</a>',
                        f'</p>\n<details><summary>Licences</summary><pre>{licences}</pre></details>'
                        '\n<p>').encode()
