// embed.html: the calculator in a frame of somebody else's page, also in `sandbox="allow-scripts"`,
// whose origin is opaque: nothing can be fetched there, so wasm and data come as scripts. Untouched
// it is the answer, the curve and one button; keys, wheel and touches stay with the page around it
// until the button has brought the canvas and that has the focus.
//
// To the parent: {type: 'kvseats-height', height} whenever it changes (and {subject:
// 'lti.frameResize', height}), and the element's events
// {type, ...detail}: `kvseats-ready`, `kvseats-change`, `kvseats-error`, `kvseats-answer`.
// From it: {type: 'kvseats-query', query}.
import { byId, h, picture } from './dom.js';
import { openCanvas, openCore, tell, tellHeight } from './embed-parts.js';
import { sentences } from './kvseats.js';
import { keepWithin } from './author.js';
import { makeQuestion } from './question.js';

const ROOT = document.documentElement;
const LEAST = 480;  // px of the canvas
const app = { kv: null, link: '', page: null, early: null };
let host = null;    // CanvasHost

function fail(code, text, detail = '') {
  byId('trouble').textContent = text;
  byId('trouble').hidden = false;
  tell('kvseats-error', { code, text, detail: String(detail), recoverable: false });
}

const sayAnswer = ({ sentence }) => byId('answer').replaceChildren(...sentence
  .map(({ text, strong }) => (strong ? h('b', {}, text) : text)));

/** Draws what a link says; a link without an answer leaves what is there. */
function show(link) {
  const width = Math.round(Math.max(280, Math.min(ROOT.clientWidth - 32, 960)));
  const page = app.kv.page(link, { width, height: Math.round(width * 0.6), charts: 'tradeoff' });
  const wrong = page.report.diagnostics.find(({ severity }) => severity === 'error');
  byId('trouble').hidden = !wrong;
  if (wrong) byId('trouble').textContent = sentences(wrong.text, wrong.remedy);
  if (!page.ok) return false;
  Object.assign(app, { page, link: page.link });
  sayAnswer(page);
  if (!host) {
    const { svg, text } = page.charts.tradeoff;
    byId('tradeoff').replaceChildren(picture(svg), h('figcaption', {}, text));
  }
  byId('whole').href = new URL(`index.html#${page.link}`, document.baseURI);
  return true;
}

function theme(name) {
  if (name === 'light' || name === 'dark') ROOT.dataset.theme = name;
}

/** The canvas in the picture's place. */
async function open() {
  byId('open').disabled = true;
  try {
    await openCore(app);
    if (!app.page) show(app.link);
    const stage = byId('stage');
    const place = h('div', {});
    place.style.height = `${Math.max(LEAST, stage.clientHeight)}px`;
    stage.append(place);
    byId('tradeoff').hidden = true;
    host = await openCanvas(app, {
      element: place, query: app.link, theme: ROOT.dataset.theme ?? 'auto',
      label: 'Interactive calculator', onHeight: (height) => {
        place.style.height = `${Math.max(LEAST, Math.min(height, 3000))}px`;
      },
      onAnnounce: (text) => { byId('status').textContent = text; },
      onQuery: (query, { dragging }) => changed(query, dragging),
      onState: (state, detail) => {
        if (['no-webgl2', 'no-memory', 'crashed'].includes(state)) failed(place, detail);
        else if (state === 'ready') host?.root.focus({ preventScroll: true });
      },
    });
    byId('open').hidden = true;
    host.root.focus({ preventScroll: true });
  } catch (cause) {
    failed(null, cause);
  }
}

function failed(place, detail) {
  place?.remove();
  host = null;
  byId('tradeoff').hidden = false;
  byId('open').hidden = true;
  fail('E-CANVAS', 'The interactive plot cannot be shown here. The whole page has everything: see '
    + 'the link below.', detail);
  if (app.page) show(app.link);
}

function changed(query, dragging) {
  const link = keepWithin(app.kv, query, app.link, app.page.page);
  show(link);
  if (link !== query) host.setQuery(app.link);
  tell('kvseats-change', { query: app.link, dragging });
}

function ask() {
  ROOT.dataset.question = 'open';
  addEventListener('kvseats-answer', ({ detail }) => tell('kvseats-answer', detail));
  byId('stage').before(makeQuestion(app, window, () => {
    delete ROOT.dataset.question;
    show(app.link);
  }));
}

async function start() {
  const link = location.hash.slice(1);
  new ResizeObserver(tellHeight).observe(document.body);
  byId('open').addEventListener('click', open);
  if (/(^|&)question=/.test(link)) ROOT.dataset.question = 'open';
  if (link) {
    try {
      app.early = () => {
        try {
          const first = app.kv.first(link);
          if (first.ok) sayAnswer(first);
        } catch { /* an engine whose rules come with the rest */ }
      };
      await openCore(app);
      if (!show(link)) show('');
      theme(app.page.page.theme);
      if (app.page.page.question) ask();
    } catch (cause) {
      fail(cause.code ?? 'E-START', cause.message, cause.stack);
    }
  }
  addEventListener('message', async ({ source, data }) => {
    if (source !== parent || data?.type !== 'kvseats-query') return;
    await openCore(app);
    if (show(String(data.query))) host?.setQuery(app.link);
  });
  addEventListener('hashchange', async () => {
    await openCore(app);
    if (show(location.hash.slice(1))) host?.setQuery(app.link);
  });
  ROOT.dataset.ready = 'embed';
  tell('kvseats-ready', { query: app.link });
}

start();
