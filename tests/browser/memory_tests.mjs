// <kv-seats> put in and taken out again and again leaves nothing behind. Counted are the memories of
// WebAssembly that are still alive after a collection, what the browser holds for the page, and its
// nodes and listeners; only Chromium can say all that.
import { check } from './lib/suite.mjs';

const AT_ONCE = 4;
const STEADY = 3;  // rounds before the first count: caches, code that is compiled on the way

export const MEMORY_PAGES = {
  'cycles.html': `<!doctype html><html lang="en"><meta charset="utf-8"><title>Again and again</title>
<link rel="icon" href="data:,"><style>kv-seats { height: 240px }</style><main></main>
<script>
// Nobody waits here: what is to happen in two seconds happens soon.
const later = window.setTimeout.bind(window);
window.setTimeout = (act, ms = 0, ...rest) => later(act, Math.min(ms, 20), ...rest);
window.alive = new Set();
const gone = new FinalizationRegistry((name) => window.alive.delete(name));
const instantiate = WebAssembly.instantiate.bind(WebAssembly);
let count = 0;
WebAssembly.instantiate = async (...all) => {
  const made = await instantiate(...all);
  const memory = (made.instance ?? made).exports.memory;
  if (memory) {
    count += 1;
    window.alive.add(count);
    gone.register(memory, count);
  }
  return made;
};
</script><script type="module" src="define.js"></script>`,
};

/** Some elements in, drawn, out. `keep`: they stay, which is what must not pass. */
const ROUND = async ([many, keep]) => {
  const elements = Array.from({ length: many }, (_, i) => {
    const element = document.createElement('kv-seats');
    element.setAttribute('query', `model=llama-3-8b&pool=53GB&users=${i + 1}`);
    return element;
  });
  document.querySelector('main').append(...elements);
  for (const element of elements) {
    await element.start();
    await element.settled();
    if (element.dataset.state !== 'ready') throw new Error(`state ${element.dataset.state}`);
  }
  if (keep) return;
  for (const element of elements) element.remove();
  const end = performance.now() + 5000;
  while (elements.some(({ dataset }) => dataset.state) && performance.now() < end) {
    await new Promise((resolve) => { requestAnimationFrame(resolve); });
  }
};

async function counts(page, session) {
  for (let i = 0; i < 3; i += 1) {
    await session.send('HeapProfiler.collectGarbage');
    await page.evaluate(() => new Promise((resolve) => { setTimeout(resolve, 20); }));
  }
  const { usedSize, backingStorageSize = 0 } = await session.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
  const alive = await page.evaluate(() => window.alive.size);
  return { alive, heap: usedSize / 1024, store: backingStorageSize / 1024, nodes, jsEventListeners };
}

async function staysFlat(browser, server, cycles, keep) {
  const page = await browser.open(server.host, { width: 800, height: 900 });
  try {
    await page.goto(`${server.url}cycles.html`);
    await page.until(() => customElements.get('kv-seats') !== undefined);
    const session = await page.context.newCDPSession(page.raw);
    const round = () => page.evaluate(ROUND, [AT_ONCE, keep]);
    for (let i = 0; i < STEADY; i += 1) await round();
    const before = await counts(page, session);
    const rounds = Math.ceil(cycles / AT_ONCE);
    for (let i = 0; i < rounds; i += 1) await round();
    const after = await counts(page, session);
    console.log(`          ${rounds * AT_ONCE} elements: ${Object.keys(before)
      .map((name) => `${name} ${Math.round(before[name])} → ${Math.round(after[name])}`).join(', ')}`);
    // One memory may be held by what has run last.
    check(after.alive <= AT_ONCE, `${after.alive} instances are still alive`);
    check(after.heap - before.heap < 512, `the heap has grown by ${Math.round(after.heap - before.heap)} KB`);
    check(after.store - before.store < 20 * 1024,
      `memory outside of it has grown by ${Math.round(after.store - before.store)} KB`);
    for (const name of ['nodes', 'jsEventListeners']) {
      check(after[name] - before[name] < 50, `${name}: ${before[name]}, then ${after[name]}`);
    }
    check(page.errors.length === 0, page.errors.join('\n'));
  } finally {
    await page.close();
  }
}

/** @param {number} cycles how often an element comes and goes */
export async function memoryTests(suite, browser, server, cycles) {
  await suite.test(`${browser.name}: flat memory over ${cycles} elements that come and go`,
    () => staysFlat(browser, server, cycles, false), { timeout: 60_000 + cycles * 3000 });
  await suite.expectFailure('flat memory, of elements that stay',
    () => staysFlat(browser, server, AT_ONCE, true));
}
