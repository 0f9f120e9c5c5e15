"""Tests of the build's own tools: site assembly, server, embedding, fonts, size check."""

import hashlib
import http.client
import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import unittest

import brotli

ROOT = pathlib.Path(__file__).resolve().parents[2]


sys.path.insert(0, str(ROOT / 'cmake'))  # where the tools find each other


def load(name: str):
    spec = importlib.util.spec_from_file_location(name, ROOT / 'cmake' / f'{name}.py')
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


assemble_site, serve = load('assemble_site'), load('serve')
split_wasm, wasm, wasm_uses = load('split_wasm'), load('wasm_binary'), load('wasm_uses')


class Folder(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.addCleanup(self.temporary.cleanup)

    def write(self, files: dict) -> None:
        for name, content in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())


class Assembly(Folder):
    SCRIPT = ('var kvseatsCanvas = (function() { var _scriptDir = typeof document !== '
              '\'undefined\' && document.currentScript ? document.currentScript.src : undefined; '
              'f = "kvseats_page.wasm"; })();\n')
    BUILT = {
        'wasm/kvseats_small.wasm': b'\0asm small', 'wasm/kvseats_rest.wasm': b'\0asm rest',
        'wasm/kvseats_page.js': SCRIPT,
        'wasm/kvseats_canvas.wasm': b'\0asm canvas', 'wasm/assets/catalogue.txt': 'catalogue\n',
        'wasm/assets/inter-regular.otf': b'OTTO1', 'wasm/assets/inter-semibold.otf': b'OTTO2',
    }

    def assemble(self, web: dict, *options) -> subprocess.CompletedProcess:
        self.write(self.BUILT)
        self.write({f'web/{name}': content for name, content in web.items()})
        return subprocess.run(
            [sys.executable, ROOT / 'cmake/assemble_site.py', '--wasm', self.folder / 'wasm',
             '--web', self.folder / 'web', '--out', self.folder / 'site', *options],
            capture_output=True, text=True)

    def site(self) -> dict:
        return {p.relative_to(self.folder / 'site').as_posix(): p.read_bytes()
                for p in (self.folder / 'site').rglob('*') if p.is_file()}

    def one(self, stem: str, suffix: str) -> str:
        names = [n for n in self.site() if re.fullmatch(rf'{stem}\.[0-9a-f]{{10}}\.{suffix}', n)]
        self.assertEqual(len(names), 1, names)
        return names[0]

    PAGE = {'index.html': '<link href="./style.css"><script src="./app.js"></script>',
            'style.css': 'body { src: url(@asset:inter-regular.otf@) }',
            'app.js': 'import { a } from "./parts/a.js"; import "./kvseats.js";'
                      'const u = "@asset:canvas.js@";',
            'kvseats.js': 'export const w = "@asset:small.wasm@";',
            'parts/a.js': 'export const a = "@asset:catalogue.txt@", b = "../style.css";',
            'README.md': 'not shipped', 'parts/a.test.js': 'not shipped'}

    def test_names_are_hashed_and_references_follow(self):
        result = self.assemble(self.PAGE)
        self.assertEqual(result.returncode, 0, result.stderr)
        site = self.site()
        index = site['index.html'].decode()
        app, part = self.one('app', 'js'), self.one('parts/a', 'js')
        self.assertIn(f'src="./{app}"', index)
        self.assertIn(f'"./{part}"', site[app].decode())
        self.assertIn(f'"./{self.one("canvas", "js")}"', site[app].decode())
        self.assertIn(f'"../{self.one("catalogue", "txt")}"', site[part].decode())
        self.assertIn(f'"../{self.one("style", "css")}"', site[part].decode())
        self.assertFalse([n for n in site if 'README' in n or 'test' in n])

    def test_a_name_says_its_content(self):
        self.assemble(self.PAGE)
        for name, data in self.site().items():
            match = re.search(r'\.([0-9a-f]{10})\.\w+$', name)
            if match:
                self.assertEqual(match.group(1), hashlib.sha256(data).hexdigest()[:10], name)

    def test_a_script_cannot_meet_the_wasm_of_another_version(self):
        self.assemble(self.PAGE)
        before = self.one('canvas', 'js')
        self.assertIn(self.one('canvas', 'wasm').encode(), self.site()[before])
        self.write({'wasm/kvseats_canvas.wasm': b'\0asm another'})
        self.BUILT = {}
        self.assemble(self.PAGE)
        self.assertNotEqual(before, self.one('canvas', 'js'))
        self.assertNotIn(before, self.site(), 'the old version is removed')

    def test_the_public_name_is_a_copy_of_what_the_page_loads(self):
        self.assemble(self.PAGE)
        site, hashed = self.site(), self.one('kvseats', 'js')
        self.assertEqual(site['kvseats.js'], site[hashed])
        self.assertIn(f'"./{hashed}"', site[self.one('app', 'js')].decode())

    def test_the_canvas_comes_as_module_and_as_classic_script(self):
        self.assemble(self.PAGE)
        module = self.site()[self.one('canvas', 'js')].decode()
        self.assertTrue(module.endswith('export default kvseatsCanvas;\n'))
        self.assertIn('import.meta.url', module)
        classic = self.site()[self.one(r'canvas\.classic', 'js')].decode()
        self.assertNotIn('export', classic)
        self.assertNotIn('import.meta', classic)

    def test_texts_and_fonts_are_compressed(self):
        self.assemble(self.PAGE)
        site = self.site()
        self.assertEqual(brotli.decompress(site['index.html.br']), site['index.html'])
        fonts = [n for n in site if n.endswith('.otf')]
        self.assertTrue(fonts)
        for name in fonts:
            self.assertEqual(brotli.decompress(site[name + '.br']), site[name])

    def test_an_unknown_asset_is_an_error(self):
        result = self.assemble({'index.html': '@asset:nothing.js@'})
        self.assertEqual(result.returncode, 1)
        self.assertIn('nothing.js', result.stderr)

    def test_a_circle_is_an_error(self):
        result = self.assemble({'index.html': '"./a.js"', 'a.js': '"./b.js"', 'b.js': '"./a.js"'})
        self.assertEqual(result.returncode, 1)
        self.assertIn('circle', result.stderr)

    def test_the_same_input_gives_the_same_bytes(self):
        self.assemble(self.PAGE)
        first = self.site()
        self.assemble(self.PAGE)
        self.assertEqual(first, self.site())


class Serving(Folder):
    def setUp(self):
        super().setUp()
        self.write({'index.html': '<p>', 'a.wasm': b'\0asm', 'a.wasm.br': b'small', 'a.js': 'x',
                    'a.js.gz': b'zip', 'f.otf': b'OTTO', 'sub/index.html': 'sub'})
        handler = lambda *a: serve.Handler(*a, directory=str(self.folder))
        self.server = serve.Server(('127.0.0.1', 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    def get(self, path: str, accept: str = '') -> tuple:
        connection = http.client.HTTPConnection('127.0.0.1', self.server.server_address[1])
        connection.request('GET', path, headers={'Accept-Encoding': accept})
        response = connection.getresponse()
        body = response.read()
        connection.close()
        return response.status, response.headers, body

    def test_media_types(self):
        for path, media in [('/', 'text/html; charset=utf-8'), ('/a.wasm', 'application/wasm'),
                            ('/a.js', 'text/javascript; charset=utf-8'), ('/f.otf', 'font/otf')]:
            status, headers, _ = self.get(path)
            self.assertEqual((status, headers['Content-Type']), (200, media))
            self.assertEqual(headers['Cache-Control'], 'no-cache')

    def test_compressed_only_when_accepted(self):
        status, headers, body = self.get('/a.wasm', 'gzip, br')
        self.assertEqual((headers['Content-Encoding'], headers['Content-Type'], body),
                         ('br', 'application/wasm', b'small'))
        self.assertEqual(self.get('/a.wasm', 'gzip')[2], b'\0asm')
        self.assertEqual(self.get('/a.js', 'gzip')[2], b'zip')

    def test_what_is_not_there(self):
        self.assertEqual(self.get('/nothing')[0], 404)
        self.assertEqual(self.get('/../../etc/passwd')[0], 404)
        self.assertEqual(self.get('/sub')[0], 301)
        self.assertEqual(self.get('/sub/')[2], b'sub')


class Embedding(Folder):
    def test_any_byte_survives_the_compiler(self):
        data = bytes(range(256)) * 40 + b'??=1"\\\0007'
        self.write({'a.bin': data, 'b.txt': ''})
        subprocess.run([sys.executable, ROOT / 'cmake/embed.py', 'things',
                        self.folder / 'embedded/things.h', self.folder / 'things.cpp',
                        self.folder / 'a.bin', self.folder / 'b.txt'], check=True)
        self.write({'main.cpp': '#include "embedded/things.h"\n#include <cstdio>\nint main() {\n'
                    'auto v = kvseats::embedded::things("a.bin");\n'
                    'fwrite(v.data(), 1, v.size(), stdout);\n'
                    'return kvseats::embedded::things("b.txt").empty() &&'
                    ' kvseats::embedded::things("c").empty() ? 0 : 1; }\n'})
        subprocess.run(['g++', '-std=c++20', '-I', self.folder, self.folder / 'main.cpp',
                        self.folder / 'things.cpp', '-o', self.folder / 'main'], check=True)
        self.assertEqual(subprocess.run([self.folder / 'main'], capture_output=True,
                                        check=True).stdout, data)

    def test_two_files_of_one_name_are_refused(self):
        self.write({'a/x': '1', 'b/x': '2'})
        result = subprocess.run([sys.executable, ROOT / 'cmake/embed.py', 'n', self.folder / 'h',
                                 self.folder / 's', self.folder / 'a/x', self.folder / 'b/x'],
                                capture_output=True)
        self.assertEqual(result.returncode, 1)


class Fonts(unittest.TestCase):
    def test_ten_digits_have_one_advance_in_both_cuts(self):
        from fontTools.ttLib import TTFont
        for cut in ('regular', 'semibold'):
            path = ROOT / f'build/native/assets/inter-{cut}.otf'
            font = TTFont(path)
            cmap, metrics = font.getBestCmap(), font['hmtx'].metrics
            self.assertEqual(len({metrics[cmap[ord(d)]][0] for d in '0123456789'}), 1, cut)
            for sign in 'AZaz·×≤≥→∞€µ−–…':
                self.assertIn(ord(sign), cmap, f'{cut} has no {sign}')
            self.assertLess(path.stat().st_size, 24 * 1024)


class Cutting(unittest.TestCase):
    """cmake/split_wasm.py on modules of a few bytes."""

    @staticmethod
    def module(**sections) -> list:
        parts = wasm.read_sections(wasm.MAGIC)
        for name, data in sections.items():
            parts = wasm.with_section(parts, getattr(wasm, name.upper()), data)
        return parts

    def test_numbers_and_sections_are_read_as_they_were_written(self):
        for value in (0, 1, 63, 64, 127, 128, 8191, 8192, 1 << 20):
            self.assertEqual(wasm.Reader(wasm.number(value)).number(), value)
            for side in (value, -value):
                self.assertEqual(wasm.Reader(wasm.signed(side)).number(signed=True), side)
        data = [(1024, b'a'), (70000, b'')]
        sections = self.module(data=wasm.write_data(data), export=wasm.write_exports([('f', 0, 3)]))
        self.assertEqual([kind for kind, _ in sections], [wasm.EXPORT, wasm.DATA])
        sections = wasm.read_sections(wasm.write_sections(sections))
        self.assertEqual(wasm.read_data(wasm.section(sections, wasm.DATA)), data)
        self.assertEqual(wasm.read_exports(wasm.section(sections, wasm.EXPORT)), [('f', 0, 3)])

    def test_a_part_takes_its_own_data_and_nothing_between(self):
        first = self.module(data=wasm.write_data([(100, b'mineFIRmore\0\0pad')]))
        mine = [(100, 4), (107, 4), (113, 3)]
        dealt = split_wasm.deal_data([first, self.module()], [mine], [*mine, (104, 3)])
        data = [wasm.read_data(wasm.section(sections, wasm.DATA)) for sections in dealt]
        self.assertEqual(data[0], [(100, b'\0\0\0\0FIR' + bytes(9))])
        self.assertEqual(data[1], [(100, b'mine'), (107, b'more\0\0pad')])

    def test_what_is_read_at_the_start_is_there_at_the_start(self):
        """A table of engines asks each for its words before the engines' own part is there."""
        def function(name): return ('function', name)
        uses = wasm_uses.Uses.__new__(wasm_uses.Uses)
        uses.starters = {function('table')}
        uses.edges = {function('table'): {function('profile'), ('data', 'list')},
                      function('profile'): {('data', 'remedy'), ('data', 'options'),
                                            function('run')},
                      function('run'): {('data', 'rules')},
                      ('data', 'options'): {('data', 'words')}}
        uses.taken = {function('profile'): {function('run')}}
        named = {name for _, name in uses.named_at_start()}
        self.assertEqual(named, {'list', 'remedy', 'options'})

    def test_a_part_takes_a_table_that_has_grown(self):
        self.assertEqual(split_wasm.unbounded(b'\x70\1\xac\2\xac\2'), b'\x70\0\xac\2')

    def test_parts_find_each_other_and_what_comes_from_outside(self):
        outside = wasm.write_imports([('env', 'glClear', wasm.FUNCTION, b'\0')])
        first = self.module(
            export=wasm.write_exports([('call', 0, 1), ('from1.x', 0, 2), ('from1.y', 0, 0)]))
        first = wasm.with_section(first, wasm.IMPORT, outside)
        name_section = wasm.text('name') + b'\1\7\1\5\4help'
        rest = [*self.module(export=wasm.write_exports([])), (0, name_section)]
        canvas = wasm.with_section([], wasm.IMPORT, wasm.write_imports(
            [('first', name, wasm.FUNCTION, b'\0') for name in ('from1.x', 'from1.y', 'lent')]))
        linked = split_wasm.link_names([first, rest, canvas], {'call'}, [{'lent': 'help'}, {}])
        imports = wasm.read_imports(wasm.section(linked[2], wasm.IMPORT))
        self.assertEqual([item[:2] for item in imports],
                         [('first', 'a'), ('env', 'glClear'), ('part1', 'b')])
        exports = [wasm.read_exports(wasm.section(part, wasm.EXPORT)) for part in linked[:2]]
        self.assertEqual(exports, [[('call', 0, 1), ('a', 0, 2)], [('b', 0, 5)]])


class Sizes(Folder):
    def check(self, budget: str) -> subprocess.CompletedProcess:
        self.write({'budget.txt': budget, 'site/index.html': '<script src="./a.js"></script>',
                    'site/a.js': 'import "./b.js"; import("./late.js");', 'site/b.js': 'b',
                    'site/late.js': json.dumps(list(range(3000))),
                    'site/small.0123456789.wasm': bytes(range(256)) * 4})
        return subprocess.run([sys.executable, ROOT / 'tests/size_check.py', self.folder / 'site',
                               self.folder / 'budget.txt'], capture_output=True, text=True)

    def test_within_budget(self):
        result = self.check('page 1 1 index.html @page\nsmall 1 1 small.wasm\n')
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn('b.js', result.stdout)
        self.assertNotIn('late.js', result.stdout)

    def test_over_budget_or_missing(self):
        self.assertEqual(self.check('small 0.1 0.1 small.wasm\n').returncode, 1)
        self.assertEqual(self.check('canvas 100 100 canvas.wasm\n').returncode, 1)

    def test_above_the_target_is_said_and_not_a_failure(self):
        result = self.check('small 0.1 1 small.wasm\n')
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn('over it by', result.stdout)


class Script(unittest.TestCase):
    def test_help_names_every_command_and_an_unknown_one_is_refused(self):
        result = subprocess.run([ROOT / 'dev', 'help'], capture_output=True, text=True)
        for command in ('serve', 'test', 'native', 'web', 'bench', 'fuzz', 'mutate', 'format'):
            self.assertIn(f'./dev {command}', result.stdout)
        wrong = subprocess.run([ROOT / 'dev', 'nonsense'], capture_output=True)
        self.assertEqual(wrong.returncode, 2)


if __name__ == '__main__':
    outcome = unittest.main(exit=False).result
    bad = len(outcome.failures) + len(outcome.errors)
    sys.stderr.flush()
    print(f'{outcome.testsRun - bad} passed, {bad} failed', flush=True)
    sys.exit(1 if bad else 0)
