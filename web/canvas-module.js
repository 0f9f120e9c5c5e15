// The canvas module behind plain JavaScript values: strings and bytes in, objects out. One instance
// of this class is one WebAssembly instance; see src/host/web/exports.h for the functions.

const decoder = new TextDecoder();
const encoder = new TextEncoder();

const ASKED = 1024;  // pages: 64 MB, more than any one thing here takes

export const RESOURCE = {catalogue: 0, regular: 1, bold: 2};

/** The first part of a program with all others in their places (cmake/split_wasm.py). */
async function link([first, ...parts], imports) {
  const early = () => { throw new Error('a part of the program is missing'); };
  const instance = await WebAssembly.instantiate(first,
    {...imports, later: new Proxy({}, {get: () => early})});
  const given = {...imports, first: instance.exports};
  for (const [index, part] of parts.entries()) {
    given[`part${index + 1}`] = (await WebAssembly.instantiate(part, given)).exports;
  }
  return instance;
}

export class CanvasModule {
  #module;
  #self;
  #memory;

  /**
   * @param {Function} factory default export of canvas.js
   * @param {WebAssembly.Module[]} program its parts, compiled once, shared by all widgets of a page
   * @param {(what: string) => void} onAbort
   */
  static async make(factory, program, onAbort) {
    const made = new CanvasModule();
    made.#module = await factory({
      canvasContext: null,
      onAbort: (what) => onAbort(String(what)),
      instantiateWasm: (imports, done) => {
        link(program, imports).then((instance) => {
          made.#memory = instance.exports.memory;
          done(instance);
        }, (error) => onAbort(String(error)));
        return {};
      },
    });
    made.#self = made.#module._kvh_create();
    return made;
  }

  destroy() {
    this.#module._kvh_destroy(this.#self);
    this.#module = null;
  }

  /** No memory is to be had; asked of a module that stopped. */
  get full() {
    try {
      return this.#memory.grow(ASKED) < 0;
    } catch {
      return true;
    }
  }

  /** The module keeps the copy. @param {number} kind @param {ArrayBuffer|Uint8Array} bytes */
  resource(kind, bytes) {
    const [at, size] = this.#copy(bytes);
    this.#module._kvh_resource(this.#self, kind, at, size);
  }

  /** @param {WebGL2RenderingContext|null} context null: lost @returns longest side in device px */
  context(context) {
    this.#module.canvasContext = context;
    return this.#module._kvh_context(this.#self, context ? 1 : 0);
  }

  start(query) { this.#withText(query, (at, size) => this.#call('start', at, size)); }
  resize(width, height, scale) { this.#call('resize', width, height, scale); }
  surroundings(bits) { this.#call('surroundings', bits); }
  focus(how) { this.#call('focus', how); }
  pointer(kind, source, button, x, y, bits) {
    this.#call('pointer', kind, source, button, x, y, bits);
  }
  wheel(x, y, bits) { this.#call('wheel', x, y, bits); }
  wheelWentBy() { this.#call('wheel_went_by'); }
  key(key, down, bits) { this.#call('key', key, down ? 1 : 0, bits); }
  text(text) { this.#withText(text, (at, size) => this.#call('text', at, size)); }
  edit(id, event, text) {
    this.#withText(text, (at, size) => this.#call('edit', id, event, at, size));
  }
  query(query) { this.#withText(query, (at, size) => this.#call('query', at, size)); }
  file(name, bytes) {
    this.#withText(name, (at, size) =>
      this.#with(bytes, (to, count) => this.#call('file', at, size, to, count)));
  }
  next(now) { return this.#call('next', now); }
  frame(now) { this.#call('frame', now); }
  digest(now) { this.#call('digest', now); }
  frames() { return this.#call('frames'); }

  /** What changed since the last call, or null. */
  result() {
    const text = this.#string(this.#call('result'));
    return text === null ? null : JSON.parse(text);
  }

  registry() { return JSON.parse(this.#string(this.#call('registry')) ?? '[]'); }

  #call(name, ...values) { return this.#module[`_kvh_${name}`](this.#self, ...values); }

  #copy(bytes) {
    const source = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
    const at = this.#module._malloc(source.length || 1);
    if (!at) throw new RangeError('malloc');
    this.#module.HEAPU8.set(source, at);
    return [at, source.length];
  }

  #with(bytes, use) {
    const [at, size] = this.#copy(bytes);
    use(at, size);
    this.#module._free(at);
  }

  #withText(text, use) { this.#with(encoder.encode(text), use); }

  #string(at) {
    if (!at) return null;
    const heap = this.#module.HEAPU8;  // read anew each time: memory may have grown
    return decoder.decode(heap.subarray(at, heap.indexOf(0, at)));
  }
}
