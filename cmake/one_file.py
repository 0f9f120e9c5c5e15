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
          "style-src '@hash:style@'; img-src data:; font-src data:; connect-src data: {hub}; base-uri 'none'; "
          "form-action 'none'")
CANVAS = "import('@asset:canvas.js@')"


def as_address(name: str, data: bytes) -> str:
    kind = TYPES[pathlib.PurePosixPath(name).suffix]
    return f'data:{kind};base64,' + base64.b64encode(data).decode()


def with_assets(text: str, sources: dict) -> str:
    return re.sub(r'@asset:([\w.-]+)@', lambda found: as_address(found[1], sources[found[1]]), text)


def script_of(sources: dict, bundle) -> str:
    """Page, element and canvas; every asset in its place."""
    element = sources['kv-seats-element.js'].decode('utf-8')
    if CANVAS not in element:
        raise ValueError('kv-seats-element.js no longer loads the canvas as expected')
    changed = dict(sources)
    changed['kv-seats-element.js'] = element.replace(
        CANVAS, 'Promise.resolve({ default: kvseatsCanvas })').encode()
    form = sources['form.js'].decode('utf-8')
    changed['form.js'] = form.replace("styled('./form.css')", "styled('')").encode()
    text = sources['canvas.classic.js'].decode('utf-8') + '\n' + bundle('app.js', changed)
    # The canvas' own script is handed its module compiled: it never asks for the name.
    return re.sub(r'"@asset-name:[\w.-]+@"', '""', with_assets(text, sources))


def one_file(sources: dict, bundle, hub: str) -> bytes:
    page = sources['index.html'].decode('utf-8')
    style = (sources['style.css'] + b'\n' + sources['form.css']).decode('utf-8')
    style = with_assets(style, sources)
    page = re.sub(r'<link rel="(?:modulepreload|preload)"[^>]*>\n?', '', page)
    page = re.sub(r'(?<=Content-Security-Policy" content=")[^"]*',
                  lambda _: POLICY.format(hub=hub).replace(' ;', ';'), page)
    page = page.replace('./icon.svg', as_address('icon.svg', sources['icon.svg']))
    page = page.replace('<link rel="stylesheet" href="./style.css">', f'<style>{style}</style>')
    script = script_of(sources, bundle).replace('</script', '<\\/script')
    page = page.replace('<script type="module" src="./app.js"></script>', '')
    page = page.replace('</body>', f'<script>{script}</script>\n</body>')
    licences = html.escape(sources['licenses.txt'].decode('utf-8'))
    return page.replace('<a href="./licenses.txt">Licences</a>',
                        f'</p>\n<details><summary>Licences</summary><pre>{licences}</pre></details>'
                        '\n<p>').encode()
