// The page: a link's fragment in, an answer out. The core computes, the form and the canvas edit,
// this file keeps them in step. State lives in the address, nowhere else.
import { load, KvSeatsError } from './kvseats.js';
import { byId, h, markScrolling, picture, table } from './dom.js';

const QUIET = 600;          // ms after the last change before the answer is read out
const ADDRESS_PAUSE = 300;  // ms between two changes of the address while something is dragged
const NARROW = matchMedia('(max-width: 699px)');
const LENGTHS = ['2k', '4k', '8k', '16k', '32k', '128k'];
const ROOT = document.documentElement;

const state = {
  /** @type {import('./kvseats.js').KvSeats} */ kv: null,
  link: '',        // canonical text, with page keys and unknown ones
  page: null,      // the last answer that was one
  form: null,
  canvas: null,    // the <kv-seats> on the stage
  wanted: 'auto',  // 'canvas' when the person asked for it on a narrow screen
};

// ---- address ------------------------------------------------------------------------------------

const address = {
  timer: 0,
  base: null,  // the link before what is being dragged or typed
  read: () => location.hash.slice(1),
  target: (link) => (link ? `#${link}` : location.pathname + location.search),
  /** Discrete acts add an entry. What is dragged or typed replaces it, at most every so often; its
   * end puts the old entry back and adds one, so that Back undoes the whole gesture. */
  write(link, live) {
    if (live) {
      this.base ??= this.read();
      this.pending = link;
      this.timer ||= setTimeout(() => this.replace(), ADDRESS_PAUSE);
      return;
    }
    clearTimeout(this.timer);
    this.timer = 0;
    if (this.base !== null) history.replaceState(null, '', this.target(this.base));
    this.base = null;
    if (this.read() !== link) history.pushState(null, '', this.target(link));
  },
  replace() {
    this.timer = 0;
    history.replaceState(null, '', this.target(this.pending));
  },
};

// ---- one change ---------------------------------------------------------------------------------

/** Shows a link's answer. Bad input leaves the last good state and says what is wrong.
 * @param {{from: 'address' | 'form' | 'canvas' | 'page', live?: boolean}} how */
function show(link, { from, live = false }) {
  let page;
  try {
    page = state.kv.page(link, chartOptions());
  } catch (trouble) {
    fail(trouble);
    return false;
  }
  showDiagnostics(page.report.diagnostics);
  if (!page.ok) {
    if (!state.page) showEmpty(page);
    return false;
  }
  Object.assign(state, { link: page.link, page });
  render(page, live);
  state.form?.show(page);
  if (from !== 'canvas' && state.canvas) state.canvas.query = page.link;
  if (from !== 'address') address.write(page.link, live);
  return true;
}

/** From the form, a chip, a file: one key. Returns what is wrong, or null. */
function edit({ key, value, index, live }) {
  let edited;
  try {
    edited = state.kv.edit(state.link, key, value, index);
  } catch (trouble) {
    fail(trouble);
    return null;
  }
  if (!edited.ok) return edited.diagnostics[0];
  if (show(edited.link, { from: 'form', live })) return null;
  // The value is well-formed but leaves no answer: say so at the field, keep the last good state.
  const page = state.kv.page(edited.link, { charts: '' });
  const trouble = page.report.diagnostics.find(({ severity }) => severity === 'error');
  showDiagnostics(state.page.report.diagnostics);
  return trouble ?? { text: 'That leaves no answer.', remedy: '' };
}

/** Several keys at once, as the chips do. */
function editAll(pairs) {
  let { link } = state;
  for (const [key, value] of pairs) link = state.kv.edit(link, key, value).link;
  show(link, { from: 'form' });
}

// ---- showing ------------------------------------------------------------------------------------

function chartOptions() {
  const box = byId('tradeoff').getBoundingClientRect();
  const width = Math.round(Math.max(280, Math.min(box.width || innerWidth - 32, 1100)));
  return { width, height: Math.round(Math.min(560, Math.max(300, width * 0.62))),
    unit: state.page?.page.unit };
}

function sentence(spans) {
  return spans.map(({ text, strong }) => (strong ? h('b', {}, text) : text));
}

let announcement = 0;

function render(page, live) {
  byId('answer').replaceChildren(...sentence(page.sentence));
  clearTimeout(announcement);
  const text = page.sentence.map((span) => span.text).join('');
  announcement = setTimeout(() => { byId('status').textContent = text; }, QUIET);
  document.title = `${page.figures[0].value} ${page.figures[0].unit} · KV Seats`;

  byId('figures').replaceChildren(
    ...page.figures.map(({ question, value, unit }) => h('div', { class: 'figure' },
      h('h2', {}, question), h('p', {}, h('strong', {}, value), ' ', h('span', {}, unit)))),
    h('div', { class: 'notes' }, ...page.notes.map((note) => h('p', {}, note)),
      ...(page.lever ? [h('p', { class: 'lever' }, page.lever)] : [])));
  if (posterShown()) drawPoster(page);
  // Tables are many elements: they follow at rest, not on every step of a drag.
  if (!live) showTables(page);
  else later(() => showTables(state.page));
  ROOT.dataset.answer = page.report.query;
}

let waiting = 0;
function later(act) {
  clearTimeout(waiting);
  waiting = setTimeout(act, 120);
}

const posterShown = () => ROOT.dataset.face !== 'canvas' || state.canvas?.dataset.state !== 'ready';

/** The inputs in words; the build wrote those of the default answer. */
function drawInputs(page) {
  if (!state.form) return;
  byId('inputs').replaceChildren(...state.form.words(page)
    .flatMap(([label, text]) => [h('dt', {}, label), h('dd', {}, text)]));
}

function drawPoster(page) {
  const { memory, tradeoff } = page.charts;
  const fields = state.kv.fields(page.link);
  drawInputs(page);
  byId('memory').replaceChildren(picture(memory.svg),
    h('figcaption', { class: 'unseen' }, memory.text));
  byId('tradeoff').replaceChildren(picture(tradeoff.svg),
    h('figcaption', { class: 'unseen' }, tradeoff.text));
  const now = fields.find(({ key }) => key === 'context')?.values[0];
  for (const chip of byId('lengths').children) {
    chip.setAttribute('aria-pressed', String(chip.value === now));
  }
}

function showTables(page) {
  clearTimeout(waiting);
  const { tradeoff } = page.charts;
  const parts = page.tables.map(({ id, title, table: data }) => (id === 'ledger'
    ? h('details', { id: `table-${id}`, open: byId('table-ledger')?.open },
      h('summary', {}, title), table(data, title))
    : h('section', { id: `table-${id}` }, h('h3', {}, title), table(data, title))));
  const curve = h('section', { id: 'table-tradeoff' }, h('h3', {}, 'The curve'),
    h('p', {}, tradeoff.text), table(tradeoff.table, 'The curve'));
  parts.splice(3, 0, curve);
  byId('tables').replaceChildren(...parts);
  markScrolling(byId('tables'));
}

function showDiagnostics(list) {
  const items = list.map(({ severity, text, remedy, where }) => h('li', { class: severity },
    h('b', {}, { error: 'Not used. ', warning: 'Note. ', note: '' }[severity] ?? ''),
    [where && severity === 'error' ? `${where}: ` : '', text, remedy].filter(Boolean)
      .map((part) => (/[.:!?] ?$/.test(part) ? part : `${part}.`)).join(' ')));
  byId('diagnostics').replaceChildren(...items);
  byId('diagnostics').hidden = items.length === 0;
}

/** Nothing good has been shown yet, and the link leaves no answer: begin with the defaults. */
function showEmpty(page) {
  const problems = page.report.diagnostics;
  show('', { from: 'address' });
  showDiagnostics([...problems, ...state.page.report.diagnostics]);
}

// ---- trouble ------------------------------------------------------------------------------------

/** Says what went wrong and offers a way on; what is on the page stays. */
function fail(trouble, retry = () => location.reload()) {
  const known = trouble instanceof KvSeatsError;
  if (!known) console.error(trouble);
  const text = known ? trouble.message : 'Something went wrong in this page.';
  byId('trouble').replaceChildren(text, ' ',
    h('button', { type: 'button', click: () => { byId('trouble').hidden = true; retry(); } },
      'Try again'));
  byId('trouble').hidden = false;
  ROOT.dataset.error = known ? trouble.code : 'E-PAGE';
}

// ---- canvas -------------------------------------------------------------------------------------

/** Why the canvas does not come by itself; empty: it does. */
function withoutCanvas() {
  if (!('WebGL2RenderingContext' in window)) return 'webgl';
  if (state.wanted === 'canvas') return '';
  if (NARROW.matches) return 'narrow';
  if (navigator.connection?.saveData || matchMedia('(prefers-reduced-data: reduce)').matches) {
    return 'data';
  }
  if (matchMedia('(forced-colors: active)').matches) return 'colours';
  return state.page?.page.view === 'form' ? 'view' : '';
}

function setFace() {
  const reason = state.noCanvas || withoutCanvas();
  const face = reason ? 'text' : 'canvas';
  if (ROOT.dataset.face !== face) {
    ROOT.dataset.face = face;
    if (state.page) drawPoster(state.page);
  }
  const hopeless = ['webgl', 'E-NO-WEBGL2', 'E-NO-WASM', 'E-WASM'].includes(reason);
  byId('bring').hidden = !reason || hopeless || !state.page;
  byId('lengths').hidden = !state.page || face === 'canvas';
  byId('poster').inert = face === 'canvas' && ROOT.dataset.canvas === 'ready';
  return face;
}

async function bringCanvas() {
  if (setFace() !== 'canvas' || state.canvas) return;
  try {
    await import('./define.js');
  } catch (cause) {
    console.error(cause);
    canvasFailed({ code: 'E-DOWNLOAD', text: 'The interactive plot did not arrive.' });
    return;
  }
  const canvas = h('kv-seats', { query: state.link, theme: byId('theme').value, 'aria-label':
    'Interactive calculator. The same inputs and results are in the text view below it.' });
  state.canvas = canvas;
  canvas.addEventListener('kvseats-change', ({ detail }) => {
    show(detail.query, { from: 'canvas', live: detail.dragging });
  });
  canvas.addEventListener('kvseats-announce', ({ detail }) => {
    byId('status').textContent = detail.text;
  });
  canvas.addEventListener('kvseats-height', ({ detail }) => {
    byId('stage').style.setProperty('--content', `${Math.min(detail.height, 3000)}px`);
  });
  canvas.addEventListener('kvseats-ready', () => {
    ROOT.dataset.canvas = 'ready';
    setFace();
  });
  canvas.addEventListener('kvseats-error', (event) => {
    if (event.detail.recoverable) return;
    event.preventDefault();
    canvasFailed(event.detail);
  });
  byId('stage').append(canvas);
}

/** The text face takes over, with one sentence why. */
function canvasFailed({ code, text }) {
  state.canvas?.remove();
  state.canvas = null;
  state.noCanvas = code;
  delete ROOT.dataset.canvas;
  ROOT.dataset.canvasError = code;
  setFace();
  if (state.page) drawPoster(state.page);
  byId('stage').append(h('p', { class: 'note', id: 'why' },
    `${text} Everything works here all the same: the form has every input, the tables every result.`));
}

// ---- page controls ------------------------------------------------------------------------------

function toTextView(event) {
  event?.preventDefault();
  const text = byId('text');
  text.focus({ preventScroll: true });
  text.scrollIntoView({ behavior: 'auto', block: 'start' });
}

const THEMES = ['auto', 'light', 'dark'];
const stored = {
  get theme() { try { return localStorage.getItem('kvseats-theme'); } catch { return null; } },
  set theme(name) { try { localStorage.setItem('kvseats-theme', name); } catch { /* none kept */ } },
};

function setTheme(name) {
  const theme = THEMES.includes(name) ? name : 'auto';
  if (theme === 'auto') delete ROOT.dataset.theme;
  else ROOT.dataset.theme = theme;
  const button = byId('theme');
  button.textContent = { auto: 'Auto', light: 'Light', dark: 'Dark' }[theme];
  button.setAttribute('aria-label', `Theme: ${theme}`);
  button.value = theme;
  if (state.canvas) state.canvas.theme = theme;
}

const pinnedLink = () => {
  const url = new URL(location.href);
  url.hash = state.page.report.pinned_query;
  return url.href;
};

function wireControls() {
  for (const id of ['copy', 'share', 'theme']) byId(id).hidden = false;
  byId('theme').addEventListener('click', () => {
    const next = THEMES[(THEMES.indexOf(byId('theme').value) + 1) % THEMES.length];
    stored.theme = next;
    setTheme(next);
  });
  const dialogs = () => import('./share.js');
  byId('copy').addEventListener('click', async () => {
    const { copyText } = await dialogs();
    const done = await copyText(pinnedLink());
    byId('status').textContent = done ? 'Link copied.' : 'The link could not be copied.';
    byId('copy').textContent = done ? 'Copied' : 'Copy link';
    setTimeout(() => { byId('copy').textContent = 'Copy link'; }, 1500);
  });
  byId('share').addEventListener('click', async () => {
    (await dialogs()).openShare(state.page, pinnedLink());
  });
  byId('to-text').addEventListener('click', toTextView);
  document.querySelector('.skip').addEventListener('click', toTextView);
  byId('lengths').replaceChildren(...LENGTHS.map((length) => h('button', { type: 'button',
    value: length, 'aria-pressed': 'false',
    click: () => editAll([['prompt', ''], ['output', ''], ['context', length]]) }, length)));
  byId('bring').firstElementChild.addEventListener('click', () => {
    Object.assign(state, { wanted: 'canvas', noCanvas: '' });
    byId('why')?.remove();
    bringCanvas();
  });
}

async function importFile(file) {
  try {
    const taken = await state.kv.importConfig(new Uint8Array(await file.arrayBuffer()),
      { name: file.name, link: state.link });
    if (!taken.ok) {
      showDiagnostics(taken.diagnostics);
      byId('diagnostics').scrollIntoView({ block: 'nearest' });
      return;
    }
    show(taken.link, { from: 'form' });
    showDiagnostics([...taken.diagnostics, ...state.page.report.diagnostics]);
  } catch (trouble) {
    fail(trouble);
  }
}

function wireFiles() {
  byId('form').addEventListener('file', ({ detail }) => importFile(detail));
  addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  });
  addEventListener('drop', (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file || event.defaultPrevented) return;
    event.preventDefault();
    importFile(file);
  });
  addEventListener('paste', (event) => {
    if (event.defaultPrevented || event.target.closest?.('input, textarea, select')) return;
    const file = event.clipboardData?.files[0];
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (file) importFile(file);
    else if (text.trimStart().startsWith('{')) {
      importFile(new File([text], 'config.json', { type: 'application/json' }));
    }
  });
}

/** Charts are drawn for the width they have. */
function watchSize() {
  let width = 0;
  new ResizeObserver(([entry]) => {
    const now = Math.round(entry.contentRect.width);
    if (now === width || !state.page || !posterShown()) return;
    width = now;
    requestAnimationFrame(() => {
      state.page = state.kv.page(state.link, chartOptions());
      drawPoster(state.page);
    });
  }).observe(byId('tradeoff'));
  NARROW.addEventListener('change', bringCanvas);
}

// ---- start --------------------------------------------------------------------------------------

async function makeForm(forming) {
  try {
    const { Form } = await forming;
    state.form = new Form(byId('form'), state.kv, edit);
  } catch (cause) {
    console.error(cause);
    fail(new KvSeatsError({ code: 'E-DOWNLOAD', text: 'The form did not arrive.',
      remedy: 'Check the connection.' }));
    return;
  }
  state.form.show(state.page);
  drawInputs(state.page);
  ROOT.dataset.ready = 'form';
}

async function start() {
  setTheme(stored.theme);
  setFace();
  const loading = load();
  const forming = import('./form.js');  // wanted right after the first answer
  forming.catch(() => {});
  try {
    state.kv = await loading;
  } catch (trouble) {
    state.noCanvas = trouble.code ?? 'E-START';
    setFace();
    fail(trouble, () => { state.noCanvas = ''; start(); });
    return;
  }
  wireControls();
  wireFiles();
  show(address.read(), { from: 'address' });
  if (!state.page) return;  // said by show()
  performance.mark('kvseats-answer');
  if (state.page.page.theme) setTheme(state.page.page.theme);
  setFace();
  watchSize();
  const restore = () => {
    if (address.read() !== state.link) show(address.read(), { from: 'address' });
  };
  addEventListener('popstate', restore);
  addEventListener('hashchange', restore);
  await makeForm(forming);
  // The answer is there; what may take longer comes now.
  requestAnimationFrame(() => setTimeout(bringCanvas));
}

start();
