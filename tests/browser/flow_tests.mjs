// The whole of "load a model, set 32k, read the answer, raise the users until it no longer fits, copy
// the link", three times: by keyboard alone, by touch alone, by roles and names alone.
import { check, equal, includes } from './lib/suite.mjs';
import { answered, openPage, quiet } from './page_tests.mjs';

const MOST_TABS = 250;

/** What a screen reader would say of the element that has the focus. */
const focused = (page) => page.evaluate(() => {
  const { activeElement: element } = document;
  const label = element.labels?.[0]?.textContent ?? element.getAttribute('aria-label')
    ?? element.textContent;
  return { id: element.id, label: label.trim(), value: element.value ?? '' };
});

/** Tab until the control of a label has the focus. */
async function tabTo(page, label) {
  for (let i = 0; i < MOST_TABS; i += 1) {
    const now = await focused(page);
    if (now.label === label || now.label.startsWith(`${label} `)) return now;
    await page.keyboard.press('Tab');
  }
  throw new Error(`no ${label} within ${MOST_TABS} steps of Tab`);
}

const sentence = (page) => page.evaluate(() => document.getElementById('answer').textContent);

async function replace(page, text) {
  await page.keyboard.down('Control');
  await page.keyboard.press('a');
  await page.keyboard.up('Control');
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}

async function byKeyboard(page) {
  await page.keyboard.press('Tab');  // the first stop leads to the text view
  await page.keyboard.press('Enter');
  await tabTo(page, 'Model');
  await replace(page, 'qwen3 8b');
  await answered(page, 'Qwen3 8B');
  await tabTo(page, 'Prompt');
  await replace(page, '32k');
  await page.until(() => /prompt=(32k|32768)/.test(location.hash), null, { what: 'the prompt' });
  includes(await sentence(page), 'tokens');
  const fits = await usersUntilFull(page, async (users) => {
    await tabTo(page, 'Requests wanted at once');
    await replace(page, users);
  });
  check(fits >= 1, `${fits} fitted`);
  await page.evaluate(() => document.querySelector('.skip').focus());
  await tabTo(page, 'Copy link');
  await page.keyboard.press('Enter');
  includes(await page.until(() => window.copied, null, { what: 'the link' }), 'users=');
}

/** Doubles the users until the sentence says that it is too much; the last number that fitted. */
async function usersUntilFull(page, set) {
  for (let users = 1; users <= 4096; users *= 2) {
    await set(String(users));
    await page.until((wanted) => location.hash.includes(`users=${wanted}`), users,
      { what: `${users} users` });
    const enough = await page.evaluate(() =>
      document.getElementById('tables').textContent && document.documentElement.dataset.answer);
    check(enough, 'an answer');
    const { fits } = await page.evaluate(async (link) => {
      const { load } = await import(document.querySelector('link[rel=modulepreload]').href);
      return (await load()).evaluate(link).verdict;
    }, await page.fragment());
    const text = await sentence(page);
    if (!fits) {
      check(!/enough for/.test(text), text);
      return users / 2;
    }
  }
  throw new Error('4,096 users still fit');
}

async function byTouch(page) {
  const tap = async (selector) => {
    await page.evaluate((css) => document.querySelector(css)
      .scrollIntoView({ block: 'center', behavior: 'instant' }), selector);
    await page.still(selector);
    const box = await page.box(selector);
    await page.raw.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  };
  await tap('#in-model');
  await page.until(() => !document.getElementById('in-model-list').hidden);
  await tap('#in-model-list [role=option]');
  await page.until(() => location.hash.includes('model='), null, { what: 'a model' });
  await tap('#lengths button[value="32k"]');
  await answered(page, '32,768');
  const fits = await usersUntilFull(page, async (users) => {
    await tap('#in-users');
    await replace(page, users);  // the keys of the phone's own keyboard
  });
  check(fits >= 1, `${fits} fitted`);
  // Below the top only the sentence of the strip stays on screen.
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await tap('#share');  // a phone's strip has one button for both
  await page.until(() => document.querySelector('dialog.share') !== null);
  await tap('dialog.share section button');
  includes(await page.until(() => window.copied, null, { what: 'the link' }), 'users=');
}

/** Chromium's own accessibility tree: nothing is found but by role and name. */
async function byNames(page) {
  const raw = page.raw;
  await raw.getByRole('combobox', { name: 'Model', exact: true }).fill('qwen3 8b');
  await raw.getByRole('option', { name: /^Qwen3 8B/ }).first().click();
  await raw.getByRole('textbox', { name: 'Prompt', exact: true }).fill('32k');
  await raw.getByRole('textbox', { name: 'Prompt', exact: true }).press('Enter');
  await page.until(() => /prompt=(32k|32768)/.test(location.hash), null, { what: 'the prompt' });
  const fits = await usersUntilFull(page, async (users) => {
    await raw.getByRole('textbox', { name: 'Requests wanted at once', exact: true }).fill(users);
    await raw.getByRole('textbox', { name: 'Requests wanted at once', exact: true }).press('Enter');
  });
  check(fits >= 1, `${fits} fitted`);
  const spoken = await raw.locator('output').innerText();
  includes(spoken, 'Qwen3 8B');
  check(await raw.getByRole('table').count() >= 3, 'tables');
  await raw.getByRole('button', { name: 'Copy link' }).click();
  includes(await page.until(() => window.copied, null, { what: 'the link' }), 'users=');
}

export async function flowTests(suite, browser, server) {
  const test = (name, act, options = {}) => suite.test(`${browser.name}: the whole way ${name}`, async () => {
    const page = await openPage(browser, server, '', options);
    try {
      await page.evaluate(() => {
        navigator.clipboard.writeText = async (text) => { window.copied = text; };
      });
      await act(page);
      quiet(page);
    } finally {
      await page.close();
    }
  }, { timeout: 120_000 });
  await test('by keyboard alone', byKeyboard);
  if (browser.name !== 'chromium') return;
  await test('by touch alone', byTouch, { width: 390, height: 844, hasTouch: true, isMobile: true });
  await test('by roles and names alone', byNames);
}

const STRICT = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
  + "img-src 'self' data:; connect-src 'self'";

/** Under the policy of a host that allows next to nothing: page and element. */
export async function strictTests(suite, browser, serve, root, pages) {
  for (const [name, file] of [['the page', ''], ['the element', 'strict.html']]) {
    await suite.test(`${browser.name}: ${name} works under a strict policy`, async () => {
      const server = await serve(root, { pages, headers: { 'Content-Security-Policy': STRICT } });
      const page = await browser.open(server.host);
      try {
        await page.goto(server.url + file);
        await page.until(() => document.querySelector('kv-seats')?.dataset.state === 'ready', null,
          { what: 'the canvas', timeout: 40_000 });
        // The fonts of the page's own style come from here too, but this policy names no fonts.
        equal(page.errors.filter((text) => !/font/i.test(text)), [], 'console');
        equal(page.foreign, []);
      } finally {
        await page.close();
        await server.close();
      }
    });
  }
}

export const STRICT_PAGES = {
  'strict.html': `<!doctype html><html lang="en"><meta charset="utf-8"><title>Strict</title>
<link rel="icon" href="data:,"><script type="module" src="define.js"></script>
<kv-seats query="model=llama-3-8b&amp;pool=53GB">As text</kv-seats>`,
};
