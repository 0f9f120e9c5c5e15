// Negative controls of the browser tests: one thing of the page is broken, and the tests that say they
// hold it must turn red. node sabotage.mjs [--site FOLDER] [--only TEXT]
//
// A row is what is broken, where (a file of the site; a script where no ending is named; its text whatever the spaces, what stands there
// instead), and the tests that must notice. A text that is not there any more is a failure, so is a test
// that stays green. Tests of Chromium without a control are listed in `uncontrolled.txt`: one that is
// there and has a control, or that has none and is not there, is a failure. So the list only shrinks.
// Last line: "N passed, N failed", in tests that turned red.
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
};
const site = path.resolve(option('site', path.join(here, '../../build/site')));
const only = option('only', '');
const PATIENCE = 12_000;  // ms: what is broken does not come
const CHROMIUM = ['--skip', 'node,nogl,firefox,headless'];

const SABOTAGE = [
  ['an answer is that of the link before', 'app', 'return app.whole ? app.kv.page(link,',
    'return app.whole ? app.kv.page(app.link,',
    ['chromium: a form change reaches answer, link and history', 'chromium: a reload restores what was set']],
  ['nothing is written to the address', 'app', 'write(link, live) {', 'write(link, live) { return;',
    ['chromium: a slider drag leaves one entry in the history', 'a canvas drag reaches form and link, and a reload',
      'page: by keyboard alone: text view, model, users, copy link']],
  ['nothing is said of a link', 'app', "byId('trouble').hidden = !wrong;", "byId('trouble').hidden = true; return;",
    ['chromium: a link that leaves no answer shows the defaults', 'chromium: a misspelt key is named beside the answer',
      'chromium: what is right in a link counts beside what is wrong']],
  ['every link has trouble', 'app', "byId('trouble').hidden = !wrong;", "byId('trouble').hidden = false;",
    ['chromium: a key of somebody else is no trouble']],
  ['what did not arrive is not said', 'app', "byId('trouble').hidden = false;", '',
    ['page: a module that does not arrive is said', 'page: without WebAssembly it says so',
      'chromium: out of memory in the core', 'chromium: out of memory at the start']],
  ['a refused value is taken', 'form', 'if (!edited.ok) return edited.diagnostics[0];', 'if (!edited.ok) return null;',
    ['chromium: a bad value is said at its field']],
  ['lists do not open', 'combobox', 'this.list.hidden = false;', '',
    ['chromium: a model is found by typing, by keyboard alone', 'chromium: an accelerator is found by typing and by a click',
      'page: a tap opens the list of models']],
  ['files are not taken', 'files', 'export async function takeFiles(app, files) {',
    'export async function takeFiles(app, files) { return;',
    ['chromium: what was read of a file is shown', 'chromium: a fact that was read leads to the field',
      'chromium: a file that says nothing is refused', 'chromium: a config.json that is pasted into the box',
      'chromium: a config.json that is dropped becomes the model']],
  ['nothing is copied', 'share', 'await navigator.clipboard.writeText(text);', '',
    ['chromium: the share dialog has all forms', 'chromium: the whole way by keyboard alone',
      'chromium: the whole way by roles and names alone']],
  ['an author locks nothing', 'author', "locks: (key) => locked.has(key) || locked.has('all'),", 'locks: () => false,',
    ['chromium: the author of a link locks, hides and bounds']],
  ['every guess is right', 'question', 'const correct = matches(text, truth, keys.tolerance);', 'const correct = true;',
    ['chromium: a question keeps its answer until it has been guessed']],
  ['nothing is pinned', 'compare', 'pin: () => go(', 'pin: () => void (',
    ['chromium: explore: a scenario is pinned, compared']],
  ['no model beside it', 'compare', "const models = (page.models ?? '').split(',').filter(Boolean);", 'const models = [];',
    ['chromium: explore: models stand beside the scenario']],
  ['nothing is added for rent', 'rent', 'add: (slug) => go(', 'add: (slug) => void (',
    ['chromium: explore: what there is to rent']],
  ['lengths make no service', 'lengths', "if (ok && app.show(link, { from: 'form' }))", 'if (false)',
    ['chromium: explore: pasted lengths become a service']],
  ['by hand says no arithmetic', 'byhand', 'return [`${how} ${relation} `,', "return [' ',",
    ['chromium: explore: by hand is arithmetic']],
  ['the canvas does not tell', 'canvas-host', "if (effect.kind === 'query') {", "if (effect.kind === 'no') {",
    ['chromium: a canvas drag reaches form and link']],
  ['the canvas does not listen', 'canvas-host', 'this.#do((module) => module.query(query));', '',
    ['chromium: a form change reaches canvas and link']],
  ['the canvas never rests', 'canvas-host', 'if (wait === 0) {', 'if (true) {',
    ['chromium: nothing is drawn in 5 s of idleness', 'chromium: nothing is drawn off screen',
      'chromium: nothing is drawn while hidden']],
  ['the canvas is blank', 'canvas-host', 'module.frame(this.#now());', '',
    ['chromium: the canvas draws', 'chromium: one in a shadow root draws']],
  ['no theme for the canvas', 'canvas-host', 'setTheme(theme) {', 'setTheme(theme) { return;',
    ['chromium: the theme button reaches the canvas']],
  ['a lost context is not given back', 'canvas-surface', '#ready() {', '#ready() { if (this.#rescue) return;',
    ['chromium: a lost context comes back', 'chromium: a context that is lost while dragging']],
  ['sizes are not followed', 'canvas-surface', 'this.#size = surfaceSize(', 'this.#size ??= surfaceSize(',
    ['chromium: a storm of sizes ends in the right one']],
  ['the canvas takes every key', 'canvas-host', "if (event.key === 'Tab') {", "event.preventDefault(); if (event.key === 'Tab') {",
    ['chromium: Tab enters, walks and leaves']],
  ['an element that leaves keeps its canvas', 'kv-seats-element', 'this.#host?.destroy();', '',
    ['chromium: flat memory over']],
  ['the Hub is not asked', 'hub', 'export function parseId(text) {', 'export function parseId(text) { return null;',
    ['chromium: hub: an id becomes the model', 'chromium: hub: another revision',
      'chromium: hub: gated, missing, no id, no JSON', 'chromium: hub: what never ends can be cancelled',
      'chromium: hub: no connection is said as such']],
  ['the page has no language', 'index.html', 'lang="en"', '',
    ['axe: the page, light', 'axe: the page with its canvas', 'axe: a list of models', 'axe: a question', 'axe: the page, dark', 'axe: the page, forced']],
  ['the embed has no language', 'embed.html', 'lang="en"', '', ['axe: the embed']],
  ['the canvas has a role that is none', 'canvas-host', "setAttribute('role', 'group')", "setAttribute('role', 'nonsense')",
    ['axe: two elements']],
  ['the page is wide', 'style.css', 'body {', 'body { min-width: 1000px;',
    ['page: reflows at 320 px', 'page: no sideways scrolling at 200 % zoom',
      'chromium: explore: compare needs no sideways scrolling']],
  ['the page takes its scripts from the top of the host', 'index.html', '"./app.', '"/app.', ['page: works in a sub-folder']],
  ['the built page says another number', 'index.html', '404,357', '404,356',
    ['page: the first answer is in the HTML, without JavaScript']],
  ['a script in the page itself', 'index.html', '</head>', '<script>0</script></head>',
    ['chromium: the page works under a strict policy']],
  ['a phone gets the canvas', 'app', "return 'narrow';", "return '';", ['page: a phone gets answer, figure']],
  ['the type of a module is not looked at', 'kvseats', "?.startsWith('application/wasm')", "?.startsWith('')",
    ['page: a host that does not know wasm does no harm']],
  ['what is not there yet is trouble', 'app', "if (trouble.code === 'E-EARLY') return later(", "if (trouble.code === 'no') return later(",
    ['page: the form answers while the rest of the core']],
  ['nothing is saved', 'share', 'function save(name, text, type) {', 'function save(name, text, type) { return;',
    ['chromium: explore: pictures and data of every plot']],
];

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The same words, whatever the spaces between them. */
const loosely = (text) => new RegExp(text.match(/\w+|[^\w\s]/g).map(escaped).join('\\s*'));

/** The files of the site by that name, hashed or not. */
function files(folder, name) {
  const { name: stem, ext } = path.parse(name);
  const wanted = new RegExp(`^${escaped(stem)}(\\.[0-9a-f]{10})?\\${ext || '.js'}$`);
  return readdirSync(folder).filter((file) => wanted.test(file));
}

/** A copy of the site with one thing broken; `changed`: in how many files. */
function broken([, where, from, to]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'kvseats-sabotage-'));
  cpSync(site, folder, { recursive: true });
  let changed = 0;
  for (const name of files(folder, where)) {
    const file = path.join(folder, name);
    const text = readFileSync(file, 'utf8');
    const other = text.replace(loosely(from), () => to);
    if (other !== text) changed += 1;
    writeFileSync(file, other);
  }
  return { folder, changed };
}

function run(words) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [path.join(here, 'run.mjs'), ...CHROMIUM, ...words],
      { env: { ...process.env, KVSEATS_PATIENCE: String(PATIENCE) }, stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.on('data', (data) => { out += data; });
    child.on('error', reject);
    child.on('close', () => resolve(out.split('\n')));
  });
}

let passed = 0;
let failed = 0;
const fail = (text) => {
  failed += 1;
  console.log(`  FAILED  ${text}`);
};

for (const row of SABOTAGE) {
  const [what, where, from, , red] = row;
  if (!what.includes(only) && !red.some((name) => name.includes(only))) continue;
  const { folder, changed } = broken(row);
  if (!changed) {
    fail(`${what}: ${where} has no "${from}"`);
  } else {
    const lines = await run(['--site', folder, '--only', red.join('|')]);
    for (const name of red) {
      const own = lines.filter((line) => /^ {2}(ok|FAILED) {2}/.test(line) && line.includes(name)
        && !line.includes('fails as it must'));
      if (own.length && own.every((line) => line.startsWith('  FAILED'))) {
        passed += 1;
        console.log(`  ok      ${what}: ${name}`);
      } else {
        fail(`${what}: ${name} ${own.length ? 'stays green' : 'is no test'}`);
      }
    }
  }
  rmSync(folder, { recursive: true });
}

if (!only) {
  // Which tests have no control? Those that are one, or have one of their own, are named in the same list.
  const listed = (await run(['--list'])).filter((line) => line.startsWith('  listed  '))
    .map((line) => line.slice(10));
  const reds = SABOTAGE.flatMap(([, , , , red]) => red);
  const known = new Set(readFileSync(path.join(here, 'uncontrolled.txt'), 'utf8').split('\n')
    .filter((line) => line && !line.startsWith('#')));
  const own = listed.filter((name) => name.startsWith('fails as it must: '));
  const tests = listed.filter((name) => !own.includes(name));
  const bare = tests.filter((name) => !reds.some((part) => name.includes(part)));
  for (const name of bare) if (!known.has(name)) fail(`no control, and not in uncontrolled.txt: ${name}`);
  for (const name of known) if (!bare.includes(name)) fail(`in uncontrolled.txt, and has a control or is gone: ${name}`);
  console.log(`  ${tests.length - bare.length} of ${tests.length} tests in Chromium have a control here, `
    + `${own.length} controls stand beside the tests themselves`);
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
