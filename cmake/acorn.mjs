// acorn, which Emscripten brings along: Debian's, or an npm one beside it; null when there is none.
import { createRequire } from 'node:module';
import process from 'node:process';

function find() {
  const places = [...(process.env.NODE_PATH ?? '').split(':'), '/usr/share/nodejs',
    `${process.env.EMSDK ?? ''}/upstream/emscripten/node_modules`].filter(Boolean);
  for (const place of places) {
    try {
      return createRequire(`${place}/`)(`${place}/acorn`);
    } catch { /* not there */ }
  }
  return null;
}

export const acorn = find();
