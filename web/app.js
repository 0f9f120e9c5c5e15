// The page up to its first answer: a link's fragment in, an answer out. What can only follow the
// answer (form, tables, buttons, files, canvas) is fetched after it and is handed `app`.
// The core computes, the form and the canvas edit, this file keeps them in step. State lives in the
// address, nowhere else.
import { compiled, load, pause, sentences, KvSeatsError, PARTS } from './kvseats.js';
import { byId, fill, h, picture } from './dom.js';

const QUIET = 600;          // ms after the last change before the answer is read out
const ADDRESS_PAUSE = 300;  // ms between two changes of the address while something is dragged
const WORDS_PAUSE = 100;    // … of the sentence: it is read, and frames are short
const READING = 6000;       // ms until the core's other part comes though nobody has touched the page
/** Signs that someone is about to use it. */
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'focusin', 'wheel', 'scroll', 'dragenter',
  'hashchange'];
const ROOT = document.documentElement;

const app = {
  /** @type {import('./kvseats.js').KvSeats} */ kv: null,
  link: '',        // canonical text, with page keys and unknown ones
  due: '',         // the link to show when all of the core is there
  whole: false,    // all of the core is there, not only what answers in words
  page: null,      // the last answer that was one
  charts: {},      // its figures, as far as they were asked for
  glimpse: 0,      // timer of the words that follow a drag
  size: null,      // of a figure
  dressed: null,   // promise: the style of what follows the answer is there
  form: null,      // form.js
  tables: null,    // tables.js
  stage: null,     // stage.js: the canvas
  noCanvas: '',    // why there is no canvas, once one has failed
  wanted: '',      // 'canvas' when the person asked for it on a narrow screen
  show, ask, chart, redraw, showDiagnostics, fail, say,
  setFace, posterShown, drawing, reveal,
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
 * @param {{from: 'address' | 'form' | 'canvas', live?: boolean}} how */
function show(link, { from, live = false }) {
  if (from === 'canvas' && live) return glimpse(link);
  clearTimeout(app.glimpse);
  app.glimpse = 0;
  let page;
  if (from === 'address') app.due = link;
  try {
    page = ask(link);
  } catch (trouble) {
    if (trouble.code === 'E-EARLY') return later(link, from, live);
    fail(trouble);
    return false;
  }
  delete ROOT.dataset.early;
  showDiagnostics(page.report.diagnostics);
  if (!page.ok) {
    if (!app.page) showWithout(link, page.report.diagnostics);
    return false;
  }
  notice(from === 'address' ? page.report.diagnostics : []);
  Object.assign(app, { link: page.link, page, charts: {} });
  render(live);
  app.form?.show(page);
  if (from !== 'canvas') app.stage?.show(page.link);
  if (from === 'address') return true;
  app.due = page.link;
  address.write(page.link, live);
  return true;
}

/** In the middle of a drag on the canvas: the words and the address, between its frames. The end of the
 * drag is told too, and then all follows. */
function glimpse(link) {
  app.link = link;
  address.write(link, true);
  app.glimpse ||= setTimeout(() => {
    app.glimpse = 0;
    const seen = app.kv.first(app.link);
    if (seen.ok) words(seen, posterShown());
  }, WORDS_PAUSE);
  return true;
}

/** All there is to say of a link: until all of the core is there, the words. */
function ask(link) {
  return app.whole ? app.kv.page(link, { charts: '' }) : app.kv.first(link);
}

/** A figure of the present answer, drawn when it is first asked for. */
function chart(name, options = app.size) {
  return app.charts[name] ??= app.kv.svg(app.link, { chart: name, ...options });
}

/** Rules that have not arrived yet: start() shows the link when they have. */
function later(link, from, live) {
  ROOT.dataset.early = '';
  app.due = link;
  if (from === 'address') return false;
  address.write(link, live);
  return true;
}

/** What of a link was not used, beside the answer: the list of all stands far below the canvas, and
 * who follows a link must not take a default for what it asked. */
function notice(problems) {
  // What is left out of a link comes as a warning with an error's code; a key that is nobody's may be
  // for somebody else, unless it is nearly one of ours.
  const wrong = problems.find(({ code, remedy }) => code.startsWith('E-')
    && (code !== 'E-UNKNOWN-KEY' || remedy.startsWith('Did you mean')));
  byId('trouble').hidden = !wrong;
  if (!wrong) return;
  byId('trouble').textContent = sentences('Not all of this link was used', wrong.text, wrong.remedy);
}

/** Nothing good has been shown yet, and the link leaves no answer: what is wrong with it is left out,
 * in the end all of it, and said. */
function showWithout(link, problems) {
  const { due } = app;
  const wrong = problems.filter(({ severity, where }) => severity === 'error' && where);
  let less = link;
  for (const { where } of wrong) less = app.kv.edit(less, where, '').link;
  const shown = show(less === link ? '' : less, { from: 'address' });
  app.due = due;  // till all of the core is there, the link is still what is asked for
  if (shown) {
    showDiagnostics([...problems, ...app.page.report.diagnostics]);
    notice(problems);
  }
}

/** The answer in words, with the figures or without. */
function words(page, figures = true) {
  fill(byId('answer'), ...page.sentence
    .map(({ text, strong }) => (strong ? h('b', {}, text) : text)));
  if (!ROOT.dataset.question) say(byId('answer').textContent, QUIET);
  if (!figures) return;
  fill(byId('figures'), ...page.figures.map(({ question, value, unit }) => h('div', { class: 'figure' },
      h('h2', {}, question), h('p', {}, h('strong', {}, value), ' ', h('span', {}, unit)))),
    h('div', { class: 'notes' }, ...page.notes.map((note) => h('p', {}, note)),
      ...(page.lever ? [h('p', { class: 'lever' }, page.lever)] : [])));
}

function render(live) {
  const { page } = app;
  words(page);
  if (!ROOT.dataset.question) {
    document.title = `${page.figures[0].value} ${page.figures[0].unit} · KV Seats`;
  }
  if (posterShown()) drawPoster();
  app.tables?.show(page, live);
  if (!('answer' in ROOT.dataset)) performance.mark('kvseats-answer');
  ROOT.dataset.answer = page.report.query;
}

/** Asked for when nothing has changed since it was painted: the page is not set once more for it. */
function measure() {
  const box = byId('tradeoff').getBoundingClientRect();
  const width = Math.round(Math.max(280, Math.min(box.width || innerWidth - 32, 1100)));
  app.size = { width, height: Math.round(Math.min(560, Math.max(300, width * 0.62))) };
}

function posterShown() {
  return ROOT.dataset.face !== 'canvas' || ROOT.dataset.canvas !== 'ready';
}

/** The same answer in figures of another width. */
function redraw() {
  app.charts = {};
  measure();
  drawPoster();
}

/** What stands where the canvas will be, or is, where there is none, and on paper. Until what draws is
 * there, the built page's own figures stand in; not beside another answer. */
async function drawPoster() {
  byId('poster').toggleAttribute('data-waiting', !app.whole && app.link !== '');
  // The built page's figures are right till the canvas stands in their place.
  if (!app.whole || (app.link === '' && ROOT.dataset.face === 'canvas')) return;
  const { page } = app;
  for (const _ of drawing()) {
    await pause();
    if (app.page !== page) return;  // another answer draws its own
  }
}

/** The inputs in words and the two figures of the present answer, in steps. */
function* drawing() {
  app.form?.words(app.page);
  app.controls?.show();
  for (const name of ['memory', 'tradeoff']) {
    const { svg, text } = chart(name);
    byId(name).replaceChildren(picture(svg), h('figcaption', { class: 'unseen' }, text));
    yield;
  }
}

function showDiagnostics(list) {
  const items = list.map(({ severity, text, remedy, where }) => h('li', { class: severity },
    h('b', {}, { error: 'Not used. ', warning: 'Note. ' }[severity] ?? ''),
    sentences(where && severity === 'error' ? `${where}:` : '', text, remedy)));
  byId('diagnostics').replaceChildren(...items);
  byId('diagnostics').hidden = items.length === 0;
}

let saying = 0;

/** For those who listen, when nothing else has been said for `after` ms. */
function say(text, after = 0) {
  clearTimeout(saying);
  saying = setTimeout(() => { byId('status').textContent = text; }, after);
}

/** Says what went wrong and offers a way on; what is on the page stays. */
function fail(trouble, retry = () => location.reload()) {
  const known = trouble instanceof KvSeatsError;
  if (!known) console.error(trouble);
  byId('trouble').replaceChildren(
    known ? trouble.message : 'Something went wrong in this page.', ' ',
    h('button', { type: 'button', click: () => { byId('trouble').hidden = true; retry(); } },
      'Try again'));
  byId('trouble').hidden = false;
  ROOT.dataset.error = known ? trouble.code : 'E-PAGE';
}

// ---- face ---------------------------------------------------------------------------------------

const matches = (query) => matchMedia(query).matches;

/** Why the canvas does not come by itself; empty: it does. */
function withoutCanvas() {
  if (!('WebGL2RenderingContext' in window)) return 'webgl';
  if (ROOT.dataset.question) return 'question';
  if (app.wanted) return '';
  if (matches('(max-width: 699px)')) return 'narrow';
  if (navigator.connection?.saveData || matches('(prefers-reduced-data: reduce)')) return 'data';
  if (matches('(forced-colors: active)')) return 'colours';
  return app.page?.page.view === 'form' ? 'view' : '';
}

/** Chooses between canvas and text; the layout follows. */
function setFace() {
  const reason = app.noCanvas || withoutCanvas();
  const face = reason ? 'text' : 'canvas';
  const changed = ROOT.dataset.face !== face;
  ROOT.dataset.face = face;
  if (changed && app.page) redraw();
  const hopeless = ['webgl', 'E-NO-WEBGL2', 'E-NO-WASM', 'E-WASM'].includes(reason);
  byId('bring').hidden = !reason || hopeless || !app.page;
  byId('lengths').hidden = !app.page || !reason;
  byId('poster').inert = !posterShown();
  return face;
}

/** A course's question has been answered: the page says all again. */
function reveal() {
  delete ROOT.dataset.question;
  render(false);
  app.stage?.bring();
  setFace();
}

function storedTheme() {
  try { return localStorage.getItem('kvseats-theme'); } catch { return ''; }
}

// ---- start --------------------------------------------------------------------------------------

const making = {};  // scripts that are on their way: name → promise of its maker

/** A style sheet that only what follows the answer needs. */
function styled(address) {
  if (!address) return null;  // a page in one file has it already
  return new Promise((resolve) => {
    document.head.append(h('link', { rel: 'stylesheet', href: new URL(address, import.meta.url),
      load: resolve, error: resolve }));
  });
}

/** The form, on its way while the answer is computed. */
function fetchForm() {
  app.dressed = styled('./form.css');
  // All that form.js imports at once, not one behind the other.
  making.form = Promise.all([import('./form.js'), import('./author.js'), import('./combobox.js'),
    import('./form-file.js')]).then(([{ makeForm }]) => makeForm);
  making.form.catch(() => {});  // said by furnish()
}

/** Where no canvas comes and the link is the built page's, that says it all until someone is about to
 * use it: reading costs neither their line nor their processor. */
async function wanted() {
  if (ROOT.dataset.face === 'canvas' || address.read() !== '') return;
  const over = new AbortController();
  await new Promise((resolve) => {
    for (const sign of SIGNS) {
      addEventListener(sign, resolve, { signal: over.signal, capture: true, passive: true });
    }
    setTimeout(resolve, READING);
  });
  over.abort();
}

/** The core's other part, once what answers in words has arrived, and behind it the canvas: what the
 * first makes work for is done while the second is on its way. */
async function fetchRest() {
  await compiled(PARTS[0]);
  await wanted();
  const rest = compiled(PARTS[1]);
  Object.assign(making, {
    stage: import('./stage.js').then(({ makeStage }) => makeStage),
    controls: import('./controls.js').then(({ makeControls }) => makeControls),
    tables: import('./tables.js').then(({ makeTables }) => makeTables),
  });
  for (const part of Object.values(making)) part.catch(() => {});
  await rest;
  if (setFace() === 'canvas') fetchCanvas();
}

/** One behind the other; each part works without the others. */
async function furnish(...names) {
  for (const name of names) {
    try {
      const make = await making[name];
      await pause();
      app[name] = await make(app);
    } catch (cause) {
      console.error(cause);
      fail(new KvSeatsError({ code: 'E-DOWNLOAD', text: `A part of the page (${name}) did not arrive.`,
        remedy: 'Check the connection.' }));
    }
  }
}

/** The form works as soon as there is an answer in words. */
async function furnishForm() {
  if (app.form) return;
  await furnish('form');
  if (app.form && !('form' in ROOT.dataset)) {
    performance.mark('kvseats-form');
    ROOT.dataset.form = 'live';
  }
}

/** The canvas' files, else found one behind the other, by the page's links. */
function fetchCanvas() {
  for (const link of document.querySelectorAll('link[rel=later]')) link.rel = link.dataset.rel;
}

async function start() {
  const theme = storedTheme();
  if (theme === 'light' || theme === 'dark') ROOT.dataset.theme = theme;
  // Until it has been answered, nothing says the answer (style.css).
  if (/(^|&)question=/.test(address.read())) ROOT.dataset.question = 'open';
  setFace();
  fetchForm();
  const coming = fetchRest();
  coming.catch(() => {});  // said by load()
  try {
    app.kv = await load({ early: true });
    measure();
    show(address.read(), { from: 'address' });
    addEventListener('popstate', restore);
    addEventListener('hashchange', restore);
    if (app.page) await furnishForm();
    await coming;
    await app.kv.whole();
    await pause();
  } catch (trouble) {
    app.noCanvas = trouble.code ?? 'E-START';
    setFace();
    fail(trouble, () => { app.noCanvas = ''; start(); });
    return;
  }
  Object.assign(app, { whole: true, page: null });  // words alone are no page
  show(app.due, { from: 'address' });
  if (!app.page) return;  // said by show()
  setFace();
  await furnishForm();
  await furnish('controls', 'stage');
  await app.stage?.settled();
  await furnish('tables');
  document.querySelector('link[rel=last]')?.setAttribute('rel', 'stylesheet');
  if (app.form) ROOT.dataset.ready = 'form';
  app.tables?.settle();
}

/** What the address says, when it was changed by Back or by hand. */
function restore() {
  if (address.read() !== app.link) show(address.read(), { from: 'address' });
}

start();
