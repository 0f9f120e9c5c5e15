// A static host of a folder, in the forms that real hosts have: in a sub-folder, with wrong types,
// with files missing. Records what was asked for.
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

const TYPES = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8', '.json': 'application/json', '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml', '.txt': 'text/plain; charset=utf-8', '.otf': 'font/otf',
  '.woff2': 'font/woff2',
};

/**
 * @param {string} root folder to serve
 * @param {{prefix?: string, pages?: Record<string, string>, headers?: object, gzip?: boolean,
 *   answer?: (name: string) => ({status?: number, type?: string, body?: string, hangs?: boolean,
 *     waits?: Promise<void>} | undefined)}} [options]
 *   `pages`: further pages by name, as text; `answer`: what to say instead of the file; `hangs`: it
 *   begins and never ends; `waits`: it comes after that; `gzip`: as most hosts compress, from the files made for it
 */
export async function serve(root, { prefix = '/', pages = {}, headers = {}, gzip = false, answer } = {}) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url, 'http://localhost');
    requests.push(url.pathname);
    const name = url.pathname.startsWith(prefix) ? url.pathname.slice(prefix.length) : '../';
    const file = name === '' || name.endsWith('/') ? `${name}index.html` : name;
    const special = answer?.(file) ?? {};
    const type = special.type ?? TYPES[path.extname(file)] ?? 'application/octet-stream';
    await special.waits;
    try {
      if (file.includes('..')) throw new Error('outside');
      if (special.hangs) {
        response.writeHead(200, { 'Content-Type': type, 'Content-Length': 1000, ...headers });
        response.write('{');
        return;
      }
      const given = special.body ?? pages[file];
      const small = gzip && given === undefined && existsSync(path.join(root, `${file}.gz`));
      const body = given ?? await readFile(path.join(root, small ? `${file}.gz` : file));
      response.writeHead(special.status ?? 200, { 'Content-Type': type, 'Cache-Control': 'no-store',
        ...(small && { 'Content-Encoding': 'gzip' }), ...headers });
      response.end(body);
    } catch {
      response.writeHead(404, { 'Content-Type': 'text/html' });
      response.end('<!doctype html><title>404</title>');
    }
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const { port } = server.address();
  return {
    url: `http://127.0.0.1:${port}${prefix}`, host: `127.0.0.1:${port}`, requests,
    close: () => new Promise((resolve) => {
      server.closeAllConnections?.();
      server.close(resolve);
    }),
  };
}
