// The core as wasm, without kvseats.js: what its exports answer, byte by byte. For Node and browsers.

/**
 * @param {(name: string) => Promise<Uint8Array>} read a file of the build tree
 * @returns {Promise<{evaluate: (query: string, strict?: boolean) => string,
 *   simulate: (query: string) => string}>} from a query to the answer's text
 */
export async function wasmCore(read) {
  const compiled = async (name) => WebAssembly.compile(await read(name));
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
  const catalogue = await read('assets/catalogue.txt');
  const handle = core.kvseats_open(put(catalogue), catalogue.length);
  const send = (line, use) => {
    const request = new TextEncoder().encode(line);
    const at = put(request);
    const result = use(at, request.length);
    core.free(at);
    return result;
  };
  const taken = (text) => {
    const answer = new TextDecoder().decode(
      new Uint8Array(core.memory.buffer, core.kvseats_text(text), core.kvseats_size(text)));
    core.kvseats_free(text);
    return answer;
  };
  const evaluate = (query, strict = true) => taken(send(
    `evaluate${strict ? ' strict=1' : ''}\n${query}`,
    (at, size) => core.kvseats_call(handle, at, size)));
  /** In slices of an odd number of steps: they must not matter. */
  const simulate = (query) => {
    const run = send(`simulate strict=1\n${query}`,
      (at, size) => core.kvseats_run(handle, at, size));
    while (core.kvseats_run_step(run, 777) < 1);
    const answer = taken(send('json indent=2\n',
      (at, size) => core.kvseats_run_call(run, at, size)));
    core.kvseats_run_close(run);
    return answer;
  };
  return { evaluate, simulate };
}
