// Every result as tables, and the curve as one: what is read, copied, searched and printed.
import { byId, h, picture } from './dom.js';
import { pause } from './kvseats.js';

const REST = 120;  // ms: tables are many elements; they follow at rest, not every step of a drag

/** A table's place, which scrolls where that is too narrow. */
export const scrolling = (content) => h('div', { class: 'scroll',
  scroll: ({ target }) => markScrolling(target) }, content);

/** A table of text; the first column heads its row, columns of numbers are set to the right.
 * @param {import('./kvseats.js').Table} data */
export function table({ columns, rows }, caption) {
  const side = columns.map((name, i) =>
    (rows.every((row) => /^(\d|–$)/.test(row[i])) ? 'number' : null));
  return scrolling(
    h('table', {}, h('caption', { class: 'unseen' }, caption),
      h('thead', {}, h('tr', {}, ...columns.map((name, i) =>
        h('th', { scope: 'col', class: side[i] }, name)))),
      h('tbody', {}, ...rows.map((row) => h('tr', {}, ...row.map((text, i) =>
        h(i ? 'td' : 'th', { scope: i ? null : 'row', class: side[i] }, text)))))));
}

/** A table that is too wide for its place can be reached by Tab, to scroll it by keys; its edge fades
 * while there is more to the right (form.css). */
function markScrolling(box) {
  const scrolls = box.scrollWidth > box.clientWidth;
  const attributes = { tabindex: '0', role: 'region',
    'aria-label': box.querySelector('caption').textContent };
  for (const [name, value] of Object.entries(attributes)) {
    if (scrolls) box.setAttribute(name, value);
    else box.removeAttribute(name);
  }
  box.toggleAttribute('data-more', box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
}

/** Marks the tables in here, each when it is set, and again whenever its place or it changes: the type
 * face makes some wider. What is far from the screen is not set (style.css), and asking for its width
 * would do so.
 * @param {Element} root */
export function watchScrolling(root) {
  const observer = new ResizeObserver((sizes) => {
    for (const box of new Set(sizes.map(({ target }) => target.closest('.scroll')))) markScrolling(box);
  });
  for (const box of root.querySelectorAll('.scroll')) {
    observer.observe(box);
    observer.observe(box.firstElementChild);
  }
}

/** The first cell of a row leads to the answer with that change. */
function leads(section, levers) {
  for (const cell of section.querySelectorAll('tbody th')) {
    const lever = levers.find(({ label }) => label === cell.textContent);
    if (lever?.price) cell.replaceChildren(h('a', { href: `#${lever.query}` }, lever.label));
  }
  return section;
}

const savingsSize = () => ({ width: Math.min(960, Math.max(280, byId('tables').clientWidth)) });

/** The same model, two services, two bills; nothing where there is but one. */
function bills(app) {
  const drawn = app.chart('bills', savingsSize());
  return drawn.table.rows.length < 2 ? [] : [h('p', {}, drawn.text),
    h('figure', {}, picture(drawn.svg))];
}

/** Every saving so far as a picture and as numbers; nothing where there is but one step. */
function savings(app) {
  const drawn = app.chart('levers', savingsSize());
  if (drawn.table.rows.length < 2) return [];
  const title = 'How it came to be so many';
  return [h('section', { id: 'table-savings' }, h('h3', {}, title), h('p', {}, drawn.text),
    h('figure', {}, picture(drawn.svg)), table(drawn.table, title))];
}

const opened = {};  // modules of sections that were opened, by id

/** A section whose content comes when it is first opened, from a module with `fill`; until then
 * `before` stands in it. */
function opening(app, id, title, load, before, open) {
  const known = byId(id);
  const section = h('details', { id, open: known ? known.open : open,
    toggle: async () => {
      if (!section.open || section.dataset.filled) return;
      try {
        opened[id] ??= await load();
        put();
      } catch (trouble) {
        app.fail(trouble);
      }
    } }, h('summary', {}, title), before);
  const put = () => {
    section.dataset.filled = '';
    opened[id].fill(app, section);
  };
  return { section, put: () => { if (section.open && opened[id]) put(); } };
}

/** The ledger is a table until it is opened, then arithmetic. */
const ledger = (app, title, data) => opening(app, 'table-ledger', title, () => import('./byhand.js'),
  table(data, title));

/** Open from the start where a link brings something to compare. */
const comparison = (app) => opening(app, 'table-compare', 'Compare scenarios and models',
  () => import('./compare.js'), '', app.page.pins.length > 0 || Boolean(app.page.page.models));

/** Open from the start where a link names accelerators beside this one. */
const rent = (app) => opening(app, 'table-rent', 'What there is to rent',
  () => import('./rent.js'), '', Boolean(app.page.page.gpus));

function draw(app) {
  const { page } = app;
  const tradeoff = app.chart('tradeoff');
  const later = [comparison(app), rent(app)];
  const parts = page.tables.map(({ id, title, table: data }) => {
    if (id === 'ledger') later.push(ledger(app, title, data));
    return h('section', { id: `table-${id}` }, h('h3', {}, title), table(data, title));
  }).filter(({ id }) => id !== 'table-ledger');
  const levers = parts.findIndex(({ id }) => id === 'table-levers');
  if (levers >= 0) {
    leads(parts[levers], page.report.levers);
    parts.splice(levers + 1, 0, ...savings(app));
  }
  parts.find(({ id }) => id === 'table-bills')?.querySelector('h3').after(...bills(app));
  const curve = h('section', { id: 'table-tradeoff' }, h('h3', {}, 'The curve'),
    h('p', {}, tradeoff.text), table(tradeoff.table, 'The curve'));
  parts.splice(3, 0, curve);
  byId('tables').replaceChildren(...parts, ...later.map(({ section }) => section));
  for (const { put } of later) put();
  watchScrolling(byId('tables'));
}

const idle = () => new Promise((resolve) => { (globalThis.requestIdleCallback ?? setTimeout)(resolve); });

/** All is there: what is off the screen is set now, a part at a time (style.css). */
async function settle() {
  for (const id of ['form', 'tables', 'words']) {
    await idle();
    byId(id).dataset.set = '';
  }
}

/** What is made when it is first opened, and stays: a simulation goes on while tables change, and what
 * was pasted is not lost.
 * @param {() => Promise<(app, place, tools) => object | void>} load its maker */
function lasting(app, id, title, load) {
  let made = null;
  const place = h('details', { id, class: 'asking', async toggle() {
    if (made || !place.open) return;
    try {
      const make = await load();
      made ??= make(app, place, { table, watchScrolling }) ?? {};
    } catch (trouble) {
      place.open = false;  // opening it again tries again
      app.fail(trouble);
    }
  } }, h('summary', {}, title));
  return { place, moved: () => made?.moved?.() };
}

export async function makeTables(app) {
  // What takes longest, each by itself.
  app.chart('tradeoff');
  await pause();
  app.chart('levers', savingsSize());
  await pause();
  let waiting = 0;
  const traffic = lasting(app, 'traffic', 'An hour of traffic',
    () => import('./traffic.js').then(({ makeTraffic }) => makeTraffic));
  const lengths = lasting(app, 'pasted', 'Lengths of your requests',
    () => import('./lengths.js').then(({ makeLengths }) => makeLengths));
  byId('tables').after(lengths.place, traffic.place);
  const show = (_, live) => {
    clearTimeout(waiting);
    if (live) waiting = setTimeout(() => draw(app), REST);
    else draw(app);
    traffic.moved();
  };
  show(app.page);
  return { show, settle };
}
