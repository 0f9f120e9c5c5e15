// What goes wrong around the canvas: input by chance, a page that hides in the middle of a drag, sizes
// that change like a storm, a graphics context that is lost at every point. The page recovers, and its
// state survives a reload.
import { check, equal } from './lib/suite.mjs';
import { colours } from './lib/png.mjs';
import { control, isHandle, settled } from './canvas_tests.mjs';
import { answered, openPage, quiet } from './page_tests.mjs';

const LESSON = 'model=llama-3-8b&pool=53GB';
const EVENTS = 10_000;

async function openCanvas(browser, server, fragment = LESSON, options = {}) {
  const page = await openPage(browser, server, fragment, options);
  await page.until(() => document.documentElement.dataset.canvas === 'ready', null, { timeout: 40_000 });
  await settled(page);
  return page;
}

/** The page still does its work: canvas drawn, form, link and answer in step, and after a reload. */
async function works(page) {
  await page.until(() => document.querySelector('kv-seats').dataset.state === 'ready');
  await settled(page);
  const box = await page.box('kv-seats');
  const seen = colours(await page.shot({ x: box.x, y: Math.max(box.y, 0), width: Math.min(box.width, 800),
    height: 400 }));
  check(seen.different > 40, `${seen.different} colours`);
  await page.evaluate(() => { document.getElementById('more-people')?.removeAttribute('open'); });
  await page.fill('#in-users', '7');
  await page.until(() => location.hash.includes('users=7'));
  await page.until(() => document.querySelector('kv-seats').query.includes('users=7'));
  const link = await page.fragment();
  const answer = await page.evaluate(() => document.getElementById('answer').textContent);
  await page.evaluate(() => scrollTo(0, 0));  // off the screen no canvas comes
  await page.reload();
  await page.until(() => document.documentElement.dataset.canvas === 'ready', null, { timeout: 40_000 });
  equal(await page.fragment(), link, 'the link after a reload');
  await answered(page, answer);
}

/** Pointer, wheel and keys by chance, at and around the canvas; a seed gives the same ones again. */
const RANDOM_INPUT = async ({ events, from }) => {
  let seed = from;
  const random = (n) => { seed = (seed * 1103515245 + 12345) % 2147483648; return Math.floor(seed / 65536) % n; };
  const element = document.querySelector('kv-seats');
  const keys = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown',
    'Enter', ' ', 'Escape', 'Tab', 'Delete', 'Backspace', 'z', 'Z', '?', '1', '9', 'k', '🙂'];
  const kinds = ['pointermove', 'pointermove', 'pointermove', 'pointerdown', 'pointerup', 'pointercancel',
    'pointerleave', 'wheel', 'keydown', 'keydown', 'keyup', 'contextmenu'];
  const step = () => {
    const inner = element.shadowRoot.querySelector('canvas') ?? element;
    const target = inner.isConnected ? inner : element;
    const box = element.getBoundingClientRect();
    const type = kinds[random(kinds.length)];
    const init = { bubbles: true, cancelable: true, composed: true, isPrimary: random(10) > 0,
      pointerId: 1 + random(2), pointerType: ['mouse', 'mouse', 'touch', 'pen'][random(4)],
      clientX: box.left + random(Math.ceil(box.width) + 40) - 20,
      clientY: box.top + random(Math.ceil(Math.min(box.height, 900)) + 40) - 20,
      button: random(3), buttons: random(2), shiftKey: random(8) === 0, ctrlKey: random(8) === 0,
      deltaY: random(400) - 200, deltaMode: random(3), key: keys[random(keys.length)] };
    const Kind = type === 'wheel' ? WheelEvent : type.startsWith('key') ? KeyboardEvent
      : type === 'contextmenu' ? MouseEvent : PointerEvent;
    target.dispatchEvent(new Kind(type, init));
  };
  for (let done = 0; done < events; done += 1) {
    step();
    // The app answers in frames: a few events meet in each.
    if (done % 40 === 39) await new Promise((resolve) => { requestAnimationFrame(resolve); });
    if (!element.isConnected) throw new Error(`gone after ${done} events`);
  }
};

async function hides(page) {
  const handle = await control(page, isHandle);
  await page.mouse.move(handle.x, handle.y);
  await page.mouse.down();
  await page.mouse.move(handle.x + 60, handle.y, { steps: 4 });
  await page.until((old) => location.hash.slice(1) !== old, LESSON);
  const hide = (state) => page.evaluate((now) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: now });
    Object.defineProperty(document, 'hidden', { configurable: true, value: now === 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
    dispatchEvent(new Event(now === 'hidden' ? 'blur' : 'focus'));
  }, state);
  await hide('hidden');
  await page.mouse.up();  // somewhere else: the page may or may not hear of it
  await hide('visible');
  await settled(page);
  // The canvas' own link: a drag's end writes the address at once, a drag that goes on late.
  const shown = () => page.evaluate(() => document.querySelector('kv-seats').query);
  const link = await shown();
  await page.mouse.move(handle.x - 100, handle.y, { steps: 4 });
  await settled(page);
  equal(await shown(), link, 'nothing is dragged any more');
}

async function storms(page) {
  const sizes = [[1440, 900], [900, 700], [720, 500], [1300, 400], [701, 900], [1024, 768]];
  for (let round = 0; round < 8; round += 1) {
    for (const [width, height] of sizes) await page.resize(width, height);
  }
  await page.resize(1200, 800);
  await settled(page);
  await page.still('kv-seats');
  const [box, surface] = await page.evaluate(() => {
    const element = document.querySelector('kv-seats');
    const canvas = element.shadowRoot.querySelector('canvas');
    return [Math.round(element.getBoundingClientRect().width * devicePixelRatio), canvas.width];
  });
  check(Math.abs(box - surface) <= 1, `a surface of ${surface} px in a place of ${box} px`);
}

/** Loses the context and gives it back a little later. */
const loseContext = (page) => page.evaluate(async () => {
  const canvas = document.querySelector('kv-seats').shadowRoot.querySelector('canvas');
  const lose = canvas.getContext('webgl2').getExtension('WEBGL_lose_context');
  const lost = new Promise((resolve) => {
    canvas.addEventListener('webglcontextlost', resolve, { once: true });
  });
  lose.loseContext();
  await lost;
  await new Promise((resolve) => { setTimeout(resolve); });
  lose.restoreContext();
});

async function losesEverywhere(page) {
  const handle = await control(page, isHandle);
  await page.mouse.move(handle.x, handle.y);
  await page.mouse.down();
  await page.mouse.move(handle.x + 60, handle.y, { steps: 3 });
  await loseContext(page);  // in the middle of a drag
  await page.mouse.move(handle.x + 90, handle.y, { steps: 3 });
  await page.mouse.up();
  await page.until(() => document.querySelector('kv-seats').dataset.state === 'ready');
  await settled(page);
  await page.evaluate(() => { location.hash += '&view=allocation'; });
  await page.until(() => document.querySelector('kv-seats').query.includes('view=allocation'));
  await settled(page);
  await loseContext(page);  // with a texture of its own on the screen
  await page.until(() => document.querySelector('kv-seats').dataset.state === 'ready');
  await settled(page);
  await loseContext(page);  // and again at once
  await page.until(() => document.querySelector('kv-seats').dataset.state === 'ready');
}

const TESTS = {
  [`${EVENTS} events by chance leave a page that works`]: async (page) => {
    await page.evaluate(RANDOM_INPUT, { events: EVENTS, from: 20261130 });
    await page.evaluate(() => scrollTo(0, 0));
  },
  'a page that hides in the middle of a drag lets go': hides,
  'a storm of sizes ends in the right one': storms,
  'a context that is lost while dragging, over a texture, twice comes back': losesEverywhere,
};

export async function faultTests(suite, browser, server) {
  for (const [name, act] of Object.entries(TESTS)) {
    await suite.test(`${browser.name}: ${name}`, async () => {
      const page = await openCanvas(browser, server);
      try {
        await act(page);
        await works(page);
        quiet({ ...page, errors: page.errors.filter((text) => !/CONTEXT_LOST|context lost/i.test(text)),
          foreign: page.foreign });
      } finally {
        await page.close();
      }
    }, { timeout: 180_000 });
  }
}

/** The negative control: a canvas that does not let go is noticed. */
export async function faultsMustFail(suite, browser, server) {
  await suite.expectFailure('a drag that goes on after the page hid', async () => {
    const page = await openCanvas(browser, server);
    try {
      await page.evaluate(() => {
        for (const type of ['blur', 'visibilitychange', 'pointerup', 'pointercancel', 'lostpointercapture']) {
          addEventListener(type, (event) => event.stopImmediatePropagation(), { capture: true });
          document.addEventListener(type, (event) => event.stopImmediatePropagation(), { capture: true });
        }
      });
      await hides(page);
    } finally {
      await page.close();
    }
  });
}
