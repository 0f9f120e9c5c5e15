// Course tools, real ones: the snippet of the share dialog in a page of each, opened in Chromium.
// node run.mjs [--site FOLDER] [--only TEXT]
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startChromium } from '../browser/lib/browsers.mjs';
import { serve } from '../browser/lib/server.mjs';
import { Suite, check, equal, includes } from '../browser/lib/suite.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
};
const site = path.resolve(option('site', path.join(here, '../../build/site')));
const out = path.resolve(here, '../../build/course');
const suite = new Suite({ only: option('only', '') });
const LESSON = 'model=llama-3-8b&pool=53GB&prompt=8192&output=0';
// Debian's own interpreter has the tools; another one may come first in PATH.
const run = (cwd, command, ...args) => execFileSync(command, args, { cwd, encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, PATH: `/usr/bin:${process.env.PATH}` } });

// Modules of another address need its consent, as GitHub Pages and most static hosts give it.
const widget = await serve(site, { headers: { 'Access-Control-Allow-Origin': '*' } });
const browser = await startChromium();

/** "Embed in a page", as the share dialog gives it. */
async function sharedSnippet() {
  const page = await browser.open(widget.host);
  await page.goto(`${widget.url}#${LESSON}`);
  await page.until(() => document.documentElement.dataset.ready === 'form');
  await page.evaluate(() => document.getElementById('share').click());
  const text = await page.until(() => [...document.querySelectorAll('dialog.share textarea')]
    .find((field) => field.value.startsWith('<iframe'))?.value);
  await page.close();
  return text;
}

/** The examples with snippet and address put in. */
function fill(snippet) {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const name of readdirSync(here)) {
    if (!statSync(path.join(here, name)).isDirectory() || name === 'node_modules') continue;
    cpSync(path.join(here, name), path.join(out, name), { recursive: true });
  }
  const one = snippet.replaceAll('\n', ' ');
  for (const name of readdirSync(out, { recursive: true })) {
    const file = path.join(out, name);
    if (!statSync(file).isFile()) continue;
    // In a notebook the snippet stands within a string of JSON.
    const text = file.endsWith('.ipynb') ? JSON.stringify(one).slice(1, -1) : one;
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('{{EMBED}}', text)
      .replaceAll('{{SITE}}', widget.url));
  }
  return one;
}

const frameOf = (page) => page.raw.frames().find((frame) => frame.url().includes('embed.html'));

async function within(page, act, what) {
  const end = performance.now() + 40_000;
  for (;;) {
    const found = await frameOf(page)?.evaluate(act).catch(() => null);
    if (found) return found;
    if (performance.now() > end) throw new Error(`waited in vain for ${what}`);
    await page.raw.waitForTimeout(100);
  }
}

/** The answer in the frame, then the canvas after its button. */
async function works(page) {
  includes(await within(page, () => document.documentElement.dataset.ready === 'embed'
    && document.getElementById('answer').textContent, 'the frame'), '49');
  await within(page, () => { document.getElementById('open').click(); return true; }, 'the button');
  await within(page, () => document.querySelector('#stage canvas')?.width > 0 && globalThis.__draws > 0,
    'the canvas');
}

async function opened(address, act, { headers = {} } = {}) {
  const server = await serve(out, { headers,
    answer: (name) => (name === 'favicon.ico' ? { status: 204, body: '' } : undefined) });
  const page = await browser.open(server.host);
  try {
    await page.goto(server.url + address);
    await act(page);
    equal(page.errors, [], 'console');
  } finally {
    await page.close();
    await server.close();
  }
}

const snippet = await sharedSnippet();
const used = fill(snippet);

await suite.test('the snippet is a sandboxed frame', () => {
  includes(snippet, 'sandbox="allow-scripts');
  check(!snippet.includes('allow-same-origin'), snippet);
});

await suite.test('plain HTML: the element in running text, the frame below', () =>
  opened('plain/index.html', async (page) => {
    await page.until(() => document.querySelector('kv-seats').shadowRoot?.textContent.includes('49'));
    await works(page);
  }));

await suite.test('three questions: a wrong guess, then the right one', () =>
  opened('questions/index.html', async (page) => {
    await page.evaluate(() => {
      window.told = [];
      addEventListener('kvseats-answer', ({ target, detail }) =>
        window.told.push([target.id, detail.guess, detail.correct]));
    });
    const guesses = { token: ['512 KiB', '128 KiB'], seats: ['12', '49'], length: ['8k', '4,043'] };
    for (const [id, texts] of Object.entries(guesses)) {
      await page.until((name) => document.getElementById(name).dataset.state === 'question', id);
      for (const text of texts) {
        const told = await page.evaluate(([name, guess]) => {
          const root = document.getElementById(name).shadowRoot;
          root.querySelector('.question input').value = guess;
          root.querySelector('.question button').click();
          return window.told.at(-1);
        }, [id, text]);
        equal(told, [id, text, text === texts[1]]);
      }
      await page.until((name) => document.getElementById(name).dataset.state === 'ready', id,
        { what: `the answer of ${id}` });
    }
  }));

await suite.test('Sphinx', async () => {
  run(path.join(out, 'sphinx'), 'sphinx-build', '-q', '-W', '-b', 'html', '.', '_build');
  await opened('sphinx/_build/index.html', works);
});

await suite.test('MkDocs', async () => {
  run(path.join(out, 'mkdocs'), 'mkdocs', 'build', '-q', '-s', '-d', '_build');
  await opened('mkdocs/_build/index.html', works);
});

await suite.test('reveal.js: the slide with the frame', async () => {
  cpSync(path.join(here, 'node_modules/reveal.js/dist'), path.join(out, 'reveal/reveal.js/dist'),
    { recursive: true });
  await opened('reveal/index.html#/1', async (page) => {
    await works(page);
    // Keys go to the frame while it has the focus; afterwards they turn slides again.
    await page.evaluate(() => { document.activeElement.blur(); window.focus(); });
    await page.keyboard.press('ArrowLeft');
    await page.until(() => Reveal.getIndices().h === 0, null, { what: 'the slide before' });
  });
});

await suite.test('Jupyter: the exported page', async () => {
  run(path.join(out, 'jupyter'), 'jupyter', 'nbconvert', '--execute', '--to', 'html', 'lesson.ipynb');
  // Its own libraries come from elsewhere; what counts is that the frame does.
  const server = await serve(out);
  const page = await browser.open(server.host);
  try {
    await page.raw.goto(`${server.url}jupyter/lesson.html`, { waitUntil: 'domcontentloaded' });
    await works(page);
  } finally {
    await page.close();
    await server.close();
  }
});

await suite.test('Jupyter: live, after the cell has run', async () => {
  const port = 18_900 + process.pid % 1000;
  const notebook = spawn('/usr/bin/jupyter', ['notebook', '--no-browser', `--port=${port}`,
    '--NotebookApp.token=', '--NotebookApp.password=', '--allow-root'],
  { cwd: path.join(out, 'jupyter'), stdio: 'ignore',
    env: { ...process.env, PATH: `/usr/bin:${process.env.PATH}` } });
  const page = await browser.open(`127.0.0.1:${port}`);
  try {
    const end = performance.now() + 60_000;
    for (;;) {
      const there = await fetch(`http://127.0.0.1:${port}/api`).catch(() => null);
      if (there?.ok) break;
      check(performance.now() < end, 'the notebook server did not start');
      await page.raw.waitForTimeout(200);
    }
    await page.goto(`http://127.0.0.1:${port}/notebooks/lesson.ipynb`);
    await page.until(() => globalThis.Jupyter?.notebook?.kernel?.is_connected(), null,
      { what: 'the kernel', timeout: 60_000 });
    await page.evaluate(() => Jupyter.notebook.execute_all_cells());
    await works(page);
  } finally {
    await page.close();
    notebook.kill();
  }
});

await suite.test('a learning platform: its policy allows frames of one address only', () =>
  opened('lms/index.html', works, { headers: {
    'Content-Security-Policy': `default-src 'none'; style-src 'self' 'unsafe-inline'; frame-src ${
      new URL(widget.url).origin}` } }));

await suite.test('the examples hold the snippet as it was shared', () => {
  for (const file of ['plain/index.html', 'sphinx/index.rst', 'mkdocs/docs/index.md', 'lms/index.html']) {
    includes(readFileSync(path.join(out, file), 'utf8'), used, file);
  }
});

await browser.close();
await widget.close();
suite.finish();
process.exit();
