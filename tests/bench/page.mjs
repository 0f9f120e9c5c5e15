// How soon the page is there on a slow line: node page.mjs [--site FOLDER] [--runs N] [--link QUERY] [--slower N]
//
// Chromium with a processor four times slower, 1.6 Mbit/s, 150 ms there and back, gzip, nothing
// cached; times from navigation, the median of the runs. A page that fetches the same bytes as one
// file is measured between them: what the line alone takes, and how busy this machine is. Prints and
// judges nothing but whether the page got there: times are not the same on two machines.
import { randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChromium } from '../browser/lib/browsers.mjs';
import { serve } from '../browser/lib/server.mjs';

const LINE = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 1.6e6 / 8 };
const here = path.dirname(fileURLToPath(import.meta.url));
const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
};
const site = path.resolve(option('site', path.join(here, '../../build/site')));
const runs = Number(option('runs', 5));
const slower = Number(option('slower', 4));
const link = option('link', 'model=llama-3-8b&pool=53GB');

/** Times of what one watches for, each when it has been painted, told by the page itself. Nothing
 * asks for frames meanwhile: on a slow processor those alone would take their time. */
const WATCH = () => {
  globalThis.seen = {};
  const note = (name) => {
    if (name in globalThis.seen) return;
    globalThis.seen[name] = 0;
    // After the paint that follows.
    requestAnimationFrame(() => setTimeout(() => { globalThis.seen[name] = performance.now(); }));
  };
  addEventListener('kvseats-ready', () => note('canvas'));
  addEventListener('fetched', () => note('baseline'));
  new MutationObserver(() => {
    const { answer, form } = document.documentElement?.dataset ?? {};
    if (answer !== undefined) note('answer');
    if (form === 'live') note('form');
  }).observe(document, { attributes: true, subtree: true, attributeFilter: ['data-answer', 'data-form'] });
};

// What the page fetches until each of its stages, gzip: by what is asked for until then.
const sizeOf = (name) => {
  const file = path.join(site, name);
  const found = [`${file}.gz`, file].find((one) => statSync(one, { throwIfNoEntry: false }));
  return found ? statSync(found).size : 0;
};

const blob = { size: 0 };
const server = await serve(site, {
  gzip: true,
  // As hosts let names with a hash be kept; every load begins with nothing.
  headers: { 'Cache-Control': 'public, max-age=31536000' },
  pages: {
    'baseline.html': `<!doctype html><link rel="icon" href="data:,"><script>
      fetch('baseline.bin').then((r) => r.arrayBuffer()).then(() => dispatchEvent(new Event('fetched')));
      </script>`,
  },
  answer: (name) => (name === 'baseline.bin' ? { body: randomBytes(blob.size) } : undefined),
});
const browser = await startChromium();

async function load(address, last) {
  const page = await browser.open(server.host, { width: 1280, height: 800, before: WATCH });
  const session = await page.context.newCDPSession(page.raw);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', LINE);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slower });
  const from = server.requests.length;
  await page.raw.goto(server.url + address, { waitUntil: 'commit' });
  await page.raw.waitForFunction((name) => globalThis.seen[name] > 0, last,
    { timeout: 120_000, polling: 500 });
  const times = await page.evaluate(() => ({ ...globalThis.seen,
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0 }));
  const bytes = [...new Set(server.requests.slice(from))]
    .reduce((sum, name) => sum + sizeOf(name === '/' ? 'index.html' : name.slice(1)), 0);
  await page.close();
  return { times, bytes };
}

const median = (list) => list.toSorted?.((a, b) => a - b)[Math.floor(list.length / 2)]
  ?? [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

const taken = { paint: [], answer: [], form: [], canvas: [], baseline: [] };
for (let run = 0; run < runs; run += 1) {
  const { times, bytes } = await load(`#${link}`, 'canvas');
  for (const name of ['paint', 'answer', 'form', 'canvas']) taken[name].push(times[name]);
  blob.size = bytes;
  taken.baseline.push((await load('baseline.html', 'baseline')).times.baseline);
}
const base = median(taken.baseline);
const TARGETS = { paint: 1100, answer: 0, form: 1900, canvas: 3200 };
console.log(`${slower}x processor, 1.6 Mbit/s, 150 ms, gzip; ${runs} runs; load of this machine ${
  os.loadavg()[0].toFixed(1)}; ${readdirSync(site).length} files`);
console.log(`  baseline   ${Math.round(base)} ms for the page's ${Math.round(blob.size / 1024)} KB as one file`);
for (const [name, target] of Object.entries(TARGETS)) {
  const time = median(taken[name]);
  console.log(`  ${name.padEnd(10)} ${Math.round(time)} ms${target ? `, wanted ${target}` : ''
  }; ${(time / base).toFixed(2)} of the baseline`);
}
await browser.close();
await server.close();
process.exit();
