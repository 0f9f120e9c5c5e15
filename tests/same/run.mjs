// The same scenarios by chance, evaluated by every compiler and in wasm, give the same bytes.
//
//   node tests/same/run.mjs [--count 20000] [--native PROGRAM]… [--wasm build/wasm] [--browsers]
//
// The first program says the scenarios (kvseats_same, written once, in C++) and is what the others
// are held against. Browsers need tests/browser/node_modules.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { wasmCore } from '../parity/core.mjs';
import { fingerprints, withoutCommit } from './fingerprints.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const options = (name, fallback) => {
  const found = process.argv.flatMap((word, i) => {
    if (word === `--${name}`) return [process.argv[i + 1]];
    return word.startsWith(`--${name}=`) ? [word.slice(name.length + 3)] : [];
  });
  return found.length ? found : fallback;
};
const count = options('count', ['20000'])[0];
const natives = options('native', [join(root, 'build/native/tests/kvseats_same')]);
const wasm = options('wasm', [join(root, 'build/wasm')])[0];

function lines(program, ...words) {
  const run = spawnSync(program, [count, ...words], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (run.error) throw run.error;
  if (run.status !== 0) throw new Error(`${program} ended with ${run.status ?? run.signal}`);
  return run.stdout.trimEnd().split('\n');
}

const expected = lines(natives[0]).map((line) => line.split(' ')[1]);
const queries = lines(natives[0], 'queries');
let passed = 0;
let failed = 0;

/** What of a hundred differs, asked one by one. */
function blame(first, evaluate) {
  for (let i = first; i < Math.min(first + 100, queries.length); i += 1) {
    const right = lines(natives[0], 'only', String(i)).join('\n');
    const other = evaluate(i).trimEnd();
    if (other === right) continue;
    let at = 0;
    while (right[at] === other[at]) at += 1;
    const around = (text) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60));
    console.log(`  ${queries[i]}\n    first ${around(right)}\n    other ${around(other)}`);
    return;
  }
}

/** One party's fingerprints beside the first's. */
function compare(name, prints, started, evaluate) {
  const wrong = expected.flatMap((print, i) => (print === prints[i] ? [] : [i * 100]));
  passed += expected.length - wrong.length;
  failed += wrong.length;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`  ${name}: ${expected.length - wrong.length} of ${expected.length} hundreds alike, `
    + `${seconds} s`);
  if (wrong.length && evaluate) blame(wrong[0], evaluate);
}

for (const program of natives.slice(1)) {
  const started = performance.now();
  compare(program.replace(`${root}/`, ''), lines(program).map((line) => line.split(' ')[1]), started,
    (i) => lines(program, 'only', String(i)).join('\n'));
}
if (existsSync(join(wasm, 'kvseats_rest.wasm'))) {
  const { evaluate } = await wasmCore(async (name) => readFileSync(join(wasm, name)));
  const started = performance.now();
  compare(`node ${process.version}`, fingerprints(evaluate, queries).map(({ print }) => print),
    started, (i) => withoutCommit(evaluate(queries[i], false)));
} else {
  console.log(`  no wasm in ${wasm}: ./dev web builds it`);
}

/** The same in a page: the two modules of this folder and what they read, nothing of the site. */
async function inBrowser(start) {
  const { serve } = await import('../browser/lib/server.mjs');
  const module = (folder, name) => readFileSync(join(here, folder, name), 'utf8');
  const server = await serve(wasm, { pages: {
    'same.html': '<!doctype html><html lang="en"><meta charset="utf-8"><title>Same</title>'
      + '<link rel="icon" href="data:,">',
    'core.js': module('../parity', 'core.mjs'), 'fingerprints.js': module('.', 'fingerprints.mjs'),
    'queries.txt': queries.join('\n'),
  } });
  const browser = await start();
  try {
    const page = await browser.open(server.host);
    await page.goto(`${server.url}same.html`);
    const started = performance.now();
    await page.evaluate(async () => {
      const { wasmCore: core } = await import('./core.js');
      const { fingerprints: print } = await import('./fingerprints.js');
      const read = async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer());
      const texts = new TextDecoder().decode(await read('queries.txt')).split('\n');
      const { evaluate } = await core(read);
      window.ask = (from, to) => print(evaluate, texts.slice(from, to)).map((row) => row.print);
    });
    const prints = [];  // a thousand at a time: drivers give up on long calls
    for (let at = 0; at < queries.length; at += 1000) {
      prints.push(...await page.evaluate((from) => window.ask(from, from + 1000), at));
    }
    compare(browser.name, prints, started);
  } finally {
    await browser.close();
    await server.close();
  }
}

if (process.argv.includes('--browsers')) {
  const { startChromium, startFirefox } = await import('../browser/lib/browsers.mjs');
  await inBrowser(() => startChromium());
  await inBrowser(() => startFirefox({ headless: true }));
}
console.log(`  ${queries.length} scenarios by chance`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
