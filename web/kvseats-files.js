// The files of one model: their beginnings are read, in rounds, as far as the core asks for more, so
// that a GGUF of 40 GB costs a few hundred KB. Fetched by kvseats.js when the first file comes.
const FIRST_BYTES = 1 << 16;  // what describes a model is at the front of its file
const MOST_ROUNDS = 16;

const isText = (name) => /\.json$/i.test(name);  // read whole

/** `import` of capi.h. @param {object} reader the module that reads files, as a Core */
export async function importFiles(reader, files, { name, link = '' } = {}) {
  const list = [files].flat().map((file) => (file instanceof Blob ? file : new Blob([file])));
  const names = list.map((file, i) => file.name ?? [name].flat()[i] ?? 'config.json');
  const sizes = list.map(({ size }) => size);
  const heads = sizes.map((size, i) => (isText(names[i]) ? size : Math.min(size, FIRST_BYTES)));
  for (let round = 0; ; round += 1) {
    const parts = await Promise.all(list.map((file, i) => file.slice(0, heads[i]).arrayBuffer()));
    const answer = reader.request((at, size) => reader.exports.kvseats_import(at, size), 'import', {
      name: names.join('|'), size: sizes.join(), head: list.length > 1 ? heads.join() : undefined,
      link,
    }, new Uint8Array(await new Blob(parts).arrayBuffer()));
    const { ok, need = 0, file = 0 } = answer;
    const more = Math.min(need, sizes[file] ?? 0);
    if (ok || more <= heads[file] || round === MOST_ROUNDS) return answer;
    heads[file] = more;
  }
}
