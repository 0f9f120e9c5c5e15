// The canvas on the page's stage: when it comes, what it tells, what happens when it cannot.
import { keepWithin } from './author.js';
import { byId, h } from './dom.js';

const ROOT = document.documentElement;
const TALLEST = 3000;  // px the canvas may ask for
const PATIENCE = 3000;  // ms that other work waits for the canvas

const LABEL = 'Interactive calculator. The same inputs and results are in the text view below it.';

/** @returns {{bring: () => Promise<void>, show: (link: string) => void,
 *   theme: (name: string) => void, settled: () => Promise<void>}} */
export function makeStage(app) {
  let canvas = null;
  let bringing = false;
  let settle;
  const settled = new Promise((resolve) => { settle = resolve; });

  async function bring() {
    if (app.setFace() !== 'canvas') settle();
    else if (!canvas && !bringing) await fetched();
  }

  async function fetched() {
    bringing = true;
    try {
      await import('./define.js');
      put();
    } catch (cause) {
      console.error(cause);
      failed({ code: 'E-DOWNLOAD', text: 'The interactive plot did not arrive.' });
    } finally {
      bringing = false;
    }
  }

  function put() {
    canvas = h('kv-seats', { role: 'group', query: app.link, theme: ROOT.dataset.theme ?? 'auto',
      'aria-label': LABEL });
    const on = (name, act) => canvas.addEventListener(`kvseats-${name}`, act);
    on('change', ({ detail: { query, dragging } }) => {
      const link = keepWithin(app.kv, query, app.link, app.page.page);
      app.show(link, { from: 'canvas', live: dragging });
      if (link !== query) canvas.query = app.link;
    });
    on('announce', ({ detail }) => app.say(detail.text));
    on('height', ({ detail }) => byId('stage').style
      .setProperty('--content', `${Math.min(detail.height, TALLEST)}px`));
    on('ready', () => {
      ROOT.dataset.canvas = 'ready';
      app.setFace();
      settle();
    });
    on('error', (event) => {
      if (event.detail.recoverable) return;
      event.preventDefault();
      failed(event.detail);
    });
    byId('stage').append(canvas);
  }

  /** The text face takes over, with one sentence why. */
  function failed({ code, text }) {
    canvas?.remove();
    canvas = null;
    settle();
    app.noCanvas = code;
    delete ROOT.dataset.canvas;
    ROOT.dataset.canvasError = code;
    app.setFace();  // draws the poster: the face changes
    byId('why')?.remove();
    byId('stage').append(h('p', { class: 'note', id: 'why' }, `${text} Everything works here all `
      + 'the same: the form has every input, the tables every result.'));
  }

  /** The person asked for it. */
  byId('bring').firstElementChild.addEventListener('click', () => {
    Object.assign(app, { wanted: 'canvas', noCanvas: '' });
    byId('why')?.remove();
    bring();
  });
  matchMedia('(max-width: 699px)').addEventListener('change', bring);
  bring();
  return {
    bring,
    /** The canvas is there, or does not come, or keeps one waiting (a page in the background). */
    settled: () => Promise.race([settled,
      new Promise((resolve) => { setTimeout(resolve, document.hidden ? 0 : PATIENCE); })]),
    show: (link) => { if (canvas) canvas.query = link; },
    theme: (name) => { if (canvas) canvas.theme = name; },
  };
}
