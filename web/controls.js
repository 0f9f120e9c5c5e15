// The buttons of the strip, the lengths under the figure, and what the page notices by itself: the
// size of the figure, files that are dropped or pasted.
import { author } from './author.js';
import { byId, h } from './dom.js';
import { KvSeatsError } from './kvseats.js';

const ROOT = document.documentElement;
const LENGTHS = ['2k', '4k', '8k', '16k', '32k', '128k'];
const THEMES = ['auto', 'light', 'dark'];
const DONE_FOR = 1500;  // ms that a button says what it did

function keep(theme) {
  try { localStorage.setItem('kvseats-theme', theme); } catch { /* none is kept */ }
}

/** @returns {{show: () => void}} */
export function makeControls(app) {
  for (const id of ['copy', 'share', 'theme']) byId(id).hidden = false;
  for (const type of ['error', 'unhandledrejection']) addEventListener(type, (event) => uncaught(app, event));
  wireTheme(app);
  wireSharing(app);
  for (const link of document.querySelectorAll('.skip, #to-text')) {
    link.addEventListener('click', toTextView);
  }
  wireFiles(app);
  watchSize(app);
  // The canvas does not print: what stands under it says what it says now.
  addEventListener('beforeprint', () => [...app.drawing()]);
  makeLengths(app);
  if (app.page.page.question) askQuestion(app);
  const show = () => showLengths(app);
  show();
  return { show };
}

function toTextView(event) {
  event.preventDefault();
  byId('text').focus({ preventScroll: true });
  byId('text').scrollIntoView({ behavior: 'auto', block: 'start' });
}

function wireTheme(app) {
  const button = byId('theme');
  const set = (name) => {
    const theme = THEMES.includes(name) ? name : 'auto';
    if (theme === 'auto') delete ROOT.dataset.theme;
    else ROOT.dataset.theme = theme;
    button.textContent = { auto: 'Auto', light: 'Light', dark: 'Dark' }[theme];
    button.setAttribute('aria-label', `Theme: ${theme}`);
    app.stage?.theme(theme);
  };
  set(app.page.page.theme || ROOT.dataset.theme);
  button.addEventListener('click', () => {
    const next = THEMES[(THEMES.indexOf(ROOT.dataset.theme ?? 'auto') + 1) % THEMES.length];
    keep(next);
    set(next);
  });
}

function pinnedLink(app) {
  const url = new URL(location.href);
  url.hash = app.page.share;
  return url.href;
}

function wireSharing(app) {
  const dialogs = () => import('./share.js');
  const copy = byId('copy');
  copy.addEventListener('click', async () => {
    const done = await (await dialogs()).copyText(pinnedLink(app));
    app.say(done ? 'Link copied.' : 'The link could not be copied.');
    copy.textContent = done ? 'Copied' : 'Copy link';
    setTimeout(() => { copy.textContent = 'Copy link'; }, DONE_FOR);
  });
  byId('share').addEventListener('click', async () => {
    (await dialogs()).openShare(app, pinnedLink(app));
  });
}

/** One length instead of prompt and answer; the core splits it. */
function makeLengths(app) {
  byId('lengths').replaceChildren(...LENGTHS.map((length) => h('button', { type: 'button',
    value: length, 'aria-pressed': 'false', click: () => {
      let { link } = app;
      for (const [key, value] of [['prompt', ''], ['output', ''], ['context', length]]) {
        link = app.kv.edit(link, key, value).link;
      }
      app.show(link, { from: 'form' });
    } }, length)));
}

function showLengths(app) {
  const wish = author(app.page.page);
  const offered = ['prompt', 'output', 'context'].every((key) => !wish.locks(key));
  byId('lengths').toggleAttribute('data-unwanted', !offered || wish.hidesPart('tradeoff'));
  const now = app.kv.fields(app.link).find(({ key }) => key === 'context')?.values[0];
  for (const chip of byId('lengths').children) {
    chip.setAttribute('aria-pressed', String(chip.value === now));
  }
}

/** The core stopped while a button was being answered that expects no such thing. */
function uncaught(app, event) {
  const trouble = event.error ?? event.reason;
  if (!(trouble instanceof KvSeatsError)) return;
  event.preventDefault();
  app.fail(trouble);
}

/** The card stands above the inputs; app.js keeps the answers back until it says so. */
async function askQuestion(app) {
  const { makeQuestion } = await import('./question.js');
  byId('stage').before(makeQuestion(app, document.documentElement, () => app.reveal()));
}

/** Files dropped or pasted anywhere on the page; those that the form opens come the same way. */
function wireFiles(app) {
  const take = async (...files) => {
    try {
      const log = files.find(({ name }) => name.endsWith('.log'));
      if (log) (await import('./check.js')).takeLog(app, log);
      else (await import('./files.js')).takeFiles(app, files);
    } catch (trouble) {
      app.fail(trouble);
    }
  };
  byId('form').addEventListener('file', ({ detail }) => take(...detail));
  byId('form').addEventListener('log', () => import('./check.js').then(
    ({ openCheck }) => openCheck(app), (trouble) => app.fail(trouble)));
  addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  });
  addEventListener('drop', (event) => {
    const files = [...event.dataTransfer?.files ?? []];
    if (!files.length || event.defaultPrevented) return;
    event.preventDefault();
    take(...files);
  });
  addEventListener('paste', (event) => {
    if (event.defaultPrevented || event.target.closest?.('input, textarea, select')) return;
    const file = event.clipboardData?.files[0];
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (file) take(file);
    else if (text.trimStart().startsWith('{')) {
      take(new File([text], 'config.json', { type: 'application/json' }));
    }
  });
}

/** Charts are drawn for the width they have. */
function watchSize(app) {
  let width = 0;
  new ResizeObserver(([entry]) => {
    const now = Math.round(entry.contentRect.width);
    const first = width === 0;
    if (now === width || !app.posterShown()) return;
    width = now;
    if (!first) requestAnimationFrame(() => app.redraw());
  }).observe(byId('tradeoff'));
}
