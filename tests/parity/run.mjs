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

/** A function from a query to the answer of the wasm core, as text. */
async function wasm_core() {
  const compiled = (name) => WebAssembly.compile(readFileSync(join(wasm, name)));
  const stubs = (module) => {
    const imports = {};
    for (const { module: from, name } of WebAssembly.Module.imports(module)) {
      (imports[from] ??= {})[name] = () => { throw new Error(`the core called ${from} ${name}`); };
      if (name === 'emscripten_notify_memory_growth') imports[from][name] = () => {};
    }
    return imports;
  };
  const small = await compiled('kvseats_small.wasm');
  const core = (await WebAssembly.instantiate(small, stubs(small))).exports;
  core._initialize?.();
  // The other part of the same program; the third one, the canvas, stays away.
  const rest = await compiled('kvseats_rest.wasm');
  await WebAssembly.instantiate(rest, { ...stubs(rest), first: core });
  const put = (data) => {
    const at = core.malloc(data.length || 1);
    new Uint8Array(core.memory.buffer, at, data.length).set(data);
    return at;
  };
  const catalogue = readFileSync(join(wasm, 'assets', 'catalogue.txt'));
  const handle = core.kvseats_open(put(catalogue), catalogue.length);
  return (query) => {
    const request = new TextEncoder().encode(`evaluate strict=1\n${query}`);
    const at = put(request);
    const text = core.kvseats_call(handle, at, request.length);
    const answer = new TextDecoder().decode(
      new Uint8Array(core.memory.buffer, core.kvseats_text(text), core.kvseats_size(text)));
    core.kvseats_free(text);
    core.free(at);
    return answer;
  };
}

/** What differs, with a little around it. */
function difference(left, right) {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  const around = (text) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60));
  return `    native ${around(left)}\n    wasm   ${around(right)}`;
}

const lines = native_answers();
const ask = await wasm_core();
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
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
