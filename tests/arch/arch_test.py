"""Holds the source tree against its rules (rules.py), and the rules against bad examples."""

import pathlib
import re
import subprocess
import sys
import unittest

import rules

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROOMS = rules.parse_rooms((ROOT / 'src/rooms.txt').read_text())
SAMPLE = rules.parse_rooms('a:\nb: a\nc: b\nd: c !a\n---\nui: d\n')


def sources() -> dict:
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding='utf-8')
            for path in sorted((ROOT / 'src').rglob('*')) if path.suffix in ('.h', '.cpp')}


def tracked() -> dict:
    names = subprocess.run(['git', '-c', f'safe.directory={ROOT}', 'ls-files', '-z'], cwd=ROOT,
                           capture_output=True, check=True).stdout.decode().split('\0')
    texts = {}
    for name in filter(None, names):
        path = ROOT / name
        if not path.is_file():
            continue
        try:
            texts[name] = path.read_text(encoding='utf-8')
        except UnicodeDecodeError:
            continue  # a picture, or bytes made for a test
    return texts


class Tree(unittest.TestCase):
    """The tree keeps the rules."""

    def none(self, findings: list) -> None:
        self.assertFalse(findings, '\n' + '\n'.join(findings))

    def test_rooms_file_is_sound(self):
        self.none(ROOMS.findings)

    def test_every_folder_is_a_room(self):
        folders = {path.name for path in (ROOT / 'src').iterdir() if path.is_dir()}
        self.assertLessEqual(folders, set(ROOMS.direct))

    def test_includes_follow_the_arrows(self):
        self.none([f for path, text in sources().items()
                   for f in rules.check_includes(path, text, ROOMS)])

    def test_shared_links_are_only_appended(self):
        """tests/data/links.golden begins with what every former commit of it says."""
        name = 'tests/data/links.golden'
        git = ['git', '-c', f'safe.directory={ROOT}']
        log = subprocess.run([*git, 'log', '--format=%H', '--', name], cwd=ROOT,
                             capture_output=True, text=True, check=True).stdout.split()
        now = (ROOT / name).read_text()
        self.none([f'{name}: lines of {commit[:10]} are gone or changed' for commit in log
                   if not now.startswith(subprocess.run(
                       [*git, 'show', f'{commit}:{name}'], cwd=ROOT, capture_output=True,
                       text=True, check=True).stdout)])

    def test_page_has_the_themes_colours(self):
        """web/style.css repeats the tokens of chart/theme.cpp: light once, dark twice."""
        theme = (ROOT / 'src/chart/theme.cpp').read_text()
        tokens = [(name, ''.join(channels).lower()) for *channels, name in re.findall(
            r'\{0x(..), 0x(..), 0x(..)\},\s*// ([a-z-]+)', theme)]
        light, dark = tokens[:len(tokens) // 2], tokens[len(tokens) // 2:]
        style = (ROOT / 'web/style.css').read_text()
        self.none([f'web/style.css: --kv-{name} is not #{value} ({count} times)'
                   for table, count in ((light, 1), (dark, 2)) for name, value in table
                   if len(re.findall(rf'--kv-{name}: #{value}\b', style)) < count
                   and not (value == 'ffffff' and f'--kv-{name}: #fff;' in style)])

    def test_no_include_cycle(self):
        self.none(rules.include_cycles(sources()))

    def test_libraries_link_what_rooms_allow(self):
        self.none(rules.check_cmake((ROOT / 'CMakeLists.txt').read_text(), ROOMS))

    def test_same_bits_everywhere(self):
        self.none([f for path, text in sources().items()
                   for f in rules.check_words(path, text, ROOMS)])

    def test_files_and_functions_are_short(self):
        self.none([f for path, text in sources().items() for f in rules.check_sizes(path, text)])

    def test_no_registry_host_and_no_machine_path(self):
        self.none([f for path, text in tracked().items() for f in rules.check_hygiene(path, text)])


class RulesThemselves(unittest.TestCase):
    """Each rule finds what it is for, and leaves good code alone."""

    def found(self, findings: list, part: str) -> None:
        self.assertTrue(any(part in finding for finding in findings), f'{part!r} not in {findings}')

    def test_a_cycle_of_rooms(self):
        self.found(rules.parse_rooms('a: b\nb: a\n').findings, 'reaches itself')

    def test_a_room_that_does_not_exist(self):
        self.found(rules.parse_rooms('a: z\n').findings, 'no room')

    def test_a_pure_room_below_the_line(self):
        self.found(rules.parse_rooms('a: ui\n---\nui:\n').findings, 'purity line')

    def test_a_line_that_cannot_be_read(self):
        self.found(rules.parse_rooms('a -> b\n').findings, 'not "room:')

    def test_arrows_are_transitive_except_where_taken_out(self):
        self.assertEqual(SAMPLE.allowed['c'], {'a', 'b', 'c'})
        self.assertEqual(SAMPLE.allowed['d'], {'b', 'c', 'd'})

    def test_a_forbidden_arrow(self):
        for path, text in [('src/a/x.h', '#include "b/y.h"\n'), ('src/d/x.h', '#include "a/y.h"\n'),
                           ('src/b/deep/x.cpp', '  #  include "ui/y.h"\n')]:
            self.found(rules.check_includes(path, text, SAMPLE), 'may not use')
        self.assertEqual(rules.check_includes('src/c/x.h', '#include "a/y.h"\n', SAMPLE), [])

    def test_plan_never_sees_the_catalogue_and_siblings_not_each_other(self):
        for room, other in [('plan', 'catalogue'), ('catalogue', 'import'), ('engine', 'catalogue'),
                            ('units', 'model'), ('chart', 'scenario'), ('cli', 'capi'),
                            ('gfx', 'units'), ('scenario', 'ui')]:
            self.found(rules.check_includes(f'src/{room}/x.h', f'#include "{other}/y.h"\n', ROOMS),
                       f'{room} may not use {other}')

    def test_a_folder_that_is_no_room(self):
        self.found(rules.check_includes('src/misc/x.h', '', ROOMS), 'no room')

    def test_headers_that_break_the_purity_line(self):
        for header in ['iostream', 'fstream', 'chrono', 'thread', 'random', 'cstdio', 'ctime',
                       'imgui.h', 'SDL.h', 'GLES3/gl3.h', 'emscripten.h', 'locale', 'filesystem',
                       'mutex', 'unordered_map', 'format']:
            self.assertTrue(rules.check_includes('src/scenario/x.cpp', f'#include <{header}>\n', ROOMS),
                            header)
        for header in ['vector', 'cmath', 'tl/expected.hpp', 'nlohmann/json.hpp']:
            self.assertEqual(
                rules.check_includes('src/scenario/x.cpp', f'#include <{header}>\n', ROOMS), [])

    def test_libraries_stay_in_their_rooms(self):
        for path, header in [('src/ui/x.cpp', 'SDL.h'), ('src/host/web/x.cpp', 'SDL.h'),
                             ('src/ui/x.cpp', 'GL/gl.h'), ('src/cli/x.cpp', 'imgui.h'),
                             ('src/host/desktop/x.cpp', 'emscripten/html5.h')]:
            self.assertTrue(rules.check_includes(path, f'#include <{header}>\n', ROOMS), path)
        for path, header in [('src/host/desktop/x.cpp', 'SDL.h'), ('src/gfx/x.cpp', 'GLES3/gl3.h'),
                             ('src/host/web/x.cpp', 'emscripten/html5.h'), ('src/ui/x.cpp', 'imgui.h')]:
            self.assertEqual(rules.check_includes(path, f'#include <{header}>\n', ROOMS), [])

    def test_embedded_files_stay_below_the_line(self):
        text = '#include "embedded/catalogue.h"\n'
        self.assertTrue(rules.check_includes('src/catalogue/x.cpp', text, ROOMS))
        self.assertEqual(rules.check_includes('src/cli/x.cpp', text, ROOMS), [])

    def test_headers_that_include_each_other(self):
        self.found(rules.include_cycles({'src/a/x.h': '#include "a/y.h"\n',
                                         'src/a/y.h': '#include "a/x.h"\n'}), 'reaches itself')

    def test_a_library_that_links_too_much(self):
        self.found(rules.check_cmake('kvseats_room(units DEPENDS model)', ROOMS), 'against rooms.txt')
        self.found(rules.check_cmake('', ROOMS), 'no kvseats_room(units)')

    def test_words_that_change_bits(self):
        for line in ['float x = 1;', 'long double y;', 'std::normal_distribution<double> d;',
                     'std::shuffle(a, b, g);', 'std::unordered_map<int, int> m;',
                     'std::sort(a.begin(), a.end(), by_name);', 'std::sort(a.begin(),', 'double z = std::exp(x);',
                     'double z = ::pow(x, 2);', 'std::strtod(text, &end);', 'printf("x");',
                     'std::mutex m;', '  static int calls = 0;', 'throw 1;', 'static int counter = 0;',
                     'inline int counter;', 'auto now = std::chrono::seconds(1);']:
            self.assertTrue(rules.check_words('src/model/x.cpp', line + '\n', ROOMS), line)

    def test_words_that_are_fine(self):
        for line in ['// a float in a comment', 'const char* s = "float";', 'double z = units::exp(x);',
                     'double r = std::sqrt(x);', 'std::sort(a.begin(), a.end());', 'std::stable_sort(a.begin(), a.end());',
                     '  static constexpr int kTable[] = {1, 2};', 'static_assert(sizeof(int) == 4);',
                     '  static Bytes from_gib(double gib);', 'int floating = 1;', 'int entry = try_it;',
                     'bool try_parse(int x);', 'inline constexpr int kOne = 1;',
                     "long long big = 1'000'000; // float", 'static bool is_digit(char c) {']:
            self.assertEqual(rules.check_words('src/model/x.cpp', line + '\n', ROOMS), [], line)

    def test_product_names_in_arithmetic(self):
        line = 'if (name == "llama-3-8b") {}\n'
        self.assertTrue(rules.check_words('src/model/x.cpp', line, ROOMS))
        self.assertEqual(rules.check_words('src/import/x.cpp', line, ROOMS), [])
        self.assertEqual(rules.check_words('src/model/x.cpp', '// Llama 3 "8B" has 32 layers\n', ROOMS), [])

    def test_a_long_file(self):
        self.found(rules.check_sizes('src/a/x.h', 'int a;\n' * 401), '401 lines')
        self.assertEqual(rules.check_sizes('src/a/x.h', 'int a;\n' * 400), [])

    def test_a_long_function(self):
        def text(lines: int) -> str:
            return ('namespace a {\nstruct S {\n  int f(int x) const {\n' + '    if (x) { x++; }\n' * lines
                    + '  }\n};\n}  // namespace a\n')
        self.found(rules.check_sizes('src/a/x.h', text(79)), '81 lines')
        self.assertEqual(rules.check_sizes('src/a/x.h', text(78)), [])
        table = 'constexpr int kTable[] = {\n' + '  1,\n' * 200 + '};\n'
        self.assertEqual(rules.check_sizes('src/a/x.h', table), [])

    def test_hosts_machine_paths_and_conflicts(self):
        for text in ['get https://' + rules.HOSTS[0] + '/debian', 'cd /wo' + 'rk/main',
                     'x = "/t' + 'mp/a"', '<<<' + '<<<< HEAD\n']:
            self.assertTrue(rules.check_hygiene('x', text), text)
        for text in ['$dir/wo' + 'rk/x', 'build/tmp/x', 'https://example.org/home/page', '/usr/share']:
            self.assertEqual(rules.check_hygiene('x', text), [], text)


if __name__ == '__main__':
    result = unittest.main(exit=False, verbosity=1).result
    bad = len(result.failures) + len(result.errors)
    sys.stderr.flush()
    print(f'{result.testsRun - bad} passed, {bad} failed')
    sys.exit(1 if bad else 0)
