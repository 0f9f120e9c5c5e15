// The native command line and the wasm core answer every query with the same bytes.
//
//   node tests/parity/run.mjs [--native build/native/kvseats] [--wasm build/wasm]
//
// Queries are in queries.txt, and in the golden files of tests/data when there are such. Bad queries
// are compared too: both read them strictly.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { wasmCore } from './core.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? join(root, fallback) : process.argv[at + 1];
};
const native = option('native', 'build/native/kvseats');
const wasm = option('wasm', 'build/wasm');

const queries = readFileSync(join(here, 'queries.txt'), 'utf8').split('\n')
  .filter((line) => line && !line.startsWith('#'));

/** Traffic: every way to arrive, every kind of lengths, blocks and bytes, bad input. */
const simulations = [
  'pool=53GB&minutes=2',
  'model=llama-3-8b&pool=53GB&service=chat:p50=800/p95=3000+200-600x100&minutes=2&seed=7',
  'engine=vllm&model=llama-3.1-8b&rate=10&turns=3&think=5&prefix=1000&minutes=3',
  'engine=vllm&model=gemma-3-27b&people=5000&active=2%&think=20&minutes=1',
  'service=a:sharegpt4-prompt+sharegpt4-outputx20&service=b:128@3/4k+300x5&minutes=1&speed=30',
  'rate=lots',
];

/** The answers of the command line, one line of JSON each. */
function native_answers() {
  const run = spawnSync(native, ['eval', '-', '--json'],
    { input: queries.join('\n') + '\n', encoding: 'utf8', maxBuffer: 1 << 28 });
  if (run.error) throw run.error;
  if (run.status !== 0 && run.status !== 2) {
    throw new Error(`kvseats eval - ended with ${run.status ?? run.signal}: ${run.stderr}`);
  }
  return run.stdout.trimEnd().split('\n');
}

/** What differs, with a little around it. */
function difference(left, right) {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  const around = (text) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60));
  return `    native ${around(left)}\n    wasm   ${around(right)}`;
}

const lines = native_answers();
const { evaluate: ask, simulate } = await wasmCore(async (name) => readFileSync(join(wasm, name)));
let passed = 0;
let failed = 0;
if (lines.length !== queries.length) {
  console.log(`  ${queries.length} queries, but ${lines.length} answers of the command line`);
  failed += 1;
}
queries.forEach((query, index) => {
  const answer = ask(query).trimEnd();
  if (answer === lines[index]) {
    passed += 1;
    return;
  }
  failed += 1;
  console.log(`  ${query}\n${difference(lines[index] ?? '', answer)}`);
});
for (const query of simulations) {
  const run = spawnSync(native, ['simulate', '--json', ...query.split('&')],
    { encoding: 'utf8', maxBuffer: 1 << 28 });
  const answer = simulate(query);
  if (answer.trimEnd() === run.stdout.trimEnd()) {
    passed += 1;
  } else {
    failed += 1;
    console.log(`  simulate ${query}\n${difference(run.stdout, answer)}`);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
