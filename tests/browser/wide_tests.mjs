// What one browser is enough for: hosting, failures, sizes, special surroundings. Chromium.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { serve } from './lib/server.mjs';
import { check, equal, includes } from './lib/suite.mjs';
import { control, LESSON, settled } from './canvas_tests.mjs';
import { answered, quiet } from './page_tests.mjs';

const text = (page, id) => page.evaluate((name) => document.getElementById(name).textContent, id);

export async function wideTests(suite, browser, root) {
  const test = (name, act, { hosting = {}, ...options } = {}) =>
    suite.test(`page: ${name}`, async () => {
      const server = await serve(root, hosting);
      const page = await browser.open(server.host, options);
      try {
        await act(page, server);
      } finally {
        await page.close();
        await server.close();
      }
    });
  const open = async (page, server, fragment = '') => {
    await page.goto(server.url + fragment);
    await page.until(() => document.documentElement.dataset.ready === 'form');
  };

  await test('works in a sub-folder', async (page, server) => {
    await open(page, server);
    await answered(page, 'tokens');
    quiet(page);
  }, { hosting: { prefix: '/a/b/c/' } });

  await test('the first answer is in the HTML, without JavaScript', async (page, server) => {
    await page.goto(server.url);
    includes(await text(page, 'answer'), 'tokens');
    const words = await text(page, 'words');
    for (const number of ['404,357', '197', '49', '12']) includes(words, number);
    check(await page.evaluate(() => document.querySelector('#tradeoff svg') !== null), 'no figure');
  }, { javaScriptEnabled: false });

  await test('answers soon', async (page, server) => {
    // The best of three: others may be using this machine too. The aim on a free one is 100 ms.
    const times = [];
    for (let i = 0; i < 3; i += 1) {
      await open(page, server);
      times.push(await page.evaluate(() => performance.getEntriesByName('kvseats-answer')[0].startTime
        - performance.getEntriesByType('navigation')[0].responseEnd));
    }
    const best = Math.round(Math.min(...times));
    console.log(`          first live answer ${best} ms after the HTML`);
    check(best < 1500, `${best} ms`);
  });

  await test('a module that does not arrive is said, and tried again', async (page, server) => {
    await page.goto(server.url);
    await page.until(() => !document.getElementById('trouble').hidden);
    includes(await text(page, 'trouble'), 'did not arrive');
    includes(await text(page, 'answer'), 'tokens', 'the static answer stays');
    broken = false;
    await page.evaluate(() => document.querySelector('#trouble button').click());
    await page.until(() => document.documentElement.dataset.ready === 'form');
  }, { hosting: { answer: (name) => (broken && name.startsWith('small.') ? { status: 404, body: '' }
    : undefined) } });

  let deliver;
  const delivery = new Promise((resolve) => { deliver = resolve; });
  await test('the form answers while the rest of the core is on its way', async (page, server) => {
    await page.goto(server.url);
    await page.until(() => document.documentElement.dataset.form === 'live');
    await page.fill('#in-prompt', '16384');
    await answered(page, '18,432 tokens');
    includes(await page.fragment(), 'prompt=16384');
    equal(await page.evaluate(() => [document.documentElement.dataset.ready,
      document.querySelectorAll('#tables h3').length > 0]), [undefined, true], 'not yet complete');
    // Rules that are not there: kept, and answered when they are.
    await page.evaluate(() => {
      const engine = document.getElementById('in-engine');
      engine.value = 'vllm';
      engine.dispatchEvent(new Event('change', { bubbles: true }));
    });
    await page.until(() => 'early' in document.documentElement.dataset);
    await page.fill('#in-users', '33');
    for (const part of ['engine=vllm', 'users=33']) includes(await page.fragment(), part);
    deliver();
    await page.until(() => document.documentElement.dataset.ready === 'form');
    for (const part of ['engine=vllm', 'prompt=16384', 'users=33']) includes(await page.fragment(), part);
    equal(await page.evaluate(() => ['early' in document.documentElement.dataset,
      document.getElementById('in-engine').value]), [false, 'vllm']);
    await answered(page, '18,432 tokens');
    quiet(page);
  }, { hosting: { answer: (name) => (name.startsWith('rest.') ? { waits: delivery } : undefined) } });

  await test('a host that does not know wasm does no harm', async (page, server) => {
    await open(page, server);
    const asked = server.requests.filter((name) => /\/small\..*wasm$/.test(name)).length;
    equal(asked, 1, 'downloads of the module');
    quiet(page);
  }, { hosting: { answer: (name) => (name.endsWith('.wasm')
    ? { type: 'application/octet-stream' } : undefined) } });

  await test('without WebAssembly it says so', async (page, server) => {
    await page.goto(server.url);
    await page.until(() => !document.getElementById('trouble').hidden);
    includes(await text(page, 'trouble'), 'WebAssembly');
    includes(await text(page, 'answer'), 'tokens');
  }, { before: () => { delete globalThis.WebAssembly; } });

  await test('without storage it works', async (page, server) => {
    await open(page, server);
    await page.evaluate(() => document.getElementById('theme').click());
    quiet(page);
  }, { before: () => Object.defineProperty(window, 'localStorage',
    { get() { throw new DOMException('no', 'SecurityError'); } }) });

  await test('a phone gets answer, figure, lengths and form, and no canvas', async (page, server) => {
    await open(page, server);
    equal(await page.evaluate(() => document.querySelector('kv-seats')), null);
    await page.evaluate(() => [...document.querySelectorAll('#lengths button')]
      .find((button) => button.value === '32k').click());
    await answered(page, '32,768');
    includes(await page.fragment(), 'context=32k');
    quiet(page);
  }, { width: 390, height: 844, hasTouch: true, isMobile: true });

  await test('a tap opens the list of models, another chooses', async (page, server) => {
    await open(page, server);
    await page.evaluate(() => document.getElementById('in-model').scrollIntoView({ block: 'start' }));
    const tap = async (selector) => {
      const box = await page.box(selector);
      await page.raw.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
      return box;
    };
    await tap('#in-model');
    await page.until(() => !document.getElementById('in-model-list').hidden);
    const { height } = await tap('#in-model-list [role=option]');
    check(height >= 44, `rows of ${height} px`);
    await answered(page, 'Llama 2 7B');
    equal(await page.evaluate(() => document.getElementById('in-model-list').hidden), true);
    quiet(page);
  }, { width: 390, height: 844, hasTouch: true, isMobile: true });

  await test('two fingers zoom the plot and leave the point', async (page, server) => {
    await page.goto(`${server.url}#${LESSON}`);
    await page.until(() => document.documentElement.dataset.canvas === 'ready', null,
      { what: 'the canvas', timeout: 40_000 });
    await settled(page);
    const isPlot = ({ label }) => label === 'Trade-off plot';
    const below = (await control(page, isPlot)).y;
    await page.evaluate((y) => { scrollBy(0, y - innerHeight / 2); }, below);
    await settled(page);
    const { x, y } = await control(page, isPlot);
    const session = await page.context.newCDPSession(page.raw);
    const fingers = (type, by, to = 0) => session.send('Input.dispatchTouchEvent', { type,
      touchPoints: type === 'touchEnd' ? []
        : [{ x: x - by + to, y: y + to, id: 0 }, { x: x + by + to, y: y + to, id: 1 }] });
    await fingers('touchStart', 40);
    for (const by of [50, 60, 80]) await fingers('touchMove', by);
    await fingers('touchEnd');
    await page.until(() => location.hash.includes('range='));
    includes(await page.fragment(), 'prompt=6144');
    const zoomed = await page.fragment();
    await fingers('touchStart', 40);
    for (const to of [20, 40, 60]) await fingers('touchMove', 40, to);
    await fingers('touchEnd');
    await page.until((before) => location.hash.slice(1) !== before, zoomed);
    includes(await page.fragment(), 'prompt=6144');
    quiet(page);
  }, { width: 1000, height: 1000, hasTouch: true });

  await test('reflows at 320 px', async (page, server) => {
    await open(page, server);
    const width = await page.evaluate(() => document.scrollingElement.scrollWidth);
    check(width <= 320, `${width} px wide`);
  }, { width: 320, height: 568 });

  await test('no sideways scrolling at 200 % zoom', async (page, server) => {
    await open(page, server);
    const width = await page.evaluate(() => document.scrollingElement.scrollWidth);
    check(width <= 640, `${width} px wide`);
  }, { width: 640, height: 450, deviceScaleFactor: 2 });

  await test('50 garbled links never break it', async (page, server) => {
    await open(page, server);
    let seed = 7;
    const random = (n) => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed % n; };
    const signs = 'abzk=&%#+:@x01 ÿ語"\'<>/\\-';
    for (let i = 0; i < 50; i += 1) {
      const garbage = Array.from({ length: random(60) }, () => signs[random(signs.length)]).join('');
      await page.evaluate((hash) => { location.hash = hash; }, garbage);
    }
    await page.evaluate(() => { location.hash = 'model=llama-2-7b'; });
    await answered(page, 'Llama 2 7B');
    equal(await page.evaluate(() => document.getElementById('trouble').hidden), true);
    quiet(page);
  });

  await test('strings from links only ever become text', async (page, server) => {
    await open(page, server, `#model=${encodeURIComponent('<img src=x onerror=alert(1)>')}`
      + `&service=${encodeURIComponent('<b>x</b>:10+10x1')}`);
    equal(await page.evaluate(() => document.querySelectorAll('main img, #tables b').length), 0);
    quiet(page);
  });

  await test('by keyboard alone: text view, model, users, copy link', async (page, server) => {
    await open(page, server);
    await page.keyboard.press('Tab');
    equal(await page.evaluate(() => document.activeElement.className), 'skip');
    await page.keyboard.press('Enter');
    equal(await page.evaluate(() => document.activeElement.id), 'text');
    await page.keyboard.press('Tab');
    equal(await page.evaluate(() => document.activeElement.id), 'in-model');
    await page.keyboard.type('Llama 2 7B');
    await page.keyboard.press('Enter');
    await answered(page, 'Llama 2 7B');
    includes(await page.fragment(), 'model=llama-2-7b');
    await page.evaluate(() => document.getElementById('copy').focus());
    await page.keyboard.press('Enter');
    await page.until(() => document.getElementById('status').textContent.includes('copied'));
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    includes(copied, 'model=llama-2-7b');
    includes(copied, 'engine=', 'the link is pinned');
  }, { permissions: ['clipboard-read', 'clipboard-write'], width: 1000 });

  await test('prints answer, figure and tables', async (page, server) => {
    await open(page, server);
    await page.raw.emulateMedia({ media: 'print' });
    const shown = await page.evaluate(() => [...document.querySelectorAll('#poster, #tables, #form')]
      .map((element) => [element.id, getComputedStyle(element).display !== 'none'
        && getComputedStyle(element).visibility === 'visible']));
    equal(Object.fromEntries(shown), { poster: true, form: false, tables: true });
  });

  await test('prints the figures of the answer that the canvas came to', async (page, server) => {
    await open(page, server);
    await page.until(() => document.documentElement.dataset.canvas === 'ready');
    const texts = () => page.evaluate(() =>
      [...document.querySelectorAll('#poster figcaption')].map(({ textContent }) => textContent));
    const before = await texts();
    await page.evaluate(() => { location.hash = 'model=llama-3.1-70b&gpu=h200'; });
    await page.until(() => document.getElementById('answer').textContent.includes('70B'));
    equal(await texts(), before, 'not drawn while nobody sees them');
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    const [memory, curve] = await texts();
    check(memory !== before[0] && curve !== before[1], 'drawn for the paper');
  });

  await test('forced colours and reduced motion', async (page, server) => {
    await open(page, server);
    equal(await page.evaluate(() => document.documentElement.dataset.face), 'text');
    quiet(page);
  }, { forcedColors: 'active', reducedMotion: 'reduce' });

  await test('every control has a name and a visible label', async (page, server) => {
    await open(page, server);
    const nameless = await page.evaluate(() =>
      [...document.querySelectorAll('input, select, button, textarea')].filter((control) =>
        !(control.labels?.length || control.getAttribute('aria-label') || control.textContent.trim()))
        .map((control) => control.outerHTML.slice(0, 80)));
    equal(nameless, []);
  });

  await suite.test('page: names no file but its own', async () => {
    const html = readFileSync(path.join(root, 'index.html'), 'utf8');
    equal(html.match(/@asset|<!--kv:|missing-/), null);
    equal(html.match(/(src|href)="(https?:)?\/\//), null);
    check(!/<style|<script(?![^>]* src=)| style="| on\w+="/.test(html), 'inline script or style');
  });
}

let broken = true;
