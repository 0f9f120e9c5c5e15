// The decisions of web/canvas-input.js and the rounds of web/kvseats-files.js, without a browser.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { check, equal } from './lib/suite.mjs';

const WEB = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../web');

const key = (name, more = {}) => ({ key: name, ctrlKey: false, altKey: false, metaKey: false,
  shiftKey: false, getModifierState: (state) => state === more.state, ...more });
const wheel = (more) => ({ deltaX: 0, deltaY: 0, deltaMode: 0, ctrlKey: false, metaKey: false, ...more });

export async function inputTests(suite) {
  // As data: Node 18 takes a .js file without a package.json for CommonJS.
  const text = readFileSync(path.join(WEB, 'canvas-input.js'), 'utf8');
  const input = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  const { ZONE, MOD } = input;
  const ALL = 511;

  await suite.test('input: the topmost zone of a kind wins', () => {
    const zones = [[ZONE.drag, 0, 0, 100, 100], [ZONE.zoom, 0, 0, 100, 100], [ZONE.drag, 10, 10, 20, 20]];
    equal(input.zoneAt(zones, ZONE.drag, 15, 15), zones[2]);
    equal(input.zoneAt(zones, ZONE.drag, 50, 50), zones[0]);
    equal(input.zoneAt(zones, ZONE.drag, 100, 50), null);
    equal(input.zoneAt([], ZONE.drag, 1, 1), null);
  });

  await suite.test('input: the shortcuts of browsers are never taken', () => {
    for (const event of [key('F5'), key('F11'), key('F12'), key('r', { ctrlKey: true }),
      key('l', { ctrlKey: true }), key('t', { ctrlKey: true }), key('w', { ctrlKey: true }),
      key('f', { ctrlKey: true }), key('p', { ctrlKey: true }), key('+', { ctrlKey: true }),
      key('-', { ctrlKey: true }), key('0', { ctrlKey: true }), key('c', { ctrlKey: true }),
      key('v', { ctrlKey: true }), key('x', { ctrlKey: true }), key('r', { metaKey: true }),
      key('ArrowLeft', { altKey: true }), key('ArrowRight', { altKey: true }),
      key('Home', { ctrlKey: true }), key('PageDown', { ctrlKey: true })]) {
      equal(input.keyMeaning(event, ALL, false), null);
    }
  });

  await suite.test('input: keys are taken only where the control uses them', () => {
    equal(input.keyMeaning(key('ArrowLeft'), 0, false), null);
    equal(input.keyMeaning(key('ArrowLeft'), 1, false), { key: 2 });
    equal(input.keyMeaning(key('ArrowUp'), 1, false), null);
    equal(input.keyMeaning(key('PageDown'), 1 | 2 | 4 | 8, false), null);
    equal(input.keyMeaning(key('Escape'), 32, false), { key: 14 });
    equal(input.keyMeaning(key('a'), ALL - 128, false), null);
    equal(input.keyMeaning(key('a'), 128, false), { text: 'a' });
    equal(input.keyMeaning(key(' '), 4, false), { key: 12 });
  });

  await suite.test('input: AltGr and Option type characters', () => {
    const altgr = key('@', { ctrlKey: true, altKey: true, state: 'AltGraph' });
    equal(input.keyMeaning(altgr, 128, false), { text: '@' });
    equal(input.keyMeaning(key('@', { altKey: true }), 128, true), { text: '@' });
  });

  await suite.test('input: undo is Ctrl+Z, on a Mac Command+Z', () => {
    equal(input.keyMeaning(key('z', { ctrlKey: true }), 256, false), { key: 90 });
    equal(input.keyMeaning(key('z', { ctrlKey: true }), 0, false), null);
    equal(input.keyMeaning(key('z', { metaKey: true }), 256, true), { key: 90 });
    equal(input.modifiers(key('z', { metaKey: true }), true), MOD.ctrl);
    equal(input.modifiers(key('z', { metaKey: true }), false), MOD.meta);
  });

  await suite.test('input: the plain wheel is the page\'s, unless a focused list can move', () => {
    const list = [ZONE.scroll, 0, 0, 100, 100, false, true];
    const chart = [ZONE.zoom, 100, 0, 100, 100];
    const zones = [list, chart];
    const owner = (event, focused, x) => input.wheelOwner(wheel(event), zones, focused, x, 50);
    equal(owner({ deltaY: 100 }, false, 50), 'page');
    equal(owner({ deltaY: 100 }, true, 50), 'scroll');
    equal(owner({ deltaY: -100 }, true, 50), 'page');    // it is at its upper end
    equal(owner({ deltaY: 100 }, true, 150), 'hint');
    equal(owner({ deltaY: 100, ctrlKey: true }, false, 150), 'zoom');
    equal(owner({ deltaY: 100, metaKey: true }, false, 150), 'zoom');
    equal(owner({ deltaY: 100, ctrlKey: true }, true, 50), 'page');  // the browser's own zoom
    equal(owner({ deltaY: 100 }, true, 250), 'page');
  });

  await suite.test('input: pixels, lines and pages of a wheel are the same notches', () => {
    equal(input.wheelNotches(wheel({ deltaY: 100 })).y, -1);
    equal(input.wheelNotches(wheel({ deltaY: 3, deltaMode: 1 })).y, -1);
    equal(input.wheelNotches(wheel({ deltaY: 1, deltaMode: 2 })).y, -1);
  });

  await suite.test('input: the surface is exact, plausible and never too large', () => {
    const entry = (width, device) => ({ contentRect: { width, height: 100 },
      devicePixelContentBoxSize: [{ inlineSize: device, blockSize: 100 }] });
    const element = { clientWidth: 333, clientHeight: 100 };
    const size = (at, dpr, longest) => input.surfaceSize(at, element, dpr, longest);
    equal(size(entry(333.3, 334), 1, 0).width, 334);       // the browser's word
    equal(size(entry(333.3, 417), 1.25, 0).width, 417);
    equal(size(entry(333.3, 333), 2, 0).width, 667);       // an emulated density: not believed
    equal(size(null, 1.5, 0).width, 500);                  // no observer yet
    const clamped = size(entry(5000, 15000), 3, 8192);
    equal(clamped.width, 8192);
    equal(clamped.scale < 3 && clamped.scale > 1.6, true);
    equal(size({ contentRect: { width: 0, height: 0 } }, 1, 0).width, 0);
  });
}

/** A file of any size that counts what is read of it. */
class Counted extends Blob {
  read = 0;

  constructor(name, size) {
    super([]);
    Object.defineProperties(this, { name: { value: name }, size: { value: size } });
  }

  slice(from, to) {
    this.read += to - from;
    return new Blob([new Uint8Array(to - from)]);
  }
}

/** The reading of model files, against a reader that asks for more. */
export async function fileTests(suite) {
  const text = readFileSync(path.join(WEB, 'kvseats-files.js'), 'utf8');
  const { importFiles } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
  const reader = (answers) => {
    const asked = [];
    return { asked, request: (ask, operation, options, { length }) => {
      asked.push({ ...options, length });
      return answers[Math.min(asked.length, answers.length) - 1];
    } };
  };

  await suite.test('files: a GGUF of 40 GB costs what the reader asks for', async () => {
    const file = new Counted('m.gguf', 40e9);
    const fake = reader([{ ok: false, need: 200_000, file: 0 }, { ok: true, need: 9e6, file: 0 }]);
    equal((await importFiles(fake, file, { link: 'users=3' })).ok, true);
    equal(fake.asked.map(({ length }) => length), [65_536, 200_000]);
    equal(file.read, 265_536);
    equal([fake.asked[0].name, fake.asked[0].size, fake.asked[0].link], ['m.gguf', '40000000000', 'users=3']);
  });

  await suite.test('files: of several only the one that is asked for grows', async () => {
    const files = [new Counted('config.json', 700), new Counted('m.safetensors', 5e9)];
    const fake = reader([{ ok: false, need: 90_000, file: 1 }, { ok: true }]);
    await importFiles(fake, files);
    equal(fake.asked.map(({ head }) => head), ['700,65536', '700,90000']);
    equal(fake.asked[0].name, 'config.json|m.safetensors');
  });

  await suite.test('files: a reader that is never content does not read for ever', async () => {
    let need = 65_536;
    const file = new Counted('m.gguf', 40e9);
    const fake = reader([{ ok: false, file: 0, get need() { return need += 1000; } }]);
    equal((await importFiles(fake, file)).ok, false);
    check(fake.asked.length < 20, `${fake.asked.length} rounds`);
    const whole = reader([{ ok: false, need: 1e9, file: 0 }]);
    await importFiles(whole, new Counted('short.gguf', 1000));
    equal(whole.asked.length, 1, 'the whole file was sent');
  });
}
