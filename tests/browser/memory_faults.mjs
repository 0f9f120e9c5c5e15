// A browser that gives no more memory: the page says so, in the core and in the canvas, and its state
// survives a reload. The module is served with the size it starts with as the largest it may have.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { serve } from './lib/server.mjs';
import { check, equal, includes } from './lib/suite.mjs';
import { answered, openPage } from './page_tests.mjs';

const LINK = 'model=llama-3-8b&pool=53GB&users=7';
const MEMORY_SECTION = 5;

/** A number as WebAssembly writes it: [value, where it ends]. */
function readNumber(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    value |= (bytes[at] & 127) << shift;
    at += 1;
    if (!(bytes[at - 1] & 128)) return [value, at];
  }
}

function number(value) {
  return value < 128 ? [value] : [(value & 127) | 128, ...number(value >>> 7)];
}

/** A module whose memory can never grow (WebAssembly Core 2.0, 5.5.8). */
export function starved(bytes) {
  for (let at = 8; at < bytes.length;) {
    const [size, body] = readNumber(bytes, at + 1);
    if (bytes[at] === MEMORY_SECTION) {
      const [pages] = readNumber(bytes, body + 2);  // behind the count and the flags
      const section = [1, 1, ...number(pages), ...number(pages)];
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([MEMORY_SECTION, section.length, ...section]),
        bytes.subarray(body + size)]);
    }
    at = body + size;
  }
  throw new Error('no memory in this module');
}

const text = (page, css) => page.evaluate((what) => document.querySelector(what)?.textContent ?? '', css);

/** More than fits: twelve million bytes of lengths, read as a person would have them read. */
async function readsMuch(page) {
  await page.evaluate(() => { document.getElementById('pasted').open = true; });
  await page.until(() => document.getElementById('lengths-text') !== null);
  await page.evaluate(() => {
    const field = document.getElementById('lengths-text');
    field.hidden = true;  // a browser takes a minute to break twelve million letters into lines
    field.value = '123 '.repeat(3e6);
    document.getElementById('lengths-read').click();
  });
  await page.until(() => !document.getElementById('trouble').hidden, null, { timeout: 12_000 });
  includes(await text(page, '#trouble'), 'no memory left');
  equal(await page.evaluate(() => document.documentElement.dataset.error), 'E-MEMORY');
  includes(await text(page, '#answer'), 'tokens', 'the answer stays');
  const link = await page.fragment();
  await page.evaluate(() => {
    globalThis.full = true;  // of the page before the reload, whose form is ready too
    document.querySelector('#trouble button').click();
  });
  await page.until(() => !globalThis.full && document.documentElement.dataset.ready === 'form'
    && document.getElementById('trouble').hidden);
  equal(await page.fragment(), link, 'the link after a reload');
  await page.fill('#in-users', '9');
  await answered(page, 'tokens');
  await page.until(() => location.hash.includes('users=9'));
}

/** A link of 12 MB for the canvas. */
async function drawsMuch(page) {
  await page.until(() => document.documentElement.dataset.canvas === 'ready'
    || document.documentElement.dataset.canvasError !== undefined, null, { timeout: 40_000 });
  await page.evaluate(() => { document.querySelector('kv-seats').query = `name=${'x'.repeat(12e6)}`; });
  await page.until(() => document.documentElement.dataset.canvasError !== undefined, null,
    { timeout: 20_000 });
  equal(await page.evaluate(() => document.documentElement.dataset.canvasError), 'E-MEMORY');
  includes(await text(page, '#why'), 'no memory left for the drawn view');
  await page.fill('#in-users', '9');
  await page.until(() => location.hash.includes('users=9'));
  check(await page.evaluate(() => document.querySelector('#tradeoff svg') !== null), 'no figure instead');
}

const TESTS = {
  'out of memory in the core: said, and the state survives': [readsMuch, 'view=form'],
  'out of memory in the canvas: said, and the page goes on': [drawsMuch, ''],
};

async function run(browser, root, act, view, small) {
  const server = await serve(root, { answer: (name) => (name.startsWith('small.') && name.endsWith('.wasm')
    ? { body: small(readFileSync(path.join(root, name))) } : undefined) });
  const page = await openPage(browser, server, `${LINK}${view && `&${view}`}`);
  try {
    await act(page);
  } finally {
    await page.close();
    await server.close();
  }
}

export async function memoryFaultTests(suite, browser, root) {
  for (const [name, [act, view]] of Object.entries(TESTS)) {
    await suite.test(`${browser.name}: ${name}`, () => run(browser, root, act, view, starved),
      { timeout: 120_000 });
    await suite.expectFailure(`${name}, where there is memory`, () =>
      run(browser, root, act, view, (bytes) => bytes));
  }
  await suite.test(`${browser.name}: out of memory at the start is said`, async () => {
    const server = await serve(root);
    const page = await browser.open(server.host, { before: () => {
      WebAssembly.Instance = function refused() { throw new RangeError('Out of memory'); };
    } });
    try {
      await page.goto(server.url);
      await page.until(() => !document.getElementById('trouble').hidden);
      includes(await text(page, '#trouble'), 'no memory left');
      includes(await text(page, '#answer'), 'tokens', 'the built page stays');
    } finally {
      await page.close();
      await server.close();
    }
  });
}
