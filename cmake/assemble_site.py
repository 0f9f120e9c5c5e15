"""Puts the site together: assemble_site.py --wasm BUILD_TREE --web FOLDER --out FOLDER

Every file of web/ (but README.md and *.test.*) and every built asset goes to the site. All names
but those of pages carry a hash of the content, so a page can never meet a module of another version,
and everything but pages may be cached for ever. Public entry points are there under their own name
too.

How a page file names another file, in any .html, .js, .css or .json of web/:
  "./panel.js"           quoted, beginning with ./ or ../ : a file of web/, relative to this one;
                         works in the unbuilt folder too, and is replaced by the hashed name
  @asset:NAME@           anything, built assets too; replaced by the hashed name, relative to this
                         file and beginning with "./"
Built assets: small.wasm rest.wasm canvas.wasm (parts of one program) files.wasm check.wasm (they stand alone)
canvas.js catalogue.txt inter-regular.otf inter-semibold.otf. canvas.js is an ES module whose default export makes an instance
(`const instance = await make(options)`, given the program's parts by web/canvas-module.js); the classic script (which
defines kvseatsCanvas) is canvas.classic.js.

The pages get their first answer here: `<!--kv:…-->` is filled in by cmake/prerender.mjs. Comments
and indentation of scripts, styles and pages stay behind (cmake/strip.mjs).

kvseats.html is the page in one file (one_file.py).
embed.html and lesson.html stand alone, for frames with an opaque origin, where modules, fetched files
and styles from outside do not load: their script (cmake/bundle.mjs) and style are put into them, and their policy
names the hashes; wasm, catalogue and fonts come as scripts that it asks for, as the
page does (embed-core.js for the words, embed-rest.js, embed-canvas.js).

An unknown name, or a circle of references, is an error. Texts, modules and fonts are written as .br and .gz
too.
"""

import argparse
import base64
import gzip
import hashlib
import json
import pathlib
import posixpath
import re
import subprocess
import sys

import brotli

from npm_folder import npm_folder
from one_file import one_file

BUILT = {
    'small': ('', 'kvseats_small.wasm', ''),
    'rest': ('', 'kvseats_rest.wasm', ''),
    'files': ('', 'kvseats_files.wasm', ''),
    'check': ('', 'kvseats_check.wasm', ''),
    'canvas': ('kvseats_page.js', 'kvseats_canvas.wasm', 'kvseatsCanvas'),
}
FONTS = ('inter-regular.otf', 'inter-semibold.otf')
# Names that links and course pages hold, and what robots and browsers ask for by name.
STABLE = re.compile(r'(.*\.html|.*\.d\.ts|robots\.txt|favicon\.ico|licenses\.txt|package\.json)$')
# Public entry points: there under their own name too; our own pages load the hashed copy.
ALSO_UNHASHED = {'kvseats.js', 'define.js', 'kv-seats-element.js'}
DOWNLOADS = {'kvseats.html'}  # 3 MB of base64: kept, not visited
LEFT_OUT = re.compile(r'(^|/)(README\.md|package-lock\.json|tsconfig\.json|.*\.test\..*|\..*)$|'
                      r'(^|/)(node_modules|tests?)/')
TEXT = {'.html', '.js', '.mjs', '.css', '.json', '.svg', '.ts', '.txt', '.webmanifest'}
# Hosts that compress do so for font/otf too (it is on the default lists of Fastly and Cloudflare),
# and it takes a third off; WOFF2 would be smaller still, but what draws the canvas cannot read it.
COMPRESSED = TEXT | {'.wasm', '.ico', '.otf'}
REFERENCE = re.compile(r'@asset:(?P<asset>[\w./-]+)@|'
                       r'(?P<quote>["\'`])(?P<path>\.\.?/[\w./-]+\.\w+)(?=(?P=quote)|[?#])')
SCRIPT_URL = re.compile(r"typeof document\s*!==?\s*'undefined'\s*&&\s*document\.currentScript\s*\?\s*"
                        r"document\.currentScript\.src\s*:\s*undefined")


class Trouble(Exception):
    pass


def module_form(script: str, function: str) -> str:
    """The classic script of an Emscripten module as an ES module."""
    script = SCRIPT_URL.sub('import.meta.url', script)
    return f'{script.rstrip()}\nexport default {function};\n'


def read_sources(args) -> dict:
    """Name in the site -> bytes, before any reference is replaced."""
    sources = {}
    web = pathlib.Path(args.web)
    for path in sorted(web.rglob('*')):
        name = path.relative_to(web).as_posix()
        if path.is_file() and not LEFT_OUT.search(name):
            sources[name] = path.read_bytes()
    build = pathlib.Path(args.wasm)
    for name, (script, module, function) in BUILT.items():
        if (build / module).exists():
            sources[f'{name}.wasm'] = (build / module).read_bytes()
        # A module that stands alone has no script.
        if not script or not (build / script).exists():
            continue
        text = (build / script).read_text(encoding='utf-8')
        # It is handed its module compiled and never asks for the name: that only tells versions apart.
        text = re.sub(r'(["\'])' + re.escape(script[:-3]) + r'\.wasm\1',
                      f'"@asset-name:{name}.wasm@"', text)
        sources[f'{name}.classic.js'] = text.encode()
        sources[f'{name}.js'] = module_form(text, function).encode()
    for name in ('catalogue.txt', *FONTS):
        path = build / 'assets' / name
        if path.exists():
            sources[name] = path.read_bytes()
    sources['licenses.txt'] = licenses(args).encode()
    for name in [name for name in sources if name.endswith('.html')]:
        sources[name] = sources[name].replace(b' @hub@', f' {args.hub}'.rstrip().encode()) \
            .replace(b'@hub@', args.hub.encode())
    return sources


def prerender(sources: dict, args) -> None:
    """The default answer, its tables and its figure as HTML, so that the first paint is one."""
    parts = [pathlib.Path(args.wasm) / name
             for name in ('kvseats_small.wasm', 'kvseats_rest.wasm', 'assets/catalogue.txt')]
    script = pathlib.Path(__file__).resolve().parent / 'prerender.mjs'
    for name, page in sources.items():
        if not name.endswith('.html') or b'<!--kv:' not in page:
            continue
        if not all(part.exists() for part in parts) and args.partial:
            continue
        result = subprocess.run(['node', script, pathlib.Path(args.web) / 'kvseats.js', *parts],
                                input=page, capture_output=True)
        if result.returncode:
            raise Trouble(f'{name}: {result.stderr.decode()}')
        sources[name] = result.stdout


def strip(sources: dict) -> None:
    """Leaves the comments of the page's own texts behind; what Emscripten wrote is small already."""
    built = {f'{name}{suffix}' for name in BUILT for suffix in ('.js', '.classic.js')}
    texts = {name: data.decode('utf-8') for name, data in sources.items()
             if name.endswith(('.js', '.css', '.html')) and name not in built}
    script = pathlib.Path(__file__).resolve().parent / 'strip.mjs'
    result = subprocess.run(['node', script], input=json.dumps(texts).encode(), capture_output=True)
    if result.returncode:
        raise Trouble(f'strip: {result.stderr.decode()}')
    sys.stdout.write(result.stderr.decode())
    sources.update({name: text.encode() for name, text in json.loads(result.stdout).items()})


def bundle(entry: str, sources: dict) -> str:
    """A module and what it imports as one classic script."""
    texts = {name: data.decode('utf-8') for name, data in sources.items()
             if name.endswith('.js') and '.classic' not in name}
    script = pathlib.Path(__file__).resolve().parent / 'bundle.mjs'
    result = subprocess.run(['node', script, entry], input=json.dumps(texts).encode(),
                            capture_output=True)
    if result.returncode:
        raise Trouble(f'bundle {entry}: {result.stderr.decode()}')
    return result.stdout.decode()


def as_script(name: str, data: bytes) -> str:
    """Bytes as a string of JavaScript, a character each: brotli sees the bytes, not base64."""
    escapes = {0: '\\x00', 10: '\\n', 13: '\\r', 34: '\\"', 92: '\\\\'}
    return f'kvseatsData.{name}="' + data.decode('latin-1').translate(escapes) + '";\n'


def stand_alone(name: str, sources: dict) -> None:
    """NAME.html with its own script and style, and the colours of the page, in it."""
    page = sources[f'{name}.html'].decode('utf-8')
    tokens = sources['style.css'].decode('utf-8')
    tokens = tokens[tokens.index(':root'):tokens.index('*,::before')]
    style = tokens + sources['embed.css'].decode('utf-8')
    if name != 'embed':
        style += sources.pop(f'{name}.css').decode('utf-8')
    page = page.replace(f'<link rel="stylesheet" href="./{name}.css">', f'<style>{style}</style>')
    page = page.replace(f'<script src="./{name}.js"></script>',
                        f'<script>{bundle(f"{name}.js", sources)}</script>')
    sources[f'{name}.html'] = page.encode()


def make_embed(sources: dict) -> None:
    if 'embed.html' not in sources:
        return
    parts = {'small': 'small.wasm', 'rest': 'rest.wasm', 'catalogue': 'catalogue.txt',
             'canvas': 'canvas.wasm', 'regular': FONTS[0], 'bold': FONTS[1]}
    for name in ('lesson', 'embed'):
        stand_alone(name, sources)
    del sources['embed.css']
    canvas = bundle('embed-host.js', sources)
    for name in ('embed.js', 'embed-host.js', 'embed-parts.js', 'lesson.js'):
        del sources[name]
    if all(part in sources for part in (*parts.values(), 'canvas.classic.js')):
        data = {name: as_script(name, sources[part]) for name, part in parts.items()}
        sources['embed-core.js'] = (data['small'] + data['catalogue']).encode()
        sources['embed-rest.js'] = data['rest'].encode()
        sources['embed-canvas.js'] = (
            sources['canvas.classic.js'].decode('utf-8') + '\n' + canvas
            + 'kvseatsData.module=()=>kvseatsCanvas;\n'
            + data['canvas'] + data['regular'] + data['bold']).encode()


def with_hashes(page: str) -> str:
    """The policy of a page that holds its script and style itself names their hashes."""
    for name in ('script', 'style'):
        found = re.search(rf'<{name}>(.*?)</{name}>', page, re.DOTALL)
        if found:
            digest = base64.b64encode(hashlib.sha256(found.group(1).encode()).digest()).decode()
            page = page.replace(f'@hash:{name}@', f'sha256-{digest}')
    return page


def licenses(args) -> str:
    """What the licences of the parts want to see beside the copies."""
    root = pathlib.Path(__file__).resolve().parent.parent
    imgui = pathlib.Path(args.imgui or root / 'build/deps/imgui')
    documents = pathlib.Path('/usr/share/doc')
    parts = [('KV Seats', root / 'LICENSE'), ('Dear ImGui', imgui / 'LICENSE.txt'),
             ('Inter', documents / 'fonts-inter/copyright'),
             ('expected', documents / 'libexpected-dev/copyright'),
             ('Emscripten', documents / 'emscripten/copyright')]
    return '\n\n'.join(f'==== {name} ====\n\n{path.read_text(encoding="utf-8").strip()}'
                       for name, path in parts if path.exists()) + '\n'


class Site:
    def __init__(self, sources: dict, optional: set):
        self.sources, self.optional = sources, optional
        self.done, self.names, self.active = {}, {}, []
        self.missing = set()

    def final_name(self, name: str) -> str:
        """The name in the site; makes the file, and those it refers to, on the way."""
        if name in self.names:
            return self.names[name]
        # A page may be pointed to from anywhere, also from what it loads: its name is its own.
        if STABLE.match(name):
            self.names[name] = name
            return name
        self.make(name)
        return self.names[name]

    def make(self, name: str) -> None:
        if name in self.active:
            raise Trouble('files refer to each other in a circle: '
                          + ' -> '.join([*self.active[self.active.index(name):], name]))
        self.active.append(name)
        data = self.sources[name]
        if pathlib.PurePosixPath(name).suffix in TEXT:
            text = self.replace(name, data.decode('utf-8'))
            data = (with_hashes(text) if name.endswith('.html') else text).encode('utf-8')
        if STABLE.match(name):
            self.names[name] = name
        else:
            stem, suffix = posixpath.splitext(name)
            self.names[name] = f'{stem}.{hashlib.sha256(data).hexdigest()[:10]}{suffix}'
        self.done[self.names[name]] = data
        if name in ALSO_UNHASHED:
            self.done[name] = data
        self.active.pop()

    def replace(self, name: str, text: str) -> str:
        folder = posixpath.dirname(name)

        def relative(target: str) -> str:
            path = posixpath.relpath(self.final_name(target), folder or '.')
            return path if path.startswith('.') else './' + path

        def one(match: re.Match) -> str:
            asset = match.group('asset')
            if asset:
                if asset in self.sources:
                    return relative(asset)
                if asset in self.optional:
                    self.missing.add(asset)
                    return './missing-' + asset
                raise Trouble(f'{name} names @asset:{asset}@, which is no file of the site')
            target = posixpath.normpath(posixpath.join(folder, match.group('path')))
            if target in self.sources:
                return match.group('quote') + relative(target)
            return match.group(0)

        text = REFERENCE.sub(one, text)
        return re.sub(r'@asset-name:([\w./-]+)@',
                      lambda m: posixpath.basename(self.final_name(m.group(1))), text)


def write(out: pathlib.Path, files: dict, compressed: bool = True) -> None:
    """Writes what changed, removes what is no longer there."""
    out.mkdir(parents=True, exist_ok=True)
    wanted = set()
    for name, data in sorted(files.items()):
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        wanted.add(path)
        fresh = path.exists() and path.read_bytes() == data
        if not fresh:
            path.write_bytes(data)
        if compressed and path.suffix in COMPRESSED and name not in DOWNLOADS:
            small, smaller = out / (name + '.gz'), out / (name + '.br')
            wanted.update((small, smaller))
            if not (fresh and small.exists() and smaller.exists()):
                small.write_bytes(gzip.compress(data, 9, mtime=0))
                smaller.write_bytes(brotli.compress(data, quality=11))
    for path in sorted(out.rglob('*'), reverse=True):
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif path not in wanted:
            path.unlink()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--wasm', default='build/wasm')
    parser.add_argument('--web', default='web')
    parser.add_argument('--out', default='build/site')
    parser.add_argument('--npm', default='', help='folder for the package; empty: none')
    parser.add_argument('--imgui', default='')
    parser.add_argument('--hub', default='https://huggingface.co',
                        help='where a model is asked for by its id; empty: nowhere')
    parser.add_argument('--partial', action='store_true',
                        help='built assets that are not there are left out, with a note')
    args = parser.parse_args()
    optional = set()
    if args.partial:
        optional = {'catalogue.txt', *FONTS} | {
            f'{name}{suffix}' for name in BUILT for suffix in ('.js', '.classic.js', '.wasm')}
    try:
        sources = read_sources(args)
        prerender(sources, args)
        strip(sources)
        if 'index.html' in sources and all(f'{name}.wasm' in sources for name in BUILT):
            sources['kvseats.html'] = one_file(sources, bundle, args.hub)
        make_embed(sources)
        site = Site(sources, optional)
        for name in site.sources:
            if STABLE.match(name) or name not in site.names:
                site.make(name)
    except Trouble as trouble:
        print(f'assemble_site: {trouble}', file=sys.stderr)
        return 1
    write(pathlib.Path(args.out), site.done)
    if args.npm:
        root = pathlib.Path(__file__).resolve().parent.parent
        write(pathlib.Path(args.npm), npm_folder(Site(sources, optional), root), compressed=False)
    for name in sorted(site.missing):
        print(f'assemble_site: note, {name} has not been built')
    return 0


if __name__ == '__main__':
    sys.exit(main())
