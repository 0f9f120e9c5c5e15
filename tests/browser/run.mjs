// Real browsers on the built site: node run.mjs [--site FOLDER] [--only TEXT] [--skip firefox] [--cycles N]
// `--only` takes the tests whose name holds the text (several with `|` between), `--list` says their names, `--skip` leaves browsers out: chromium,nogl,…;
// `--store` keeps the stored pictures as they are now; `--cycles`: how many elements come and go in the test of memory.
// Run it under Xvfb (./dev test does): Firefox has WebGL2 only in a window.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChromium, startFirefox } from './lib/browsers.mjs';
import { serve } from './lib/server.mjs';
import { Suite } from './lib/suite.mjs';
import { pageTests } from './page_tests.mjs';
import { wideTests } from './wide_tests.mjs';
import { canvasTests, canvasMustFail, withoutGraphics } from './canvas_tests.mjs';
import { elementTests, ELEMENT_PAGES } from './element_tests.mjs';
import { fileTests, inputTests } from './input_tests.mjs';
import { formTests } from './form_tests.mjs';
import { embedTests, EMBED_PAGES } from './embed_tests.mjs';
import { exploreTests, EXPLORE_PAGES } from './explore_tests.mjs';
import { hubTests } from './hub_tests.mjs';
import { offlineTests } from './offline_tests.mjs';
import { flowTests, strictTests, STRICT_PAGES } from './flow_tests.mjs';
import { axeTests } from './axe_tests.mjs';
import { MEMORY_PAGES, memoryTests } from './memory_tests.mjs';
import { faultsMustFail, faultTests } from './fault_tests.mjs';
import { memoryFaultTests } from './memory_faults.mjs';
import { nodeTests } from './node_tests.mjs';
import { screenshots } from './screenshots.mjs';
import { storedMustFail, storedTests } from './stored_tests.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const option = (name, fallback = '') => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
};
const root = path.resolve(option('site', path.join(here, '../../build/site')));
const shots = path.resolve(option('shots', path.join(here, '../../build/screenshots')));
const skip = option('skip');
const suite = new Suite({ only: option('only'), list: process.argv.includes('--list') });

if (!existsSync(path.join(root, 'index.html'))) {
  console.log(`There is no site in ${root}: run ./dev web first.`);
  process.exit(1);
}
const server = await serve(root, { pages: { ...ELEMENT_PAGES, ...EMBED_PAGES, ...MEMORY_PAGES,
  ...EXPLORE_PAGES } });

/** One browser, one list of tests; a browser that does not start is one failure, not the end. */
async function using(name, start, act) {
  if (skip.split(',').includes(name)) return;
  console.log(name);
  let browser;
  try {
    browser = await start();
    await act(browser);
  } catch (error) {
    await suite.test(`${name} runs`, () => { throw error; });
  } finally {
    await browser?.close().catch(() => {});
  }
}

await using('node', () => ({ close: async () => {} }), async () => {
  await inputTests(suite);
  await fileTests(suite);
  await nodeTests(suite, root);
});
await using('chromium', () => startChromium(), async (browser) => {
  await pageTests(suite, browser, server);
  await formTests(suite, browser, server);
  await exploreTests(suite, browser, server);
  await wideTests(suite, browser, root);
  await hubTests(suite, browser, root);
  await offlineTests(suite, browser, root);
  await flowTests(suite, browser, server);
  await strictTests(suite, browser, serve, root, STRICT_PAGES);
  await canvasTests(suite, browser, server);
  await faultTests(suite, browser, server);
  await faultsMustFail(suite, browser, server);
  await memoryFaultTests(suite, browser, root);
  await elementTests(suite, browser, server);
  await memoryTests(suite, browser, server, Number(option('cycles', '24')));
  await embedTests(suite, browser, server);
  await axeTests(suite, browser, server);
  await screenshots(suite, browser, server, shots);
  await storedTests(suite, browser, server,
    { version: browser.version, shots, store: process.argv.includes('--store') });
  await storedMustFail(suite, browser, server);
});
await using('nogl', () => startChromium({ gl: false }), async (browser) => {
  await withoutGraphics(suite, browser, server);
  await canvasMustFail(suite, browser, server);
});
await using('firefox', () => startFirefox(), async (browser) => {
  await pageTests(suite, browser, server);
  await formTests(suite, browser, server);
  await exploreTests(suite, browser, server);
  await hubTests(suite, browser, root);
  await offlineTests(suite, browser, root);
  await flowTests(suite, browser, server);
  await strictTests(suite, browser, serve, root, STRICT_PAGES);
  await canvasTests(suite, browser, server);
  await elementTests(suite, browser, server);
  await embedTests(suite, browser, server);
});
await using('headless', () => startFirefox({ headless: true }), async (browser) => {
  await pageTests(suite, browser, server);
  await withoutGraphics(suite, browser, server);
});

await server.close();
suite.finish();
process.exit();
