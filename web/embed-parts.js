// What pages that stand alone share (embed.html, lesson.html): in a frame whose origin is opaque
// nothing can be fetched, so wasm and data come as scripts that put them into `kvseatsData`.
import { h } from './dom.js';
import { load, pause } from './kvseats.js';

/** A script with data of ours. */
export function arrives(address) {
  return new Promise((resolve, reject) => {
    document.head.append(h('script', { src: address, load: resolve,
      error: () => reject(new Error(`${address} did not arrive`)) }));
  });
}

export function bytes(text) {
  const out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) out[i] = text.charCodeAt(i);
  return out;
}

/** Brings the calculator into `app`, once. */
export function openCore(app) {
  app.coming ??= bring(app).catch((trouble) => {
    app.coming = null;  // the next call tries again
    throw trouble;
  });
  return app.coming;
}

async function bring(app) {
  globalThis.kvseatsData ??= {};
  await arrives('./embed-core.js');
  const data = globalThis.kvseatsData;
  const rest = arrives('./embed-rest.js').then(pause).then(() => bytes(data.rest));
  rest.catch(() => {});  // told by `whole`
  await pause();  // here and below: no piece of the work keeps the page around it waiting
  app.catalogue = bytes(data.catalogue);
  app.kv = await load({ wasm: bytes(data.small), rest, catalogue: app.catalogue, early: true });
  await pause();
  app.early?.();
  await app.kv.whole();
  await pause();
}

/** The canvas in a place; `options` of CanvasHost.start beyond its parts. */
export async function openCanvas(app, options) {
  const data = globalThis.kvseatsData;
  if (!data.CanvasHost) await arrives('./embed-canvas.js');
  return data.CanvasHost.start({
    module: data.module(), catalogue: app.catalogue,
    program: await Promise.all([data.small, data.rest, data.canvas]
      .map((part) => WebAssembly.compile(bytes(part)))),
    fonts: { regular: bytes(data.regular), bold: bytes(data.bold) }, ...options,
  });
}

/** To the parent, also in the words of learning platforms (LTI's frame messages). */
export const tell = (type, detail) => parent.postMessage({ type, ...detail }, '*');

export function tellHeight() {
  const height = Math.ceil(document.body.getBoundingClientRect().height);
  tell('kvseats-height', { height });
  parent.postMessage({ subject: 'lti.frameResize', height }, '*');
}
