// axe-core finds nothing: page, dialogs, element and embed in light, dark and forced colours. Chromium.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { equal } from './lib/suite.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const SURROUNDINGS = { light: { colorScheme: 'light' }, dark: { colorScheme: 'dark' },
  'forced colours': { colorScheme: 'dark', forcedColors: 'active' } };

/** All is there, and what is off the screen is set too. */
const ready = (page) => page.until(() => document.documentElement.dataset.ready
  && !document.querySelector('#words:not([data-set])'));
const opened = (page) => page.until(() => document.querySelector('dialog[open], [role=option]') !== null);

/** What is looked at: address, and how to get there. */
const PLACES = {
  'the page': ['#service=chat:1000+500x100', ready],
  'the page with its canvas': ['', async (page) => {
    await ready(page);
    if (await page.evaluate(() => document.documentElement.dataset.face === 'canvas')) {
      await page.until(() => document.documentElement.dataset.canvas === 'ready');
    }
  }],
  'a list of models': ['#view=form', async (page) => {
    await ready(page);
    await page.evaluate(() => document.getElementById('in-model').click());
    await opened(page);
  }],
  'the share dialog': ['#view=form', async (page) => {
    await ready(page);
    await page.evaluate(() => document.getElementById('share').click());
    await opened(page);
  }],
  'what was read of a file': ['#view=form', async (page) => {
    await ready(page);
    await page.evaluate(() => {
      document.getElementById('in-config').value = JSON.stringify({ model_type: 'llama',
        num_hidden_layers: 10, hidden_size: 1024, num_attention_heads: 16, num_key_value_heads: 4 });
      document.querySelector('#more-paste button').click();
    });
    await opened(page);
  }],
  'a question': ['#question=How%20many%3F&answer=concurrency.requests&lock=model', async (page) => {
    await ready(page);
    await page.until(() => document.querySelector('.question') !== null);
  }],
  'two elements': ['two.html', async (page) => {
    await page.until(() => document.getElementById('one').dataset.state === 'ready', null,
      { timeout: 40_000 });
  }],
  'the embed': ['embed.html#users=5', ready],
};

const brief = ({ id, nodes }) => `${id}: ${nodes.slice(0, 4).map(({ target, any }) =>
  `${target.join(' ')} ${any[0]?.message ?? ''}`).join(' | ')}`;

export async function axeTests(suite, browser, server) {
  for (const [what, options] of Object.entries(SURROUNDINGS)) {
    for (const [place, [address, get]] of Object.entries(PLACES)) {
      await suite.test(`axe: ${place}, ${what}`, async () => {
        const page = await browser.open(server.host, { width: 1000, height: 900, ...options });
        try {
          await page.goto(server.url + address);
          await get(page);
          await page.raw.evaluate(AXE);
          const { violations } = await page.evaluate(() =>
            globalThis.axe.run(document, { resultTypes: ['violations'] }));
          equal(violations.map(brief), []);
        } finally {
          await page.close();
        }
      });
    }
  }
}
