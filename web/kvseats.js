// The calculator without a page: one small WebAssembly module behind plain functions.
//
//   import { load } from 'https://where-it-lies/kvseats.js';
//   const kv = await load();
//   kv.evaluate('model=llama-3.1-8b&gpu=h100-sxm').concurrency.requests
//
// Runs in browsers and in Node 18 or later; touches no DOM, no storage and no network beyond its own
// files, which lie beside this one. Types and the shape of every answer are in kvseats.d.ts.

/** Two parts of one program (its third is the canvas): the answer in words, and all else. */
export const PARTS = ['@asset:small.wasm@', '@asset:rest.wasm@'];
const [WASM, REST] = PARTS;
const CATALOGUE = '@asset:catalogue.txt@';
const FILES = '@asset:files.wasm@';  // reads model files; fetched when the first one comes
const CHECK = '@asset:check.wasm@';  // reads engine logs; fetched when the first one comes

/** What a diagnostic says and what to do about it, as sentences: the core writes no full stop behind
 * the first. @param {...string} parts */
export const sentences = (...parts) => parts.filter(Boolean)
  .map((part) => (/[.:!?…] ?$/.test(part) ? part : `${part}.`)).join(' ');

/** What went wrong, with a stable code and what to do about it. */
export class KvSeatsError extends Error {
  /** @param {{code: string, text: string, remedy?: string, where?: string}} trouble */
  constructor({ code, text, remedy = '', where = '' }, options) {
    super(sentences(text, remedy), options);
    this.name = 'KvSeatsError';
    Object.assign(this, { code, text, remedy, where });
  }
}

/** The bytes of a file of ours, as a Response where it can be streamed.
 * @param {string | URL | BufferSource | Promise<BufferSource>} source @param {AbortSignal} [signal] */
async function open(source, signal) {
  source = await source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return source;
  const url = new URL(source, import.meta.url);
  if (url.protocol === 'file:' && globalThis.process?.versions?.node) {
    const { readFile } = await import('node:fs/promises');
    return readFile(url);
  }
  let response;
  try {
    response = await fetch(url, { signal, credentials: 'same-origin' });
  } catch (cause) {
    throw new KvSeatsError({
      code: 'E-DOWNLOAD', where: url.pathname, text: 'A part of the page did not arrive.',
      remedy: 'Check the connection and try again.',
    }, { cause });
  }
  if (response.ok) return response;
  throw new KvSeatsError({
    code: 'E-DOWNLOAD', where: url.pathname,
    text: `A part of the page did not arrive (HTTP ${response.status}).`,
    remedy: 'Reload the page.',
  });
}

/** @param {Response | BufferSource} source */
async function bytes(source) {
  if (source instanceof Response) return new Uint8Array(await source.arrayBuffer());
  return source instanceof ArrayBuffer ? new Uint8Array(source)
    : new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
}

/** Compiles while it downloads where the host names the right type, else afterwards; one download.
 * @param {Response | BufferSource} source */
async function compile(source) {
  try {
    const streams = source instanceof Response && WebAssembly.compileStreaming &&
      source.headers.get('Content-Type')?.startsWith('application/wasm');
    return streams ? await WebAssembly.compileStreaming(source)
      : await WebAssembly.compile(await bytes(source));
  } catch (cause) {
    throw new KvSeatsError({
      code: 'E-WASM', text: 'The calculator could not be started.',
      remedy: 'The page may not allow WebAssembly (script-src \'wasm-unsafe-eval\'), or the file '
        + 'is damaged: reload.',
    }, { cause });
  }
}

const compilations = new Map();

/** A module of ours, compiled once for all of a page; what failed is tried again by the next call.
 * @param {Source | WebAssembly.Module} source @param {AbortSignal} [signal] */
export function compiled(source, signal) {
  if (source instanceof WebAssembly.Module) return Promise.resolve(source);
  if (typeof source !== 'string' || signal) return open(source, signal).then(compile);
  if (!compilations.has(source)) {
    compilations.set(source, open(source).then(compile).catch((trouble) => {
      compilations.delete(source);
      throw trouble;
    }));
  }
  return compilations.get(source);
}

/** A module asks for next to nothing; what it asks for and does not need answers 0. `later` is what
 * the rest of it does. */
function stubs(module) {
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[name] = () => {
      if (from === 'later' || name === 'proc_exit' || name === 'abort') throw new Error('abort');
      return 0;
    };
  }
  return imports;
}

function instantiate(module) {
  const { exports } = new WebAssembly.Instance(module, stubs(module));
  exports._initialize?.();
  return exports;
}

/** Why a module stopped: where 64 MB are not to be had it is no bug. @param {WebAssembly.Memory} [memory] */
function stopped(where, cause, memory) {
  let text = 'The calculator stopped: this is a bug of ours.';
  let code = 'E-BUG';
  try {
    memory.grow(1024);
  } catch {
    text = 'The calculator stopped: the browser has no memory left.';
    code = 'E-MEMORY';
  }
  return new KvSeatsError({
    code, where, text, remedy: 'Reload the page; the link keeps your inputs.',
  }, { cause });
}

/** `key=value` pairs joined by `&`. Lists give a key several times. */
export function toQuery(values) {
  if (typeof values === 'string') return values.replace(/^[#?]/, '');
  return Object.entries(values)
    .flatMap(([key, value]) => [value].flat().map((one) =>
      `${key}=${encodeURIComponent(String(one)).replace(/%(2B|3A|2C|40|2F|20)/gi,
        (coded) => (coded === '%20' ? coded : decodeURIComponent(coded)))}`))
    .join('&');
}

/** A module of capi.h: requests in, objects out. */
class Core {
  broken = null;

  constructor(exports) {
    this.exports = exports;
  }

  put(data) {
    const at = this.exports.malloc(data.length || 1);
    if (!at) throw new RangeError('malloc');
    new Uint8Array(this.exports.memory.buffer, at, data.length).set(data);
    return at;
  }

  /** A catalogue, from its bytes. */
  open(catalogue) {
    const at = this.put(catalogue);
    const handle = this.exports.kvseats_open(at, catalogue.length);
    this.exports.free(at);
    return handle;
  }

  /** What `use` makes of a request's bytes, which are gone afterwards.
   * @param {(at: number, size: number) => any} use */
  send(use, operation, options, payload) {
    if (this.broken) throw this.broken;
    const words = Object.entries(options).filter(([, value]) => value !== undefined)
      .map(([key, value]) => ` ${key}=${encodeURIComponent(value)}`);
    const head = encoder.encode(`${operation}${words.join('')}\n`);
    const tail = typeof payload === 'string' ? encoder.encode(payload) : payload;
    const request = new Uint8Array(head.length + tail.length);
    request.set(head);
    request.set(tail, head.length);
    return this.guard(operation, () => {
      const at = this.put(request);
      const result = use(at, request.length);
      this.exports.free(at);
      return result;
    });
  }

  /** After a stop of the module nothing of it can be trusted. */
  guard(operation, work) {
    try {
      return work();
    } catch (cause) {
      throw this.broken = stopped(operation, cause, this.exports.memory);
    }
  }

  /** @param {(at: number, size: number) => number} ask gives the text that answers */
  request(ask, ...request) {
    const core = this.exports;
    const answer = this.send((at, size) => {
      const text = ask(at, size);
      const json = JSON.parse(decoder.decode(new Uint8Array(core.memory.buffer,
        core.kvseats_text(text), core.kvseats_size(text))));
      core.kvseats_free(text);
      return json;
    }, ...request);
    if (answer.error) throw new KvSeatsError(answer.error);
    return answer;
  }
}

class KvSeats {
  #core;
  #handle;
  #rest = null;        // promise of the core's other part
  #isWhole = false;
  #apart = {};         // promises of the modules that stand alone: readers of files and of logs
  #catalogue;
  #sources;

  /** @param {{rest: Source, files: Source, check: Source}} sources */
  constructor(exports, catalogue, sources) {
    this.#catalogue = catalogue;
    this.#sources = sources;
    this.#core = new Core(exports);
    this.#handle = this.#core.guard('start', () => this.#core.open(catalogue));
  }

  /** The answer in words. Until `whole()` there are this and what a form needs, by hand only. */
  first(query, { unit } = {}) {
    return this.call('first', { unit }, toQuery(query));
  }

  /** Brings the core's other part, once; it works on the memory of this one. */
  async whole() {
    this.#rest ??= compiled(this.#sources.rest).then(async (module) => {
      await pause();
      new WebAssembly.Instance(module, { ...stubs(module), first: this.#core.exports });
      this.#isWhole = true;
    });
    try {
      await this.#rest;
    } catch (trouble) {
      this.#rest = null;  // the next call tries again
      throw trouble;
    }
    return this;
  }

  /** One request of capi.h. */
  call(operation, options = {}, payload = '') {
    const ask = this.#core.exports[this.#isWhole ? 'kvseats_call' : 'kvseats_first'];
    return this.#core.request((at, size) => ask(this.#handle, at, size), operation, options, payload);
  }

  evaluate(query, { strict = false } = {}) {
    return this.call('evaluate', strict ? { strict: 1 } : {}, toQuery(query));
  }

  page(query, options) {
    return this.call('page', options, toQuery(query));
  }

  fields(query = '') {
    return this.call('fields', {}, toQuery(query)).fields;
  }

  edit(link, key, value, index) {
    return this.call('edit', { key, value, index }, toQuery(link));
  }

  list(what = 'models') {
    return this.call('list', { what }).rows;
  }

  /** What there is to choose from, under headings: for forms. */
  menu() {
    return this.call('choices', { what: 'menu' });
  }

  find(what, text) {
    return this.call('choices', { what, find: text });
  }

  byHand(query, options) {
    return this.call('byhand', options, toQuery(query));
  }

  compare(queries, { models = [], ...options } = {}) {
    return this.call('compare', { ...options, models: models.join(',') },
      queries.map(toQuery).join('\n'));
  }

  markdown(query) {
    return this.call('markdown', {}, toQuery(query));
  }

  svg(query, options) {
    return this.call('svg', options, toQuery(query));
  }

  solve(query, target = 'context') {
    return this.call('solve', { for: target }, toQuery(query));
  }

  offers(query, options) {
    return this.call('offers', options, toQuery(query));
  }

  lengths(text, options) {
    return this.call('lengths', options, text);
  }

  sweep(query, columns) {
    return this.call('sweep', { columns: columns?.join(',') }, toQuery(query)).rows;
  }

  async importFiles(files, options) {
    const { importFiles } = await import('./kvseats-files.js');
    return importFiles(await this.#module('files'), files,
      { ...options, link: toQuery(options?.link ?? '') });
  }

  /** One file, or its text. */
  importConfig(file, options) {
    return this.importFiles(file, options);
  }

  /** A module that stands alone. */
  async #module(name) {
    this.#apart[name] ??= compiled(this.#sources[name]).then((module) =>
      new Core(instantiate(module)));
    try {
      return await this.#apart[name];
    } catch (trouble) {
      this.#apart[name] = null;  // the next call tries again
      throw trouble;
    }
  }

  async checkLog(text, { keys = '' } = {}) {
    const core = await this.#module('check');
    core.handle ??= core.open(this.#catalogue);
    return core.request((at, size) => core.exports.kvseats_check(core.handle, at, size),
      'check', { keys: toQuery(keys) }, text);
  }

  async simulate(query, options) {
    const [{ simulate }] = await Promise.all([import('./kvseats-simulate.js'), this.whole()]);
    return simulate(this.#core, this.#handle, pause, toQuery(query), options);
  }
}

/** Between two long steps: who looks and types comes first. */
export const pause = () => globalThis.scheduler?.yield?.()
  ?? new Promise((resolve) => { setTimeout(resolve); });

const encoder = new TextEncoder();
const decoder = new TextDecoder();
async function start({ wasm = WASM, rest = REST, catalogue = CATALOGUE, files = FILES,
  check = CHECK, early = false, signal } = {}) {
  if (typeof WebAssembly !== 'object') {
    throw new KvSeatsError({
      code: 'E-NO-WASM', text: 'This browser runs no WebAssembly.',
      remedy: 'It may be switched off by a security setting (Lockdown Mode, enhanced security).',
    });
  }
  const data = open(catalogue, signal).then(bytes);
  data.catch(() => {});  // reported below, after the module's own trouble
  const module = await compiled(wasm, signal);
  let exports;
  try {
    exports = instantiate(module);
  } catch (cause) {
    throw stopped('start', cause);
  }
  const lists = await data;
  await pause();
  const kv = new KvSeats(exports, lists, { rest, files, check });
  await pause();
  return early ? kv : kv.whole();
}

let shared = null;

/** Loads module and catalogue. Without options (but `early`) everyone shares one instance: it keeps
 * no state. */
export function load({ early = false, ...own } = {}) {
  if (Object.keys(own).length) return start({ early, ...own });
  shared ??= start({ early: true }).catch((trouble) => {
    shared = null;  // the next call tries again
    throw trouble;
  });
  return early ? shared : shared.then((kv) => kv.whole());
}
