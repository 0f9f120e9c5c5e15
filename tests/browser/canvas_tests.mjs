// The canvas: it draws, it and the form say the same, it rests, it recovers. Everything here must
// fail where there is no WebGL (see `canvasMustFail`).
import { check, equal, includes } from './lib/suite.mjs';
import { colours, difference } from './lib/png.mjs';
import { answered, cell, openPage, quiet } from './page_tests.mjs';

export const LESSON = 'model=llama-3-8b&pool=53GB&prompt=6144&output=2048';

/** The page with its canvas drawn and at rest. */
async function openCanvas(browser, server, fragment = LESSON, options = {}) {
  const page = await openPage(browser, server, fragment, options);
  await page.until(() => document.documentElement.dataset.canvas === 'ready', null,
    { what: 'the canvas', timeout: 40_000 });
  await atRest(page);
  return page;
}

/** Waits for the form, and until the canvas has stopped asking the page for another height. */
async function atRest(page) {
  await page.until(() => document.documentElement.dataset.ready === 'form', null,
    { what: 'the form' });
  await settled(page);
  await page.still('kv-seats');
}

export const settled = (page) => page.evaluate(async () => {
  await document.querySelector('kv-seats').settled();
  await new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); });
});

const registry = (page) => page.evaluate(() => document.querySelector('kv-seats').registry);

/** The middle of a control of the canvas in the window's coordinates. */
export async function control(page, wanted) {
  const entries = await registry(page);
  const entry = entries.find(wanted);
  check(entry, `no such control among ${entries.map(({ role, label }) => `${role} ${label}`).join(', ')}`);
  const box = await page.box('kv-seats');
  const [x, y, w, h] = entry.rect;
  return { x: box.x + x + w / 2, y: box.y + y + h / 2, entry };
}

export const isHandle = ({ role }) => role === 'handle';

async function drawsAndIsNotBlank(page) {
  const live = await page.evaluate(() => {
    const find = (root) => root.querySelector('canvas')
      ?? [...root.querySelectorAll('*')].map((element) => element.shadowRoot && find(element.shadowRoot))
        .find(Boolean);
    const canvas = find(document);
    const gl = canvas?.getContext('webgl2');
    return { context: Boolean(gl && !gl.isContextLost()), draws: globalThis.__draws };
  });
  check(live.context, 'no live WebGL2 context');
  check(live.draws > 0, 'nothing was drawn');
  const box = await page.box('kv-seats');
  const seen = colours(await page.shot({ x: box.x, y: box.y, width: box.width,
    height: Math.min(box.height, 700) }));
  check(seen.different > 40 && seen.most < 0.97,
    `${seen.different} colours, ${Math.round(seen.most * 100)} % of one`);
}

async function formReachesCanvas(page) {
  const before = await page.shot();
  await page.evaluate(() => { document.getElementById('in-kvheads').focus({ preventScroll: true }); });
  await page.evaluate(() => { document.getElementById('in-kvheads').select(); });
  await page.keyboard.type('32');
  await page.keyboard.press('Enter');
  await page.until(() => location.hash.includes('kvheads=32'));
  await answered(page, '4 GiB');
  await settled(page);
  includes(await page.evaluate(() => document.querySelector('kv-seats').query), 'kvheads=32');
  await page.evaluate(() => scrollTo(0, 0));
  await settled(page);
  const changed = difference(before, await page.shot());
  check(changed > 0.002, `only ${changed} of the picture changed`);
}

async function dragReachesForm(page) {
  const handle = await control(page, isHandle);
  const tokens = await cell(page, 'Longest request, alone');
  const entries = await page.evaluate(() => history.length);
  await page.drag(handle, { x: handle.x + 120, y: handle.y });
  await page.until((old) => location.hash.slice(1) !== old, LESSON, { what: 'a new link' });
  await page.until(() => !document.getElementById('answer').textContent.includes('8,192'));
  await settled(page);
  const after = await page.evaluate(() => ({
    query: document.querySelector('kv-seats').query,
    prompt: document.getElementById('in-prompt').value.replace(/,/g, ''),
    output: document.getElementById('in-output').value.replace(/,/g, ''),
    entries: history.length,
  }));
  check(Number(after.prompt) > 6144 || Number(after.output) > 2048,
    `the form says ${JSON.stringify(after)}`);
  check(after.entries - entries <= 1, `${after.entries - entries} entries in the history`);
  equal(await cell(page, 'Longest request, alone'), tokens, 'what has not changed');
  const fragment = await page.fragment();
  await page.reload();
  await page.until(() => document.documentElement.dataset.canvas === 'ready');
  equal(await page.fragment(), fragment, 'the link after a reload');
  equal(await page.evaluate(() => document.getElementById('in-prompt').value.replace(/,/g, '')),
    after.prompt, 'the prompt after a reload');
}

async function restsWhenIdle(page) {
  await page.mouse.move(3, 3);
  await settled(page);
  // The one place where time has to pass: five seconds in which nothing may be drawn or armed.
  const drawn = await page.evaluate(async () => {
    const before = globalThis.__draws;
    const frames = document.querySelector('kv-seats').frames;
    await new Promise((resolve) => { setTimeout(resolve, 5000); });
    return [globalThis.__draws - before, document.querySelector('kv-seats').frames - frames];
  });
  equal(drawn, [0, 0], 'draw calls and frames in 5 s');
}

/** Draw calls and frames so far. */
const drawn = (page) => page.evaluate(() =>
  [globalThis.__draws, document.querySelector('kv-seats').frames]);

/** Where it cannot be seen it draws nothing, whatever changes; seen again it is up to date. */
async function restsWhile(page, unseen, seen) {
  await page.mouse.move(3, 3);
  await settled(page);
  const first = await page.shot();
  await page.evaluate(unseen);
  // Until the browser has said that it went, it may still draw.
  await page.evaluate(() => new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 300)));
  }));
  const before = await drawn(page);
  await page.evaluate(async () => {
    const canvas = document.querySelector('kv-seats');
    for (const heads of [1, 2, 4]) {
      canvas.query = canvas.query.replace(/&kvheads=\d+|$/, `&kvheads=${heads}`);
      await new Promise((resolve) => { setTimeout(resolve, 400); });
    }
  });
  equal(await drawn(page), before, 'draw calls and frames while it cannot be seen');
  await page.evaluate(seen);
  await page.until((frames) => document.querySelector('kv-seats').frames > frames, before[1],
    { what: 'a frame once it is seen again' });
  await page.evaluate(() => scrollTo(0, 0));
  await settled(page);
  check(difference(first, await page.shot()) > 0.002, 'the picture is of what is set now');
}

const restsOffScreen = (page) => restsWhile(page,
  () => document.getElementById('words').scrollIntoView(), () => scrollTo(0, 0));

const restsWhenHidden = (page) => restsWhile(page,
  () => { document.querySelector('kv-seats').style.display = 'none'; },
  () => { document.querySelector('kv-seats').style.display = ''; });

async function recoversContext(page) {
  const box = await page.box('kv-seats');
  const clip = { x: box.x, y: box.y, width: box.width, height: Math.min(box.height, 700) };
  await page.mouse.move(3, 3);
  await settled(page);
  const before = await page.shot(clip);
  await page.evaluate(async () => {
    const find = (root) => root.querySelector('canvas')
      ?? [...root.querySelectorAll('*')].map((element) => element.shadowRoot && find(element.shadowRoot))
        .find(Boolean);
    const canvas = find(document);
    const lose = canvas.getContext('webgl2').getExtension('WEBGL_lose_context');
    const event = (type) => new Promise((resolve) => {
      canvas.addEventListener(type, resolve, { once: true });
    });
    const lost = event('webglcontextlost');
    lose.loseContext();
    await lost;
    await new Promise((resolve) => { setTimeout(resolve); });
    const restored = event('webglcontextrestored');
    lose.restoreContext();
    await restored;
  });
  await page.until(() => document.querySelector('kv-seats').dataset.state === 'ready');
  await settled(page);
  const changed = difference(before, await page.shot(clip));
  check(changed < 0.001, `${changed} of the picture differs after the recovery`);
}

/** The text that is typed keeps the focus; the keys of the list go on to the canvas. */
async function walksTheList(page) {
  const combo = await control(page, ({ role, label }) => role === 'combobox' && label === 'Model');
  await page.mouse.click(combo.x, combo.y);
  const field = () => page.until(() => {
    const input = document.querySelector('kv-seats').shadowRoot.activeElement;
    return input?.localName === 'input' && !input.hidden;
  }, null, { what: 'the search field of the list' });
  await field();
  await page.keyboard.type('llama 3.1');
  await settled(page);
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp']) {
    await page.keyboard.press(key);
    await settled(page);
  }
  await field();
  await page.keyboard.press('Enter');
  await page.until(() => location.hash.includes('model=llama-3.1-70b'), null,
    { what: 'the second row, Llama 3.1 70B' });
}

const TESTS = {
  'the canvas draws': drawsAndIsNotBlank,
  'a form change reaches canvas and link': formReachesCanvas,
  'a canvas drag reaches form and link, and a reload restores it': dragReachesForm,
  'arrows walk the list of models while its text is typed': walksTheList,
  'nothing is drawn in 5 s of idleness': restsWhenIdle,
  'nothing is drawn off screen': restsOffScreen,
  'nothing is drawn while hidden': restsWhenHidden,
  'a lost context comes back': recoversContext,
};

export async function canvasTests(suite, browser, server) {
  for (const [name, act] of Object.entries(TESTS)) {
    await suite.test(`${browser.name}: ${name}`, async () => {
      const page = await openCanvas(browser, server);
      try {
        await act(page);
        quiet({ ...page, errors: page.errors.filter((text) => !/CONTEXT_LOST|context lost/i.test(text)),
          foreign: page.foreign });
      } finally {
        await page.close();
      }
    });
  }
  await suite.test(`${browser.name}: the theme button reaches the canvas`, async () => {
    const page = await openCanvas(browser, server);
    try {
      const light = await page.shot();
      await page.evaluate(() => {
        while (document.documentElement.dataset.theme !== 'dark') {
          document.getElementById('theme').click();
        }
      });
      await settled(page);
      check(difference(light, await page.shot()) > 0.5, 'most of the picture changes');
    } finally {
      await page.close();
    }
  });
}

/** The negative control: the same tests where there is no WebGL. */
export async function canvasMustFail(suite, browser, server) {
  for (const [name, act] of Object.entries(TESTS)) {
    await suite.expectFailure(`${name}, without WebGL`, async () => {
      const page = await openPage(browser, server, LESSON);
      try {
        if (await page.evaluate(() => document.querySelector('kv-seats') === null)) {
          await page.until(() => document.documentElement.dataset.canvas === 'ready', null,
            { timeout: 3000 });
        }
        await act(page);
      } finally {
        await page.close();
      }
    });
  }
}

/** Without WebGL2 the page is whole, and says why there is no canvas. */
export async function withoutGraphics(suite, browser, server) {
  await suite.test(`${browser.name}, without WebGL2: the page says why and works`, async () => {
    const page = await openPage(browser, server, LESSON);
    try {
      await page.until(() => document.documentElement.dataset.face === 'text');
      await page.until(() => document.getElementById('why')?.textContent.includes('WebGL2')
        || !('WebGL2RenderingContext' in window));
      check(await page.evaluate(() => {
        const box = document.querySelector('#tradeoff svg').getBoundingClientRect();
        return box.width > 200 && box.height > 100;
      }), 'the curve is shown');
      await page.fill('#in-users', '250');
      await page.until(() => location.hash.includes('users=250'));
      includes(await cell(page, '250 requests at once need'), 'does not fit');
      quiet({ ...page, errors: page.errors.filter((text) => !/webgl/i.test(text)),
        foreign: page.foreign });
    } finally {
      await page.close();
    }
  });
}
