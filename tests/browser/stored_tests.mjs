// Six pictures that are kept and compared: exactly on the browser version that is written beside them,
// elsewhere at most 0.5 % of the pixels beyond a small distance of colour.
//   node run.mjs --only stored --skip … --store    takes them anew: look at them before a commit
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { check } from './lib/suite.mjs';
import { difference } from './lib/png.mjs';
import { openPage } from './page_tests.mjs';

const FOLDER = path.join(path.dirname(fileURLToPath(import.meta.url)), 'stored');
const VERSION = path.join(FOLDER, 'version.txt');
const MOST = 0.005;  // of the pixels, on another version
const LESSON = 'model=llama-3.1-8b&gpu=h100-sxm&pool=53GB&service=Chat:1000+500x100'
  + '&service=Documents:12000+1000x100';

/** Name → link, size, theme. */
const PICTURES = {
  'capacity-light': [LESSON, 1440, 900, 'light'],
  'levers-dark': [`${LESSON}&view=levers`, 1440, 900, 'dark'],
  'services-light': [`${LESSON}&view=services`, 1024, 768, 'light'],
  'compare-dark': ['models=llama-2-7b,qwen3-8b,gemma-3-27b,deepseek-v3&view=compare', 1024, 768, 'dark'],
  'text-light': [`${LESSON}&view=form`, 1024, 768, 'light'],
  'phone-dark': [LESSON, 390, 844, 'dark'],
};

/** The picture of a page at rest. */
async function taken(browser, server, [link, width, height, colorScheme]) {
  const page = await openPage(browser, server, link,
    { width, height, colorScheme, reducedMotion: 'reduce' });
  try {
    if (await page.evaluate(() => document.documentElement.dataset.face === 'canvas')) {
      await page.until(() => document.documentElement.dataset.canvas === 'ready');
      await page.evaluate(() => document.querySelector('kv-seats').settled());
    }
    await page.until(() => 'set' in document.getElementById('words').dataset);
    await page.evaluate(() => document.fonts.ready.then(() => new Promise((resolve) => {
      requestAnimationFrame(() => requestAnimationFrame(resolve));
    })));
    return await page.shot();
  } finally {
    await page.close();
  }
}

/** @param {string} version of the browser @param {string} shots where a picture that differs is left
 * @param {boolean} store */
export async function storedTests(suite, browser, server, { version, shots, store }) {
  const same = existsSync(VERSION) && readFileSync(VERSION, 'utf8').trim() === version;
  for (const [name, how] of Object.entries(PICTURES)) {
    await suite.test(`stored picture: ${name}`, async () => {
      const now = await taken(browser, server, how);
      const file = path.join(FOLDER, `${name}.png`);
      if (store) {
        mkdirSync(FOLDER, { recursive: true });
        writeFileSync(file, now);
        return;
      }
      const share = difference(readFileSync(file), now, same ? 0 : undefined);
      if (share > (same ? 0 : MOST)) {
        mkdirSync(shots, { recursive: true });
        writeFileSync(path.join(shots, `differs-${name}.png`), now);
      }
      check(share <= (same ? 0 : MOST), `${(share * 100).toFixed(3)} % of the pixels differ from ${file}`);
    });
  }
  if (store) writeFileSync(VERSION, `${version}\n`);
}

/** Pictures that differ by a button must be told apart. */
export async function storedMustFail(suite, browser, server) {
  await suite.test('stored picture: a button less is a difference', async () => {
    const [link, ...size] = PICTURES['text-light'];
    const [one, other] = [await taken(browser, server, [link, ...size]),
      await taken(browser, server, [`${link}&tp=2`, ...size])];
    check(difference(one, other, 0) > 0, 'exactly');
    check(difference(one, other) > MOST, 'and beyond what another version may differ');
  });
}
