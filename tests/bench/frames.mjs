// How long a frame of the canvas keeps the processor while the operating point is dragged beside six
// other curves, as wasm in Chromium at 1440x900: node frames.mjs [--site FOLDER] [--moves N]
//
// The time of every animation frame's callback, which is all of a frame: input, evaluation, layout of
// the charts, what is told to the page, draw calls. What the graphics driver does with them is not in
// it. Judges against the budget (median 4 ms, 99 of 100 within 8 ms).
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChromium } from '../browser/lib/browsers.mjs';
import { serve } from '../browser/lib/server.mjs';
import { control, isHandle, settled } from '../browser/canvas_tests.mjs';

const MEDIAN = 4;
const MOST = 8;
const here = path.dirname(fileURLToPath(import.meta.url));
const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
};
const site = path.resolve(option('site', path.join(here, '../../build/site')));
const moves = Number(option('moves', 400));
// Four that are pinned, and the levers of this deployment: more GPUs, 8-bit and 4-bit caches.
const PINS = ['model=llama-2-7b', 'model=qwen3-8b', 'model=gemma-3-27b', 'model=llama-3.1-8b&kv=fp8'];
const LINK = `model=llama-3.1-8b&gpu=h100-sxm${PINS.map((pin) => `&pin=${encodeURIComponent(pin)}`).join('')}`;

const server = await serve(site, { gzip: true });
const browser = await startChromium();
const page = await browser.open(server.host, { width: 1440, height: 900, before: () => {
  globalThis.times = [];
  const ask = globalThis.requestAnimationFrame.bind(globalThis);
  globalThis.requestAnimationFrame = (act) => ask((now) => {
    const start = performance.now();
    act(now);
    globalThis.times.push(performance.now() - start);
  });
} });
await page.goto(`${server.url}#${LINK}`);
await page.until(() => document.documentElement.dataset.canvas === 'ready');
await page.until(() => document.documentElement.dataset.ready === 'form');
await settled(page);
const handle = await control(page, isHandle);
await page.mouse.move(handle.x, handle.y);
await page.mouse.down();
await page.evaluate(() => { globalThis.times.length = 0; });
for (let i = 1; i <= moves; i += 1) {
  await page.mouse.move(handle.x + 200 * Math.sin(i / 20), handle.y + 60 * Math.sin(i / 33));
}
const [times, frames] = await page.evaluate(() =>
  [globalThis.times, document.querySelector('kv-seats').frames]);
await page.mouse.up();
// Callbacks that drew nothing are the page's own.
const drawn = times.filter((ms) => ms > 0.2).sort((a, b) => a - b);
const at = (share) => drawn[Math.min(drawn.length - 1, Math.floor(drawn.length * share))];
const [median, most] = [at(0.5), at(0.99)];
console.log(`dragging with six curves beside it, as wasm at 1440x900: median ${median.toFixed(2)} ms of ${
  MEDIAN}, 99 of 100 within ${most.toFixed(2)} ms of ${MOST}; ${drawn.length} frames of ${frames}; load of this machine ${
  os.loadavg()[0].toFixed(1)}`);
await browser.close();
await server.close();
process.exit(median <= MEDIAN && most <= MOST ? 0 : 1);
